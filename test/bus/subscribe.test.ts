/** Subscriptions on the socket of a real daemon, without a place of their own. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { range } from '../../src/bus/testkit.ts'
import { subscribeBus } from '../../src/client/bus.ts'
import { type BusStatus, call } from '../../src/client/index.ts'
import { gantry, makeHome, type RunningDaemon, sendFrame, startDaemon, until } from '../kit.ts'
import { isLong, rounds } from '../long.ts'
import { AGENTS_ONLY, fill, flood, listen } from './bus-kit.ts'

const FLOOD = rounds(4_000, 20_000)
/** The flood alone leaves 60 MB in the engine's heap; what it carried is another 100 MB. */
const GROWTH_BYTES = (isLong ? 110 : 55) * 1024 * 1024

const at = makeHome(AGENTS_ONLY)
let daemon: RunningDaemon
beforeAll(async () => {
  // More than the stream holds, and somebody who was quiet ever since.
  fill(at, 10_100, (n) => (n < 5 ? 'quiet' : `old-${n % 5}`))
  daemon = await startDaemon(at)
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

const hook = (session: string, name: string, more = {}) =>
  sendFrame(at, { payload: JSON.stringify({ session_id: session, hook_event_name: name, ...more }) })
const lastSeq = async () => (await call(at, 'status')).lastSeq

describe('a subscription', () => {
  test('gets what comes, exactly as it was sent, with its subject', async () => {
    const reader = await listen(at, { filter: 'Stop' })
    expect(reader.said[0]).toMatchObject({ ok: true, data: { stream: 'HOOK_EVENTS', filter: 'hooks.Stop' } })
    const payload = ' {"session_id":"s1","hook_event_name":"Stop","odd":"\\u00fc\\n","odd":1e3}\n'
    await hook('s1', 'PreToolUse', { tool_name: 'Bash' })
    await sendFrame(at, { id: 'the-id', payload })
    await until(() => reader.messages.length === 1, 'the stop')
    expect(reader.messages[0]).toEqual({
      stream: 'HOOK_EVENTS',
      seq: await lastSeq(),
      id: 'the-id',
      at: expect.any(Number),
      subject: 'hooks.Stop',
      type: 'Stop',
      agent: 'claude',
      native: 'Stop',
      session: 's1',
      data: payload,
    })
    reader.close()
  })

  test('sees changes of sessions and decisions on streams of their own', async () => {
    const sessions = await listen(at, { stream: 'SESSION_EVENTS', filter: 'sessions.working' })
    await hook('watched', 'SessionStart', { source: 'startup' })
    await hook('watched', 'UserPromptSubmit', { prompt: 'go' })
    await until(() => sessions.messages.length === 1, 'the change')
    const [change] = sessions.messages
    expect(change).toMatchObject({ subject: 'sessions.working', session: 'watched' })
    expect(JSON.parse(change?.data ?? '')).toMatchObject({ phase: 'working', session_id: 'watched' })
    const all = await listen(at, { stream: 'SESSION_EVENTS', deliver: 'all' })
    await until(() => all.messages.some(({ id }) => id === change?.id), 'the same from the start')
    sessions.close()
    all.close()
  })

  test.each([
    [{ stream: 'NOPE' }, 'stream'],
    [{ filter: 'hooks..x' }, 'Invalid subject'],
    [{ filter: 'sessions.>' }, 'No message of HOOK_EVENTS'],
    [{ deliver: 'yesterday' }, 'deliver'],
    [{ deliver: { seq: -1 } }, 'deliver'],
    [{ maxInFlight: 5 }, 'durable'],
    [{ durable: 'x', coalesce: true }, 'every message'],
    [{ durable: 'a b' }, 'cannot name a consumer'],
    [{ durable: 'x', ackWaitMs: 1 }, 'ackWaitMs'],
    [{ unknown: 1 }, 'unknown'],
  ])('that makes no sense is refused with the reason: %j', async (request, reason) => {
    const reader = await listen(at, request)
    expect(reader.said[0]).toMatchObject({ ok: false, error: 'VALIDATION_ERROR' })
    expect(String(reader.said[0]?.message)).toContain(reason)
    reader.close()
  })

  test('without a name that acknowledges is told what to do, and goes on', async () => {
    const reader = await listen(at)
    reader.tell({ ack: [1] })
    await until(() => reader.said.length === 2, 'the refusal')
    expect(String(reader.said[1]?.message)).toContain('durable')
    await hook('s1', 'Stop')
    await until(() => reader.messages.length === 1, 'the next message')
    reader.close()
  })

  test('through the client library ends with the loop', async () => {
    const before = await call(at, 'status')
    const reading = await subscribeBus(at, { filter: 'Stop' })
    await hook('s1', 'Stop')
    for await (const message of reading.messages) {
      expect(message.type).toBe('Stop')
      break
    }
    await until(async () => (await call(at, 'status')).subscribers <= before.subscribers, 'gone')
    expect(subscribeBus(at, { filter: 'a b' })).rejects.toThrow('Invalid subject')
  })
})

describe('a subscriber that stops reading', () => {
  test('costs the daemon nothing while thousands of events go by, hooks are answered, and it gets all of them', async () => {
    const start = await lastSeq()
    const sleepy = await listen(at, { deliver: 'new' })
    sleepy.pause()
    await hook('flood', 'SessionStart')
    const before = (await call(at, 'status')).memoryBytes
    await flood(at, FLOOD, (n) => ({
      session_id: `flood-${n % 5}`,
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'x'.repeat(5_000) },
    }))
    expect((await hook('flood', 'Stop'))?.exit).toBe(0)
    const { memoryBytes } = await call(at, 'status')
    expect(memoryBytes - before).toBeLessThan(GROWTH_BYTES)
    expect(sleepy.messages.length).toBeLessThan(FLOOD / 2)
    sleepy.resume()
    await until(() => sleepy.messages.length >= FLOOD + 2, 'everything')
    expect(sleepy.seqs).toEqual(range(start + 1, start + FLOOD + 2))
    sleepy.close()
  }, 120_000)

  test('later ones get what the stream holds: the window, and the last events of the others', async () => {
    const reader = await listen(at, { deliver: 'all' })
    const { streams } = await call(at, 'bus.status')
    const [hooks] = streams
    await until(() => reader.messages.length >= (hooks?.messages ?? 0), 'everything')
    expect(reader.messages).toHaveLength(hooks?.messages ?? 0)
    const last = await lastSeq()
    const older = reader.messages.filter(({ seq }) => seq <= last - 10_000)
    expect(reader.messages.length - older.length).toBe(10_000)
    expect(older.length).toBe(hooks?.floor ?? 0)
    // Sessions that were quiet during the flood still have their last events, in order.
    expect(older.map(({ session }) => session)).toContain('quiet')
    expect(reader.seqs).toEqual([...reader.seqs].sort((a, b) => a - b))
    reader.close()
  }, 120_000)

  test('with "coalesce" gets the latest of bursts once it reads again, and every event that matters', async () => {
    const plainOne = await listen(at)
    const coalescing = await listen(at, { coalesce: true })
    for (const one of [plainOne, coalescing]) one.pause()
    await flood(at, 2_000, (n) => ({
      session_id: `burst-${n % 4}`,
      hook_event_name: n % 100 < 4 ? 'Stop' : 'StatusLine',
      filler: 'x'.repeat(3_000),
    }))
    for (const one of [plainOne, coalescing]) one.resume()
    const last = await lastSeq()
    for (const one of [plainOne, coalescing])
      await until(() => one.messages.at(-1)?.seq === last, 'caught up')
    const count = (reader: typeof plainOne, type: string) =>
      reader.messages.filter((message) => message.type === type).length
    expect({ stops: count(plainOne, 'Stop'), lines: count(plainOne, 'StatusLine') }).toEqual({
      stops: 80,
      lines: 1_920,
    })
    expect(count(coalescing, 'Stop')).toBe(80)
    expect(count(coalescing, 'StatusLine')).toBeLessThan(1_250)
    plainOne.close()
    coalescing.close()
  }, 120_000)
})

describe('gantry bus subscribe', () => {
  test('prints what the stream has, as lines or as JSON, and leaves after so many', async () => {
    await hook('cli', 'PreToolUse', { tool_name: 'Bash', tool_input: { command: 'make \u001b[31mtest' } })
    await hook('cli', 'Stop')
    const from = String((await lastSeq()) - 1)
    const lines = await gantry(at, 'bus', 'subscribe', '--since', from, '--count', '2')
    expect(lines.exit).toBe(0)
    expect(lines.stdout).toContain('hooks.PreToolUse')
    expect(lines.stdout).toContain('Bash  make test')
    const json = await gantry(at, 'bus', 'subscribe', '--since', '1h', '--filter=Stop', '-n', '1', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({ type: 'Stop', subject: 'hooks.Stop' })
  })

  test('says what is wrong with its arguments', async () => {
    const wrong = async (...args: string[]) => {
      const { exit, stderr } = await gantry(at, 'bus', 'subscribe', ...args)
      return `${exit} ${stderr}`
    }
    expect(await wrong('--stream', 'nope')).toContain('2 gantry: There is no stream "nope"')
    expect(await wrong('--since', 'soon')).toContain('2 gantry: "soon" is neither a sequence nor a time')
    expect(await wrong('--count', '0')).toContain('2 gantry: --count takes a whole number')
    expect(await wrong('--filter', 'a..b')).toContain('1 gantry: Invalid subject "a..b"')
  })

  test('status and consumers print for people and for programs', async () => {
    const people = await gantry(at, 'bus', 'status')
    expect(people.exit).toBe(0)
    expect(people.stdout).toMatch(/HOOK_EVENTS +hooks\.> +· 10,\d+ messages/)
    const program = JSON.parse((await gantry(at, 'bus', 'status', '--json')).stdout) as BusStatus
    expect(program.streams.map(({ name }) => name)).toEqual([
      'HOOK_EVENTS',
      'SESSION_EVENTS',
      'DECISION_EVENTS',
      'GANTRY_EVENTS',
    ])
    expect((await gantry(at, 'bus', 'consumers')).stdout).toContain('No durable consumers')
  })
})
