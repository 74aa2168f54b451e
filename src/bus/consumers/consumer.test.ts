import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { until } from '../../../test/kit.ts'
import { limitMs, rounds } from '../../../test/long.ts'
import type { Store } from '../../store/index.ts'
import type { StreamName } from '../streams/index.ts'
import { Collector, event, type Journal, journal, range } from '../testkit.ts'
import type { Member } from './connections.ts'
import type { Consumer } from './consumer.ts'
import { type ConsumerRequest, Consumers, MAX_CONSUMERS } from './consumers.ts'
import { Stream } from './stream.ts'

const turn = () => new Promise(setImmediate)

/** Lets everything that was planned for "soon" happen. */
async function settled(): Promise<void> {
  for (let i = 0; i < 6; i++) await turn()
}

/** Consumers of a journal with a clock of their own, which can be killed: nothing they write then arrives. */
function consumersOf(at: Journal, clock = { now: 1_000_000 }) {
  let alive = true
  const relaxed = (work: () => void) => {
    if (alive) at.store.journal.relaxed(work)
  }
  const journalOf = { relaxed, commit: (work: () => void) => at.store.journal.commit(work) }
  const store = { ...at.store, journal: journalOf } as unknown as Store
  const streams = new Map<StreamName, Stream>()
  const stream = (name: StreamName) => {
    const known =
      streams.get(name) ?? new Stream({ store: at.store, sources: at.sources, name, trouble: () => {} })
    streams.set(name, known)
    return known
  }
  const consumers = new Consumers({ store, stream, trouble: () => {}, now: () => clock.now })
  const join = (request: Partial<ConsumerRequest> = {}, reader = new Collector()) => {
    const whole = { name: 'x', deliver: 'all', ...request } as const
    const { member, consumer } = consumers.join('HOOK_EVENTS', whole, reader)
    member.resume()
    return { reader, member, consumer }
  }
  const kill = () => {
    alive = false
  }
  return { consumers, join, kill, clock }
}

function setup() {
  const at = journal()
  return { ...at, ...consumersOf(at) }
}

