/** Durable consumers of a real daemon: places of their own, through restarts and kills of either side. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { range } from '../../src/bus/testkit.ts'
import { subscribeBus } from '../../src/client/bus.ts'
import { call, type WireMessage } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import {
  envFor,
  GANTRY,
  gantry,
  gantryJson,
  journal,
  makeHome,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'
import { processes } from '../litter.ts'
import { rounds } from '../long.ts'
import { AGENTS_ONLY, flood, listen } from './bus-kit.ts'

const hook = (at: Places, n: number, id = newId()) =>
  sendFrame(at, { id, payload: JSON.stringify({ session_id: 's1', hook_event_name: 'Stop', n }) })
const stop = (n: number) => ({ session_id: 's1', hook_event_name: 'Stop', n })
const consumers = (at: Places) => call(at, 'bus.consumers')
const consumer = async (at: Places, name: string) => (await consumers(at)).find((one) => one.name === name)

/** For all who need no daemon of their own: their consumers have other names. */
const shared = makeHome(AGENTS_ONLY)
beforeAll(async () => void (await startDaemon(shared)))

describe('two consumers', () => {
  test('have places of their own, and find them again after a restart', async () => {
    const at = makeHome(AGENTS_ONLY)
    let daemon = await startDaemon(at)
    await flood(at, 20, stop)
    const first = await listen(at, { durable: 'first', deliver: 'all' })
    const second = await listen(at, { durable: 'second', deliver: 'all', filter: 'Stop' })
    await until(() => first.messages.length === 20 && second.messages.length === 20, 'both')
    first.tell({ ack: range(1, 20) })
    second.tell({ ack: range(1, 5) })
    second.tell({ term: [6] })
    await until(
      async () => (await consumers(at)).map(({ lag }) => lag).join() === '0,14',
      'the acknowledgements',
    )
    expect(await daemon.kill('SIGTERM')).toBe(0)

    daemon = await startDaemon(at)
    await hook(at, 20)
    expect(await consumers(at)).toMatchObject([
      { name: 'first', lag: 1, ackFloor: 20, connections: 0 },
      { name: 'second', lag: 15, ackFloor: 6, filter: 'hooks.Stop' },
    ])
    const again = await listen(at, { durable: 'first', deliver: 'all' })
    const more = await listen(at, { durable: 'second' })
    await until(() => again.messages.length === 1 && more.messages.length === 15, 'the rest')
    expect(again.seqs).toEqual([21])
    expect(more.seqs).toEqual(range(7, 21))
    expect(more.messages[0]?.deliveries).toBe(2)
    await daemon.kill('SIGTERM')
  }, 120_000)
})

describe('a consumer that never acknowledges', () => {
  test('gets as much as it may have open, then nothing until the wait is over, then the same again', async () => {
    const at = shared // which has nothing yet
    await flood(at, 1_000, stop)
    const stubborn = await listen(at, { durable: 'stubborn', deliver: 'all', ackWaitMs: 1_500 })
    const other = await listen(at, { durable: 'other', deliver: 'all', maxInFlight: 5_000 })
    await until(() => stubborn.messages.length === 256 && other.messages.length === 1_000, 'the first ones')
    await hook(at, 1_000)
    await until(() => other.messages.length === 1_001, 'the others are not held up')
    expect(stubborn.messages).toHaveLength(256)
    await until(() => stubborn.messages.length === 512, 'the second time')
    expect(stubborn.seqs.slice(256)).toEqual(range(1, 256))
    expect(stubborn.messages.at(-1)?.deliveries).toBe(2)
    expect(await consumer(at, 'stubborn')).toMatchObject({
      inFlight: 256,
      redelivered: 256,
      pending: 745,
      lag: 1_001,
      ackFloor: 0,
    })
    const { problems } = await call(at, 'bus.status')
    expect(problems.map(({ message }) => message).join()).toContain('"stubborn" acknowledges nothing')
    expect((await gantry(at, 'bus', 'status')).stdout).toContain('--delete stubborn --stream HOOK_EVENTS')
    stubborn.tell({ nak: { seq: 1, delayMs: 0 } })
    stubborn.tell({ ack: range(2, 256), sync: true })
    await until(() => stubborn.seqs.includes(500), 'the next ones')
    expect(stubborn.said.at(-1)).toEqual({ ok: true, data: null })
    // On a slow machine the wait is over once more before the next ones arrive.
    expect(stubborn.messages.filter(({ seq }) => seq === 1).at(-1)?.deliveries).toBeGreaterThanOrEqual(3)
    for (const one of [stubborn, other]) one.close()
  }, 120_000)
})

describe('several connections under one name', () => {
  test('share the work, and one that dies leaves its part to the others', async () => {
    const at = shared
    const one = await listen(at, { durable: 'crew', maxInFlight: 5_000 })
    const two = await listen(at, { durable: 'crew' })
    await flood(at, 500, stop)
    await until(() => one.messages.length + two.messages.length === 500, 'everything')
    expect(Math.min(one.messages.length, two.messages.length)).toBeGreaterThan(100)
    two.tell({ ack: two.seqs })
    one.close()
    await until(() => new Set(two.seqs).size === 500, 'what the other had')
    two.tell({ ack: two.seqs })
    await until(async () => (await consumer(at, 'crew'))?.lag === 0, 'all of it acknowledged')
    two.close()
  }, 120_000)
})

