/** A daemon on a NATS that others use, too: what it tells them, and what it hears, whatever happens to the server. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { range } from '../../src/bus/testkit.ts'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { gantry, gantryJson, until } from '../kit.ts'
import { rounds } from '../long.ts'
import { startServer, type TestServer } from '../nats-kit.ts'
import { flood, listen } from './bus-kit.ts'
import { bucketOf, fleetOf, type Host, host, keysOf, seen } from './fleet-kit.ts'
import { manage } from './world.ts'

const LONG_MS = 120_000
const CHANGES = rounds(300, 2_000)
const MANY = Math.min(9_000, rounds(600, 3_000)) // the stream holds 10,000

let server: TestServer
let at: Places
let say: Host['say']
beforeAll(async () => {
  server = await startServer()
  ;({ at, say } = await host(server, 'alpha'))
})

/** What this host tells of its sessions. */
const told = async () =>
  (await keysOf(server, 'GANTRY_SESSIONS')).filter((key) => key.startsWith('alpha.')).join()

describe('sessions of a host', () => {
  test('of somebody who writes nonsense do no harm', async () => {
    await say('s', 'UserPromptSubmit', { prompt: 'x' })
    await until(async () => (await told()) === 'alpha.claude=s', 'the session')
    const [hosts, sessions] = [
      await bucketOf(server, 'GANTRY_HOSTS'),
      await bucketOf(server, 'GANTRY_SESSIONS'),
    ]
    await hosts.put('x', 'no json')
    await hosts.put('y', '[1]')
    await hosts.put('evil', JSON.stringify({ host: 'evil\u001b[2J', instance: 'i', version: 7 }))
    for (const [n, view] of [null, 7, { id: 'e' }, { id: 'e', attention: 'x' }].entries())
      await sessions.put(`evil.${n}`, JSON.stringify({ host: 'evil\u001b[2J', instance: 'i', view }))
    const fleet = await fleetOf(at)
    expect(fleet.sessions.map(({ id }) => id)).toEqual(['s'])
    const { stdout, exit } = await gantry(at, 'sessions', '--fleet')
    expect(exit).toBe(0)
    expect(stdout).not.toContain('\u001b[2J')
  })

  test(
    'are told as often as people can look, not as often as they change',
    async () => {
      await say('s', 'UserPromptSubmit', { prompt: 'x' })
      await until(async () => (await told()) === 'alpha.claude=s', 'the session')
      const writes = async () =>
        (await manage(server, (jsm) => jsm.streams.info('KV_GANTRY_SESSIONS'))).state.last_seq
      const before = await writes()
      const last = String(CHANGES - 2)
      const begin = performance.now()
      await flood(at, CHANGES, (n) => ({
        session_id: 's',
        hook_event_name: n % 2 ? 'Stop' : 'UserPromptSubmit',
        prompt: `${n}`,
      }))
      await until(async () => (await seen(at, 's'))?.lastPrompt === last, 'the last state')
      const latest = async () => {
        const entry = await (await bucketOf(server, 'GANTRY_SESSIONS')).get('alpha.claude=s')
        return entry?.json<{ view: { lastPrompt: string } }>().view.lastPrompt === last
      }
      await until(latest, 'the last state on NATS')
      const steps = (performance.now() - begin) / 200
      expect((await writes()) - before).toBeLessThanOrEqual(Math.ceil(steps) + 1)
    },
    LONG_MS,
  )

  test(
    'are those of this host alone while NATS is away, which is said, and nothing here is slower for it',
    async () => {
      await say('s', 'SessionEnd', { reason: 'exit' })
      await say('a1', 'UserPromptSubmit', { prompt: 'x' })
      await until(async () => (await told()) === 'alpha.claude=a1', 'what it tells')
      await server.kill('SIGKILL')
      await until(async () => (await fleetOf(at)).problem !== null, 'the problem')
      const ran = await gantry(at, 'sessions', '--fleet')
      expect(ran).toMatchObject({ exit: 0, stderr: expect.stringContaining('NATS is not connected') })
      expect(ran.stdout).toContain('working')
      await say('a2', 'UserPromptSubmit', { prompt: 'y' })
      expect(((await gantryJson(at, 'sessions', '--json')) as object[]).length).toBe(2)
      await say('a1', 'SessionEnd', { reason: 'exit' })
      await server.start()
      await until(async () => (await told()) === 'alpha.claude=a2', 'what is true now')
    },
    LONG_MS,
  )
})

test(
  'a stream of all hosts waits for a reader that stops reading, and goes on through a restart of NATS without a gap',
  async () => {
    await until(async () => {
      const { nats } = await call(at, 'bus.status')
      return nats?.connected && nats.streams.every(({ backlog }) => backlog === 0)
    }, 'everything on NATS')
    const reader = await listen(at, { fleet: true })
    const other = await listen(at, { fleet: true })
    reader.pause()
    const filler = 'x'.repeat(16_000)
    await flood(at, MANY, (n) => ({ session_id: `s${n % 5}`, hook_event_name: 'Stop', n, filler }))
    await until(() => other.messages.length === MANY, 'the other one')
    await server.kill('SIGKILL')
    await server.start()
    await flood(at, 100, (n) => ({ session_id: 's1', hook_event_name: 'Stop', n: MANY + n }))
    expect(reader.messages.length).toBeLessThan((2 * MANY) / 3)
    reader.resume()
    for (const one of [reader, other]) {
      await until(() => one.messages.length >= MANY + 100, 'everything')
      const numbers = one.messages.map(({ data }) => (JSON.parse(data ?? '{}') as { n: number }).n)
      expect(numbers.sort((a, b) => a - b)).toEqual(range(0, MANY + 99))
    }
    reader.close()
    other.close()
    const gone = async () =>
      (await manage(server, (jsm) => jsm.streams.info('HOOK_EVENTS'))).state.consumer_count === 0
    await until(gone, 'no consumers left behind')
  },
  LONG_MS,
)
