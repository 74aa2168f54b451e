import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { BusMessage, Source } from '../streams/index.ts'
import { type Entry, entryOf, isDue, Lanes } from './lanes.ts'

const NOW = 1_763_000_000_000

const messageOf = (seq: number, session: string): BusMessage => ({
  stream: 'HOOK_EVENTS',
  seq,
  id: `id-${seq}`,
  at: seq,
  subject: 'hooks.Stop',
  type: 'Stop',
  agent: 'claude',
  native: 'Stop',
  session,
  data: '{}',
})

/** A stream that begins after `after`, and the lanes on it. */
function world(
  after = 0,
  options: {
    admit?: (message: BusMessage) => Entry | undefined
    window?: number
    countsDone?: boolean
  } = {},
) {
  const messages: BusMessage[] = []
  const lastSeq = () => messages.at(-1)?.seq ?? after
  const source: Source = {
    name: 'HOOK_EVENTS',
    lastSeq,
    firstSeq: () => after + 1,
    seqBefore: () => after,
    read: (from, limit) => messages.filter(({ seq }) => seq > from).slice(0, limit),
  }
  const { admit = entryOf, window = 500, countsDone = false } = options
  const lanes = new Lanes<Entry>({ source, after, window, countsDone, slice: { rows: 100 }, admit })
  const add = (...sessions: string[]) => {
    for (const session of sessions) {
      messages.push(messageOf(lastSeq() + 1, session))
      lanes.push(messages.slice(-1))
    }
  }
  return { lanes, add }
}

function filled(sessions: readonly string[], after = 0): Lanes<Entry> {
  const { lanes, add } = world(after)
  add(...sessions)
  return lanes
}

function takeAll(lanes: Lanes<Entry>, now = NOW, onlyKept = false): Entry[] {
  const taken: Entry[] = []
  for (let entry = lanes.next(now, onlyKept); entry; entry = lanes.next(now, onlyKept)) taken.push(entry)
  return taken
}

const seqs = (entries: readonly Entry[]) => entries.map(({ seq }) => seq)

describe('the next to be sent', () => {
  test('is the oldest, and only the first of its session', () => {
    const lanes = filled(['a', 'a', 'b', 'a'])
    const [one, three] = takeAll(lanes)
    expect([one?.seq, three?.seq]).toEqual([1, 3])
    lanes.settle(one as Entry)
    expect(seqs(takeAll(lanes))).toEqual([2])
  })

  test('is, among several, the oldest, also when it comes back last', () => {
    const lanes = filled(['a', 'b', 'c'])
    const [one, two] = takeAll(lanes) as [Entry, Entry, Entry]
    lanes.retry(two)
    lanes.retry(one)
    expect(seqs(takeAll(lanes))).toEqual([1, 2])
  })

  test('is the one that came back, before the others of its session', () => {
    const lanes = filled(['a', 'a'])
    lanes.retry(takeAll(lanes)[0] as Entry)
    expect(seqs(takeAll(lanes))).toEqual([1])
  })

  test('waits for its time, and those behind it wait with it', () => {
    const lanes = filled(['a', 'a'])
    lanes.retry(takeAll(lanes)[0] as Entry, NOW + 500)
    expect(takeAll(lanes)).toEqual([])
    expect(lanes.nextDueAt(NOW)).toBe(NOW + 500)
    expect(seqs(takeAll(lanes, NOW + 500))).toEqual([1])
    expect(lanes.nextDueAt(NOW)).toBeUndefined()
  })

  test('is none that is new while too many are to be tried again', () => {
    const lanes = filled(['a', 'b'])
    const one = lanes.next(NOW) as Entry
    lanes.retry(one, NOW + 9)
    lanes.keep(one)
    expect(takeAll(lanes, NOW, true)).toEqual([])
    expect(seqs(takeAll(lanes, NOW + 9, true))).toEqual([1])
  })

  test('does not wait for a time that only a clock set back can explain', () => {
    const lanes = filled(['a'])
    lanes.retry(lanes.next(NOW) as Entry, NOW + 86_400_000)
    expect(seqs(takeAll(lanes))).toEqual([1])
    expect(isDue(NOW + 86_400_000, NOW)).toBe(true)
  })

  test('may be of a session that another agent has, too', () => {
    const of = (agent: string) => entryOf({ ...messageOf(1, 'a'), agent }).lane
    expect(of('claude')).not.toBe(of('codex'))
  })
})