describe('a consumer', () => {
  test('gets all existing messages, then new ones, each with its number of deliveries', async () => {
    const { commit, fill, join } = setup()
    fill(3, () => event())
    const { reader, member } = join()
    await settled()
    commit(event())
    expect(reader.got.map(({ seq, deliveries }) => [seq, deliveries])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 1],
    ])
    member.settle([1, 2, 3, 4])
    commit(event(), event())
    expect(reader.seqs).toEqual(range(1, 6))
    expect(reader.writes).toBe(3)
  })

  test('continues where it was, and another with the same filter has its own checkpoint', async () => {
    const { fill, join } = setup()
    fill(10, () => event())
    const first = join({ name: 'first' })
    await settled()
    first.member.settle(range(1, 6))
    first.member.close()
    const second = join({ name: 'second' })
    const again = join({ name: 'first', deliver: 'new' })
    await settled()
    expect(second.reader.seqs).toEqual(range(1, 10))
    expect(again.reader.got.map(({ seq, deliveries }) => [seq, deliveries])).toEqual([
      [7, 2],
      [8, 2],
      [9, 2],
      [10, 2],
    ])
  })

  test.each([
    ['new', []],
    ['all', [1, 2, 3, 4, 5]],
    [{ seq: 4 }, [4, 5]],
    [{ time: 3_000 }, [3, 4, 5]],
  ] as const)('that begins with %j', async (deliver, seqs) => {
    const { commit, join } = setup()
    for (let n = 1; n <= 5; n++) commit({ ...event(), receivedAt: n * 1_000 })
    const { reader } = join({ deliver })
    await settled()
    expect(reader.seqs).toEqual([...seqs])
  })

  test('never gets more than maxInFlight unacknowledged messages', async () => {
    const { commit, fill, join, clock } = setup()
    fill(50, () => event())
    const { reader, member, consumer } = join({ maxInFlight: 10, ackWaitMs: 1_000 })
    await settled()
    commit(event())
    await settled()
    expect(reader.seqs).toEqual(range(1, 10))
    clock.now += 999
    consumer.pumpSoon()
    await settled()
    expect(reader.got).toHaveLength(10)
    clock.now += 1
    consumer.pumpSoon()
    await settled()
    expect(reader.seqs).toEqual([...range(1, 10), ...range(1, 10)])
    expect(reader.got.at(-1)?.deliveries).toBe(2)
    member.settle([3])
    await settled()
    expect(reader.seqs.slice(20)).toEqual([11])
  })

  test('gets unacknowledged messages again after the ack wait', async () => {
    const at = journal()
    const real = new Consumers({
      store: at.store,
      stream: (name) => new Stream({ store: at.store, sources: at.sources, name, trouble: () => {} }),
      trouble: () => {},
    })
    at.fill(2, () => event())
    const reader = new Collector()
    const request = { name: 'real', deliver: 'all', ackWaitMs: 30 } as const
    const { member } = real.join('HOOK_EVENTS', request, reader)
    member.resume()
    await until(() => reader.got.length >= 2, 'the first time')
    member.settle([1])
    const before = reader.got.length // on a busy machine the first one, too, came again
    await until(() => reader.got.length >= before + 2, 'twice more')
    expect(new Set(reader.seqs.slice(before))).toEqual(new Set([2]))
    member.close()
  })

  test('that refuses a message gets it again at once, or after its delay', async () => {
    const { fill, join, clock } = setup()
    fill(2, () => event())
    const { reader, member, consumer } = join()
    await settled()
    member.refuse(1, 0)
    member.refuse(2, 5_000)
    await settled()
    expect(reader.seqs).toEqual([1, 2, 1])
    clock.now += 5_000
    consumer.pumpSoon()
    await settled()
    expect(reader.seqs).toEqual([1, 2, 1, 2])
    member.refuse(99, 0)
    member.settle([99])
    await settled()
    expect(reader.got).toHaveLength(4)
  })

  test('with a filter acknowledges only what passes it', async () => {
    const { commit, fill, join } = setup()
    fill(600, (n) => event('s1', n % 100 === 0 ? 'Stop' : 'PreToolUse'))
    const { reader, consumer, member } = join({ filter: 'Stop' })
    await settled()
    commit(event('s1', 'PreToolUse'), event('s1', 'Stop'))
    expect(reader.got).toHaveLength(7)
    member.settle(reader.seqs)
    expect(await consumer.info()).toMatchObject({ lag: 0, pending: 0, cursor: 602, ackFloor: 602 })
  })

  test('knows its lag', async () => {
    const { fill, join } = setup()
    fill(3_000, (n) => event('s1', n % 3 === 0 ? 'Stop' : 'PreToolUse'))
    const all = join({ name: 'all', maxInFlight: 100 })
    const some = join({ name: 'some', filter: 'Stop', maxInFlight: 100 })
    await settled()
    all.member.settle([1, 2, 5])
    expect(await all.consumer.info()).toMatchObject({ inFlight: 97, ackFloor: 2, lag: 2_997, connections: 1 })
    expect(await some.consumer.info()).toMatchObject({ inFlight: 100, pending: 900, lag: 1_000 })
    all.member.close()
    expect(await all.consumer.info()).toMatchObject({ connections: 0, lag: 2_997, missed: 0 })
  })
})

describe('several under one name', () => {
  test('share the messages, each goes to one of them', async () => {
    const { commit, fill, join } = setup()
    fill(10, () => event())
    const one = join()
    const two = join()
    await settled()
    commit(...Array.from({ length: 10 }, () => event()))
    await settled()
    const both = [...one.reader.seqs, ...two.reader.seqs].sort((a, b) => a - b)
    expect(both).toEqual(range(1, 20))
    expect(two.reader.got.length).toBeGreaterThanOrEqual(5)
  })

  test('when one leaves, the others get its messages', async () => {
    const { commit, join } = setup()
    const one = join()
    const two = join()
    commit(event(), event(), event(), event())
    const had = one.reader.seqs
    expect(had.length).toBeGreaterThan(0)
    one.member.close()
    await settled()
    expect(two.reader.seqs.sort((a, b) => a - b)).toEqual([1, 2, 3, 4])
    expect(two.reader.got.filter(({ deliveries }) => deliveries === 2).map(({ seq }) => seq)).toEqual(had)
  })

  test('when one is full, the others get everything', async () => {
    const { commit, join } = setup()
    const full = join()
    const free = join()
    full.reader.room = 1
    for (let n = 0; n < 10; n++) commit(event())
    await settled()
    expect(full.reader.overrun).toBe(0)
    expect(full.reader.got.length + free.reader.got.length).toBe(10)
    expect(free.reader.got.length).toBe(9)
  })
})