describe('the list of consumers', () => {
  const at = makeHome(AGENTS_ONLY)
  beforeAll(async () => void (await startDaemon(at)))

  test('shows who is behind, and a deleted one is gone', async () => {
    await flood(at, 10, stop)
    const reader = await listen(at, { durable: 'reports', deliver: 'all' })
    expect((await gantry(at, 'bus', 'consumers')).stdout).toMatch(/reports .*connected .*lag 10/)
    expect(await gantryJson(at, 'bus', 'consumers', '--json')).toMatchObject([{ name: 'reports', lag: 10 }])
    expect((await gantry(at, 'bus', 'consumers', '--delete', 'reports')).exit).toBe(0)
    await until(() => reader.socket.destroyed || reader.socket.readableEnded, 'sent away')
    expect(String(reader.said.at(-1)?.message)).toContain('was deleted')
    const { exit, stderr } = await gantry(at, 'bus', 'consumers', '--delete', 'reports')
    expect(`${exit} ${stderr}`).toContain('1 gantry: There is no consumer "reports" of HOOK_EVENTS')
    expect(await consumers(at)).toEqual([])
  }, 120_000)

  test('has an end, with a message that says what to do', async () => {
    for (let n = 0; n < 100; n++) (await listen(at, { durable: `c${n}` })).close()
    await expect(subscribeBus(at, { durable: 'one-more' })).rejects.toThrow('gantry bus consumers --delete')
    const known = await subscribeBus(at, { durable: 'c7' })
    await known.end()
  }, 120_000)
})

const KILLS = rounds(1, 4)
const EACH = rounds(150, 250) // hooks around each
const RUNS = Math.min(20, rounds(2, 6)) // of a consumer that is killed

/** The command as a script runs it, with what it has printed so far. */
function follow(at: Places, ...args: string[]) {
  const child = Bun.spawn([GANTRY, 'bus', 'subscribe', '--json', ...args], {
    env: envFor(at),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  processes.add(child)
  const messages: WireMessage[] = []
  const reading = (async () => {
    let rest = ''
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + chunk).split('\n')
      rest = parts.pop() ?? ''
      messages.push(...parts.map((part) => JSON.parse(part) as WireMessage))
    }
  })()
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    await child.exited
    await reading
    processes.delete(child)
  }
  return { messages, end, ids: () => new Set(messages.map(({ id }) => id)) }
}

describe('through kill -9 of the daemon', () => {
  test('a consumer gets every event, and twice only what it had just got; a reader goes on where it was', async () => {
    const at = makeHome(AGENTS_ONLY)
    let daemon = await startDaemon(at)
    const durable = follow(at, '--durable', 'work')
    const plain = follow(at)
    await until(async () => (await consumers(at))[0]?.connections === 1, 'connected')
    await until(async () => (await call(at, 'status')).subscribers === 1, 'both connected')
    const total = KILLS * EACH
    const ids: string[] = []
    const sendAll = async (count: number) => {
      for (let i = 0; i < count; i++) {
        const id = newId()
        ids.push(id)
        // An agent's client spools what is not answered; here it is simply sent again, with the same id.
        await until(
          async () => (await hook(at, ids.length, id).catch(() => undefined)) !== undefined,
          'answered',
          20_000,
        )
      }
    }
    for (let kill = 0; kill < KILLS; kill++) {
      const sending = sendAll(EACH)
      await until(() => ids.length > (kill + 0.4) * EACH, 'half of them')
      await daemon.kill('SIGKILL')
      daemon = await startDaemon(at)
      await sending
    }
    for (const reader of [durable, plain]) await until(() => reader.ids().size === total, 'all of them')
    expect([...durable.ids()].sort()).toEqual([...ids].sort())
    const twice = durable.messages.length - total
    expect(twice).toBeLessThanOrEqual(KILLS * 256)
    const firstTimes = durable.messages.filter(
      ({ seq }, i) => durable.messages.findIndex((one) => one.seq === seq) === i,
    )
    expect(firstTimes.map(({ seq }) => seq)).toEqual(range(1, total))
    expect(plain.messages.map(({ seq }) => seq)).toEqual(range(1, total))
    await until(async () => (await consumers(at))[0]?.lag === 0, 'everything acknowledged')
    await durable.end()
    await plain.end()
    await daemon.kill('SIGTERM')
  }, 120_000)

  test('and of the consumer: what it had not acknowledged comes again, and nothing is left out', async () => {
    const at = shared
    await flood(at, Math.max(0, RUNS * 500 - journal(at).length), stop)
    const count = journal(at).length
    const seen = new Set<number>()
    for (let run = 0; run < RUNS; run++) {
      const reader = follow(at, '--durable', 'work', '--since', 'all')
      const wanted = Math.min(count, seen.size + 300)
      await until(
        () => new Set([...seen, ...reader.messages.map(({ seq }) => seq)]).size >= wanted,
        'some more',
        20_000,
      )
      await reader.end('SIGKILL')
      for (const { seq } of reader.messages) seen.add(seq)
    }
    const last = follow(at, '--durable', 'work')
    await until(async () => (await consumer(at, 'work'))?.lag === 0, 'the end')
    await last.end()
    for (const { seq } of last.messages) seen.add(seq)
    expect([...seen].sort((a, b) => a - b)).toEqual(range(1, count))
  }, 120_000)
})

test('a script that takes a few at a time goes on where it was, with nothing twice', async () => {
  const at = shared
  const seqs: number[] = []
  for (let i = 0; i < 3; i++) {
    const args = ['bus', 'subscribe', '--durable', 'few', '--since', 'all', '--count', '3', '--json']
    const { stdout, exit } = await gantry(at, ...args)
    expect(exit).toBe(0)
    seqs.push(
      ...stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as WireMessage).seq),
    )
  }
  expect(seqs).toEqual(range(1, 9))
}, 120_000)