describe('the mark', () => {
  test('waits for the oldest', () => {
    const lanes = filled(['a', 'b', 'c'], 10)
    const [one, two, three] = takeAll(lanes) as [Entry, Entry, Entry]
    lanes.settle(two)
    expect(lanes.mark).toBe(10)
    lanes.settle(one)
    expect(lanes.mark).toBe(12)
    lanes.settle(three)
    expect(lanes).toMatchObject({ mark: 13, cursor: 13, size: 0, bytes: 0, inFlight: 0, bytesInFlight: 0 })
  })

  test('passes what is settled, has a row or is not wanted, and nothing else', () => {
    const admit = (message: BusMessage) => (message.session === 'unwanted' ? undefined : entryOf(message))
    const { lanes, add } = world(3, { admit })
    add('a', 'unwanted', 'b', 'unwanted')
    expect(lanes.mark).toBe(3)
    const first = lanes.next(NOW) as Entry
    lanes.retry(first)
    lanes.keep(first)
    expect(lanes).toMatchObject({ mark: 5, keptCount: 1, cursor: 7 })
    lanes.next(NOW)
    lanes.settle(lanes.next(NOW) as Entry)
    expect(lanes.mark).toBe(7)
  })

  test('passes what the target has already', () => {
    const { lanes, add } = world(0, { admit: (message) => ({ ...entryOf(message), state: 'done' }) })
    add('a', 'a')
    expect(lanes).toMatchObject({ mark: 2, size: 0, bytes: 0, hasReady: false })
  })
})

test('one in the middle of a lane may be settled before it is sent', () => {
  const lanes = filled(['a', 'a', 'a', 'b'])
  const [one, two] = lanes.entries() as [Entry, Entry]
  lanes.settle(one)
  lanes.settle(two)
  expect(lanes.mark).toBe(2)
  expect(seqs(takeAll(lanes))).toEqual([3, 4])
})

test('one behind another that is in flight may be settled, and that one is not sent twice', () => {
  const lanes = filled(['a', 'a', 'a'])
  const first = lanes.next(NOW) as Entry
  lanes.settle(lanes.entries()[1] as Entry)
  expect(takeAll(lanes)).toEqual([])
  lanes.settle(first)
  expect(seqs(takeAll(lanes))).toEqual([3])
})

describe('a session that is stuck', () => {
  const settledBeside = (countsDone: boolean) => {
    const { lanes, add } = world(0, { window: 20, countsDone })
    add('stuck', 'stuck', ...Array.from({ length: 500 }, (_, n) => `s${n % 7}`))
    const stuck = lanes.next(NOW) as Entry
    lanes.retry(stuck, NOW + 60_000)
    let count = 0
    for (let read = -1; read < lanes.cursor; ) {
      read = lanes.cursor
      for (let entry = lanes.next(NOW); entry; entry = lanes.next(NOW)) {
        lanes.settle(entry)
        count += 1
      }
      lanes.readOn()
    }
    return { lanes, stuck, count }
  }

  test('does not hold up the others, and what is done does not pile up', () => {
    const { lanes, stuck, count } = settledBeside(false)
    expect([count, lanes.mark]).toEqual([500, 0])
    expect(lanes.size).toBeLessThanOrEqual(2 * (20 + 2))
    lanes.settle(lanes.next(NOW + 60_000) as Entry)
    lanes.settle(lanes.next(NOW) as Entry)
    expect([stuck.state, lanes.mark, lanes.size, lanes.bytes]).toEqual(['done', 502, 0, 0])
  })

  test('ends the look ahead where a crash would send again what is done', () => {
    expect(settledBeside(true).count).toBe(18)
  })
})