describe('a consumer that does not read', () => {
  test('is sent nothing more, and the daemon does not loop for it', async () => {
    let looks = 0
    let time = 1_000_000
    const clock = {
      get now() {
        looks += 1
        return time
      },
    }
    const at = journal()
    const { commit } = at
    const { reader, member, consumer } = consumersOf(at, clock).join({ ackWaitMs: 10 })
    reader.room = 1
    commit(event())
    commit(event())
    time += 1_000
    consumer.pumpSoon()
    await settled()
    looks = 0
    await Bun.sleep(50)
    expect(looks).toBe(0)
    expect(reader.seqs).toEqual([1])
    reader.room = Number.POSITIVE_INFINITY
    member.resume()
    await settled()
    expect(reader.seqs).toEqual([1, 1, 2])
  })
})

describe('what a consumer missed', () => {
  test('is what expired while it was away; the floor is not missed', async () => {
    const { fill, join, know } = setup()
    know('quiet')
    fill(5, () => event('quiet'))
    const { member, reader } = join({ maxInFlight: 5 })
    await settled()
    member.settle([1, 2])
    member.close()
    fill(30, () => event('quiet'))
    fill(10_250, () => event('loud'))
    const back = join({ maxInFlight: 5_000 })
    await until(() => back.reader.got.length >= 5_000, 'as much as it may have')
    // 3, 4 and 5 were given before; 6 to 15 and the loud ones before the window are gone.
    expect(back.reader.seqs.slice(0, 23)).toEqual([...range(3, 5), ...range(16, 35)])
    expect(back.reader.seqs[23]).toBe(286)
    expect((await back.consumer.info()).missed).toBe(10 + 250)
    expect(reader.seqs).toEqual(range(1, 5))
    back.member.close()
  }, 120_000)

  test('is not what had expired before it started', async () => {
    const { fill, join } = setup()
    fill(10_500, () => event())
    const { consumer, member } = join()
    await settled()
    expect((await consumer.info()).missed).toBe(0)
    member.close()
    const again = join()
    expect((await again.consumer.info()).missed).toBe(0)
  }, 120_000)
})

describe('consumers', () => {
  test('exist after a restart, with their open messages', async () => {
    const at = journal()
    const before = consumersOf(at)
    at.fill(10, () => event())
    const { member } = before.join({ name: 'x', filter: '>', ackWaitMs: 5_000, maxInFlight: 7 })
    await settled()
    member.settle([1, 2, 4])
    before.consumers.close()
    const after = consumersOf(at)
    expect((await after.consumers.list())[0]).toMatchObject({
      name: 'x',
      filter: '>',
      ackWaitMs: 5_000,
      maxInFlight: 7,
      cursor: 7,
      ackFloor: 2,
      inFlight: 4,
      lag: 7,
    })
    const { reader } = after.join({ name: 'x' })
    await settled()
    expect(reader.seqs).toEqual([3, 5, 6, 7, 8, 9, 10])
  })

  test('are refused with what to do: a bad name, another filter, too many of them', () => {
    const { join } = setup()
    expect(() => join({ name: 'a b' })).toThrow('cannot name a consumer')
    expect(() => join({ name: '' })).toThrow('cannot name a consumer')
    join({ name: 'x', filter: 'Stop' })
    expect(() => join({ name: 'x', filter: 'PreToolUse' })).toThrow('--delete x --stream HOOK_EVENTS')
    expect(join({ name: 'x' }).consumer.filter.pattern).toBe('hooks.Stop')
    for (let n = 1; n < MAX_CONSUMERS; n++) join({ name: `c${n}` })
    expect(() => join({ name: 'one-too-many' })).toThrow('gantry bus consumers --delete')
  }, 120_000)

  test('that are deleted are gone, and their connections are told', async () => {
    const { consumers, commit, join, store } = setup()
    const { reader, member } = join({ name: 'gone' })
    consumers.delete('HOOK_EVENTS', 'gone')
    expect(String(reader.failures[0])).toContain('was deleted')
    commit(event())
    member.close()
    consumers.write()
    expect(reader.got).toEqual([])
    expect(store.consumers.all()).toEqual([])
    expect(() => consumers.delete('HOOK_EVENTS', 'gone')).toThrow('There is no consumer "gone"')
  })
})

