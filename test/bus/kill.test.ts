/** kill -9 of the daemon and of nats-server, again and again, in whole processes: each event once, in order. */
import { describe, expect, test } from 'bun:test'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import { journal, makeHome, type RunningDaemon, sendFrame, startDaemon, until } from '../kit.ts'
import { rounds } from '../long.ts'
import { contentOf, countOf, startServer } from '../nats-kit.ts'
import { AGENTS_ONLY, fill } from './bus-kit.ts'
import { expectOnceInOrder, holds, manage } from './world.ts'

const LONG_MS = 120_000
const HOOKS = Math.min(10_000, rounds(300, 10_000)) // the stream holds 10,000
const KILLS = rounds(2, 10) // half of them of nats-server
const SENDERS = 10
const EVENTS = ['UserPromptSubmit', 'Stop'] // each of them changes the session
const SHORT_WINDOW_MS = 100 // so long the server remembers ids

const payload = (session: string, event = 'Stop') =>
  JSON.stringify({ hook_event_name: event, session_id: session, prompt: 'x' })
/** Of what agents sent; gantry's own events are on a stream of their own. */
const allIds = (at: Places) =>
  journal<{ id: string }>(at, "SELECT id FROM events WHERE agent <> 'gantry' ORDER BY seq").map(
    ({ id }) => id,
  )
const markOf = (at: Places) =>
  journal<{ seq: number | null }>(
    at,
    "SELECT max(seq) AS seq FROM outbox_marks WHERE target = 'jetstream' AND stream = 'HOOK_EVENTS'",
  )[0]?.seq ?? 0
const delivered = (at: Places) =>
  until(
    async () => {
      const { nats } = await call(at, 'bus.status')
      return (
        nats?.connected && nats.streams.length === 4 && nats.streams.every(({ backlog }) => backlog === 0)
      )
    },
    'everything delivered',
    60_000,
  )

describe('the daemon killed', () => {
  test(
    'between the answer of the stream and its own note of it, for longer than the server remembers',
    async () => {
      const server = await startServer({ token: 't' })
      await manage(server, (jsm) =>
        jsm.streams.add({
          name: 'HOOK_EVENTS',
          subjects: ['hooks.>'],
          duplicate_window: SHORT_WINDOW_MS * 1e6,
        }),
      )
      const at = makeHome(AGENTS_ONLY)
      const env = { GANTRY_NATS: 'external', BD_NATS_URL: server.url, BD_DAEMON_TOKEN: 't' }
      fill(at, 3_000, (n) => `s${n % 30}`) // longer than what is published in a moment
      const daemon = await startDaemon(at, env)
      await until(async () => (await countOf(server, 'HOOK_EVENTS')) > 0, 'the first ones')
      await daemon.kill('SIGKILL')
      const [count, mark] = [await countOf(server, 'HOOK_EVENTS'), markOf(at)]
      expect(count).toBeGreaterThan(mark) // some are there that the daemon did not note
      await Bun.sleep(3 * SHORT_WINDOW_MS) // the server has forgotten them
      await using _ = await startDaemon(at, env)
      await delivered(at)
      expectOnceInOrder(await contentOf(server, 'HOOK_EVENTS'), allIds(at))
    },
    LONG_MS,
  )

  test(
    'again and again, and nats-server as often, while hooks come',
    async () => {
      const server = await startServer()
      const at = makeHome(AGENTS_ONLY)
      const env = { GANTRY_NATS: 'external', BD_NATS_URL: server.url }
      let daemon: RunningDaemon = await startDaemon(at, env)
      const ids: string[] = []
      /** As a hook client does: whoever got no answer comes again. */
      const send = async (session: string, count: number) => {
        for (let i = 0; i < count; i++) {
          const id = newId()
          const answered = () =>
            sendFrame(at, { id, payload: payload(session, EVENTS[i % 2]) }).catch(() => undefined)
          await until(answered, 'an answer')
          ids.push(id)
        }
      }
      const sending = Promise.all(Array.from({ length: SENDERS }, (_, i) => send(`s${i}`, HOOKS / SENDERS)))
      for (let kill = 1; kill <= KILLS; kill++) {
        await until(() => ids.length >= (kill * HOOKS) / (KILLS + 1), `hooks before kill ${kill}`, 60_000)
        if (kill % 2 === 0) {
          await server.kill('SIGKILL')
          await server.start()
        } else {
          await daemon.kill('SIGKILL')
          daemon = await startDaemon(at, env)
        }
      }
      await sending
      await delivered(at)
      const stored = allIds(at)
      expect(ids.length).toBe(HOOKS)
      expect(new Set(ids).difference(new Set(stored))).toEqual(new Set())
      expectOnceInOrder(await contentOf(server, 'HOOK_EVENTS'), stored)
      const changes = journal<{ id: string }>(
        at,
        "SELECT id FROM bus_messages WHERE stream = 'SESSION_EVENTS' ORDER BY seq",
      ).map(({ id }) => id)
      expect(changes.length).toBeGreaterThan(HOOKS / 2)
      expectOnceInOrder(await contentOf(server, 'SESSION_EVENTS'), changes)
      await daemon.kill('SIGTERM')
    },
    LONG_MS,
  )
})

describe('the daemon stopped', () => {
  test('takes along what was answered a moment ago', async () => {
    const server = await startServer()
    const at = makeHome()
    const daemon = await startDaemon(at, { GANTRY_NATS: 'external', BD_NATS_URL: server.url })
    await sendFrame(at, { payload: payload('s1') })
    await holds(server, 1)
    for (let i = 0; i < 20; i++) await sendFrame(at, { payload: payload('s1') })
    await daemon.kill('SIGTERM')
    expect(await countOf(server, 'HOOK_EVENTS')).toBe(allIds(at).length)
    expect(markOf(at)).toBeGreaterThanOrEqual(allIds(at).length) // with gantry's own between them
  })

  test('does not wait for a server that is away', async () => {
    const server = await startServer()
    await server.kill('SIGKILL')
    const at = makeHome()
    const daemon = await startDaemon(at, { GANTRY_NATS: 'external', BD_NATS_URL: server.url })
    await sendFrame(at, { payload: payload('s1') })
    const isAway = async () =>
      (await call(at, 'doctor')).some(({ message }) => message.includes('no NATS server'))
    await until(isAway, 'that it was looked for')
    expect(await daemon.kill('SIGTERM')).toBe(0)
  })
})