describe('one of an earlier day', () => {
  const early = (seq: number, session: string) => entryOf(messageOf(seq, session))

  test('takes its old place, and the mark does not wait for it', () => {
    const lanes = filled(['a', 'b'], 50)
    lanes.takeUp(early(7, 'a'))
    const taken = takeAll(lanes) as [Entry, Entry]
    expect(seqs(taken)).toEqual([7, 52])
    expect([lanes.hasKept(7), lanes.mark]).toEqual([true, 50])
    lanes.settle(taken[0])
    expect(seqs(takeAll(lanes))).toEqual([51])
    expect(lanes.hasKept(7)).toBe(false)
  })

  test('that was read again is not sent twice, and has its row from then on', () => {
    const lanes = filled(['a', 'b'])
    const first = lanes.next(NOW) as Entry
    lanes.takeUp(early(1, 'a'))
    expect([lanes.hasKept(1), lanes.mark]).toEqual([true, 1])
    lanes.retry(first, NOW + 5)
    expect(lanes.nextDueAt(NOW)).toBe(NOW + 5)
    lanes.settle(lanes.next(NOW + 5) as Entry)
    expect(seqs(takeAll(lanes, NOW + 5))).toEqual([2])
    expect(lanes.keptCount).toBe(0)
  })

  test('waits for one of its session that is in flight', () => {
    const lanes = filled(['a'], 50)
    const first = lanes.next(NOW) as Entry
    lanes.takeUp(early(7, 'a'))
    expect(takeAll(lanes)).toEqual([])
    lanes.settle(first)
    expect(lanes.mark).toBe(51)
    lanes.settle(lanes.next(NOW) as Entry)
    expect(lanes).toMatchObject({ mark: 51, size: 0, bytes: 0 })
  })

  test('is not sent again when the stream is read from before it', () => {
    const { lanes, add } = world(0)
    lanes.takeUp(early(2, 'a'))
    add('a', 'a', 'a')
    const order: number[] = []
    for (let entry = lanes.next(NOW); entry; entry = lanes.next(NOW)) {
      order.push(entry.seq)
      lanes.settle(entry)
    }
    expect(order).toEqual([1, 2, 3])
    expect(lanes).toMatchObject({ mark: 3, size: 0, bytes: 0 })
  })
})

test('no more is read than the window holds, and the rest once there is room', () => {
  const { lanes, add } = world(0, { window: 2 })
  add('a', 'b', 'c')
  expect(lanes).toMatchObject({ cursor: 2, isBehind: true })
  for (const entry of takeAll(lanes)) lanes.settle(entry)
  lanes.readOn()
  expect(lanes).toMatchObject({ cursor: 3, isBehind: false })
})

test('whatever comes back, gets a row and is settled: one at a time in a session, in order, each once', () => {
  const step = fc.tuple(fc.constantFrom('settle', 'retry', 'keep', 'add'), fc.nat(20))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (all) => {
      const { lanes, add } = world()
      const inFlight: Entry[] = []
      const settled = new Map<string, number[]>()
      let count = 0
      const take = (what: string, which: number) => {
        if (what === 'add') {
          add(`s${which % 4}`)
          count += 1
        } else if (inFlight.length > 0) {
          const [entry] = inFlight.splice(which % inFlight.length, 1) as [Entry]
          if (what !== 'settle') lanes.retry(entry)
          if (what === 'keep') lanes.keep(entry)
          if (what === 'settle') {
            settled.set(entry.session, [...(settled.get(entry.session) ?? []), entry.seq])
            lanes.settle(entry)
          }
        }
        inFlight.push(...takeAll(lanes))
        expect(new Set(inFlight.map(({ session }) => session)).size).toBe(inFlight.length)
        const open = inFlight.filter(({ kept }) => !kept).map(({ seq }) => seq)
        expect(lanes.mark).toBeLessThan(Math.min(...open, count + 1))
      }
      for (const [what, which] of all) take(what, which)
      while (inFlight.length > 0) take('settle', 0)
      expect(lanes).toMatchObject({ mark: count, size: 0, bytes: 0, inFlight: 0, settled: count })
      expect([...settled.values()].flat().length).toBe(count)
      for (const order of settled.values()) expect(order).toEqual([...order].sort((a, b) => a - b))
    }),
  )
})