/** What a run of the property below may do. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('commit' as const), count: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('ack' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('nak' as const), delay: fc.integer({ min: 0, max: 50 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 150 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('join' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('full' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('write' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
)

const RUNS = rounds(60, 1_000)

test(
  'whatever happens, every message is acknowledged in the end, none is left out',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, filters) => {
        const at = journal()
        const clock = { now: 1_000_000 }
        const request = {
          deliver: 'all',
          maxInFlight: 4,
          ackWaitMs: 100,
          ...(filters ? { filter: 'Stop' } : {}),
        } as const
        const acked = new Set<number>()
        let own = consumersOf(at, clock)
        let members: { reader: Collector; member: Member; consumer: Consumer }[] = []
        let crashes = 0
        const open = () => members.flatMap(({ reader }) => reader.seqs.filter((seq) => !acked.has(seq)))
        const ack = (member: Member, seqs: number[]) => {
          for (const seq of seqs) acked.add(seq)
          member.settle(seqs)
        }
        for (const one of steps) {
          if (one.do === 'commit')
            at.commit(
              ...Array.from({ length: one.count }, (_, i) =>
                event('s1', i % 2 === 0 ? 'Stop' : 'PreToolUse'),
              ),
            )
          if (one.do === 'ack')
            for (const { reader, member } of members)
              ack(member, reader.seqs.filter((seq) => !acked.has(seq)).slice(0, Math.ceil(one.share * 4)))
          if (one.do === 'nak')
            for (const seq of open().slice(0, 2)) members[0]?.member.refuse(seq, one.delay)
          if (one.do === 'wait') clock.now += one.ms
          if (one.do === 'join' && members.length < 3) members.push(own.join(request))
          if (one.do === 'leave') members.shift()?.member.close()
          if (one.do === 'full' && members[0]) members[0].reader.room = 1
          if (one.do === 'write') own.consumers.write()
          if (one.do === 'crash') {
            own.kill()
            for (const { member } of members) member.close() // the connections end with the daemon
            members = []
            crashes += 1
            own = consumersOf(at, clock)
          }
          for (const { consumer } of members) consumer.pumpSoon()
          await settled()
          const row = members[0]?.consumer.row()
          expect(row?.pending.length ?? 0).toBeLessThanOrEqual(4)
          for (const { reader } of members) expect(reader.overrun).toBe(0)
          if (crashes === 0) for (const [seq] of row?.pending ?? []) expect(acked.has(seq)).toBe(false)
        }
        for (const { member } of members) member.close()
        const last = own.join(request)
        for (let i = 0; (await last.consumer.info()).lag > 0; i++) {
          if (i > 200) throw new Error('it never gets there')
          clock.now += 200
          last.consumer.pumpSoon()
          await settled()
          ack(last.member, [...new Set(last.reader.seqs)])
        }
        const wanted = [...at.store.oldest({}, 10_000)].filter(({ type }) => !filters || type === 'Stop')
        expect([...acked].sort((a, b) => a - b)).toEqual(wanted.map(({ seq }) => seq))
        last.member.close()
        at.store.close()
      }),
      { numRuns: RUNS },
    )
  },
  limitMs(RUNS, 500),
)
