import { describe, expect, test } from 'bun:test'
import { until } from '../../../test/kit.ts'
import { Collector, event, journal, range } from '../testkit.ts'
import type { Form } from './encoded.ts'
import { BURSTY } from './reader.ts'
import { type ReadRequest, Subscriptions } from './subscriptions.ts'

/** A journal and readers of its streams. */
function setup() {
  const at = journal()
  const subscriptions = new Subscriptions({ store: at.store, sources: at.sources, trouble: () => {} })
  const read = (request: Partial<ReadRequest> = {}, reader = new Collector(), form: Form = 'line') => {
    const reading = subscriptions.read({ stream: 'HOOK_EVENTS', deliver: 'new', ...request }, reader, form)
    reading.resume()
    return { reader, reading }
  }
  return { ...at, subscriptions, read }
}

describe('a reader', () => {
  test('of new messages gets each commit in one write', () => {
    const { commit, read } = setup()
    commit(event(), event())
    const { reader, reading } = read()
    expect(reading.after).toBe(2)
    commit(event(), event(), event())
    commit(event())
    expect(reader.seqs).toEqual([3, 4, 5, 6])
    expect(reader.writes).toBe(2)
  })

  test('of all gets existing messages, then new ones, each once and in order', async () => {
    const { commit, fill, read } = setup()
    fill(1_234, () => event())
    const { reader } = read({ deliver: 'all' })
    commit(event()) // while it still reads pages
    await until(() => reader.got.length === 1_235, 'caught up')
    commit(event())
    await until(() => reader.got.length === 1_236, 'live')
    expect(reader.seqs).toEqual(range(1, 1_236))
  })

  test('is told how many messages there are for it, without what is not on the stream', async () => {
    const { commit, subscriptions } = setup()
    commit(event(), { ...event('', 'UsageObserved'), agent: 'gantry' }, event())
    expect((await subscriptions.status())[0]).toMatchObject({ messages: 2, firstSeq: 1, lastSeq: 3 })
  })

  test('starts at a sequence, or at a time', async () => {
    const { commit, read } = setup()
    for (let n = 1; n <= 5; n++) commit({ ...event(), receivedAt: n * 1_000 })
    const bySeq = read({ deliver: { seq: 4 } }).reader
    const byTime = read({ deliver: { time: 3_000 } }).reader
    await until(() => bySeq.got.length === 2 && byTime.got.length === 3, 'both')
    expect(bySeq.seqs).toEqual([4, 5])
    expect(byTime.seqs).toEqual([3, 4, 5])
  })

  test('from beyond the end gets new messages', () => {
    const { commit, read } = setup()
    commit(event())
    const { reader } = read({ deliver: { seq: 1_000 } })
    commit(event())
    expect(reader.seqs).toEqual([2])
  })

  test('gets the same from the journal as live, and binary data as base64', async () => {
    const { commit, read } = setup()
    const live = read().reader
    commit(event('s1', 'Stop', '{"text":"日本 ü\\n"}'), { ...event(), raw: Buffer.from([0, 255]) })
    const later = read({ deliver: 'all' }).reader
    await until(() => later.got.length === 2, 'caught up')
    expect(later.got).toEqual(live.got)
    expect(live.got[0]).toMatchObject({ data: '{"text":"日本 ü\\n"}', session: 's1' })
    expect(live.got[1]).toMatchObject({ dataBase64: 'AP8=' })
  })

  test('with a filter gets only that, live and from the journal', async () => {
    const { commit, fill, read } = setup()
    fill(2_000, (n) => event('s1', n === 1_500 ? 'Needle' : 'Hay'))
    for (const [there, filter] of ['Needle', 'hooks.Needle', '*.Needle'].entries()) {
      const { reader } = read({ deliver: 'all', filter })
      await until(() => reader.got.length === there + 1, 'found')
      commit(event('s1', 'Hay'), event('s1', 'Needle'), event('s1', 'Hay'))
      await until(() => reader.got.length === there + 2, 'live')
      expect(reader.got.every(({ type }) => type === 'Needle')).toBe(true)
    }
  })

  test('over HTTP gets the sequence as the id of each event', () => {
    const { commit, subscriptions } = setup()
    const sent: string[] = []
    const sink = { send: (bytes: Uint8Array) => sent.push(Buffer.from(bytes).toString()) > 0, fail: () => {} }
    const reading = subscriptions.read({ stream: 'HOOK_EVENTS', deliver: 'new' }, sink, 'sse')
    reading.resume()
    commit(event('s1', 'Stop', '{"a":\n1}'))
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatch(/^id: 1\ndata: \{.*\}\n\n$/)
    expect(sent[0]).toContain('"data":"{\\"a\\":\\n1}"')
  })

  test('that is closed gets nothing more, and the stream again costs commits nothing', async () => {
    const { commit, fill, read, subscriptions } = setup()
    fill(1_000, () => event())
    const { reader, reading } = read({ deliver: 'all' })
    const before = reader.got.length
    expect(subscriptions.size).toBe(1)
    reading.close()
    reading.close()
    await Bun.sleep(5)
    commit(event())
    expect(reader.got.length).toBe(before)
    expect(subscriptions.size).toBe(0)
    expect((await subscriptions.status())[0]?.followers).toBe(0)
  })

  test('of a stream that cannot be read any more is told, and the daemon survives', async () => {
    const { fill, read, store } = setup()
    fill(2_000, () => event())
    const { reader } = read({ deliver: 'all' })
    store.close()
    await until(() => reader.failures.length === 1, 'told')
  })
})

describe('a reader of all', () => {
  test('gets the floor first, then the window, in order, and nothing that has expired', async () => {
    const { fill, know, commit, read, subscriptions } = setup()
    for (const session of ['quiet', 'loud']) know(session)
    fill(30, () => event('quiet'))
    fill(10_100, () => event('loud'))
    const { reader } = read({ deliver: 'all' })
    await until(() => reader.got.length >= 10_020, 'caught up')
    commit(event())
    await until(() => reader.got.length >= 10_021, 'live')
    expect(reader.seqs).toEqual([...range(11, 30), ...range(131, 10_131)])
    expect((await subscriptions.status())[0]).toMatchObject({ floor: 20, lastSeq: 10_131, firstSeq: 11 })
  }, 120_000)

  test('that starts in the middle of the floor gets the rest of it', async () => {
    const { fill, know, read } = setup()
    know('quiet')
    fill(30, () => event('quiet'))
    fill(10_005, () => event('loud'))
    const { reader } = read({ deliver: { seq: 25 }, filter: '>' })
    await until(() => reader.got.length >= 10_006, 'caught up')
    expect(reader.seqs.slice(0, 8)).toEqual([25, 26, 27, 28, 29, 30, 36, 37])
  }, 120_000)
})

describe('a reader that is full', () => {
  test('gets nothing until it has room, then all it missed, once and in order', async () => {
    const { commit, read } = setup()
    const { reader, reading } = read()
    reader.room = 3
    for (let n = 0; n < 20; n++) commit(event(), event())
    expect(reader.seqs).toEqual(range(1, 6))
    reader.room = 1
    reading.resume()
    await Bun.sleep(5)
    reader.room = Number.POSITIVE_INFINITY
    reading.resume()
    await until(() => reader.got.length === 40, 'caught up')
    commit(event())
    await until(() => reader.got.length === 41, 'live again')
    expect(reader.seqs).toEqual(range(1, 41))
    expect(reader.overrun).toBe(0)
  })

  test('loses nothing however far it lags', async () => {
    const { commit, fill, read } = setup()
    const { reader, reading } = read()
    reader.room = 1
    commit(event())
    fill(10_500, () => event())
    reader.room = Number.POSITIVE_INFINITY
    reading.resume()
    await until(() => reader.got.length === 10_501, 'everything')
    expect(reader.seqs).toEqual(range(1, 10_501))
  }, 120_000)

  test('has at most one queued piece, however large the events of a commit', async () => {
    const { commit, read } = setup()
    const { reader, reading } = read()
    reader.room = 1
    commit(...Array.from({ length: 50 }, () => event('s1', 'Stop', 'x'.repeat(100_000))))
    expect(reader.got.length).toBeLessThanOrEqual(3)
    reader.room = Number.POSITIVE_INFINITY
    reading.resume()
    await until(() => reader.got.length === 50, 'the rest')
    expect(reader.seqs).toEqual(range(1, 50))
  })

  test('does not delay the others', () => {
    const { commit, read } = setup()
    const slow = read().reader
    const quick = read().reader
    slow.room = 1
    for (let n = 0; n < 3; n++) commit(event())
    expect(slow.seqs).toEqual([1])
    expect(quick.seqs).toEqual([1, 2, 3])
  })
})

test('many readers that catch up take turns, so that hooks come in between', async () => {
  const { fill, read } = setup()
  fill(3_000, () => event())
  let sends = 0
  let most = 0
  let ticking = true
  const tick = () => {
    most = Math.max(most, sends)
    sends = 0
    if (ticking) setImmediate(tick)
  }
  setImmediate(tick)
  class Counting extends Collector {
    override send(bytes: Uint8Array): boolean {
      sends += 1
      return super.send(bytes)
    }
  }
  const readers = Array.from({ length: 20 }, () => read({ deliver: 'all' }, new Counting()).reader)
  await until(() => readers.every(({ got }) => got.length === 3_000), 'all of them')
  ticking = false
  for (const reader of readers) expect(reader.seqs).toEqual(range(1, 3_000))
  expect(most).toBeLessThanOrEqual(4) // a page is a write or two
})

describe('bursts', () => {
  /** Three sessions that send ten measurements each and one end of a turn. */
  const burst = () =>
    ['a', 'b', 'c'].flatMap((session) => [
      ...Array.from({ length: 10 }, () => event(session, 'StatusLine')),
      event(session, 'Stop'),
      event(session, 'PostModelRequest'),
    ])

  const behind = async (coalesce: boolean) => {
    const at = setup()
    const { reader, reading } = at.read({ coalesce })
    reader.room = 1
    at.commit(event('a', 'StatusLine'))
    at.commit(...burst())
    expect(reader.seqs).toEqual([1])
    reader.room = Number.POSITIVE_INFINITY
    reading.resume()
    await until(() => reader.seqs.includes(37), 'caught up')
    return { ...at, reader }
  }

  test('are reduced to the latest of each session for a slow reader that asked for it', async () => {
    const { reader, store } = await behind(true)
    const count = (type: string) => reader.got.filter((one) => one.type === type).length
    expect({ lines: count('StatusLine'), stops: count('Stop'), models: count('PostModelRequest') }).toEqual({
      lines: 1 + 3,
      stops: 3,
      models: 3,
    })
    expect(reader.seqs).toEqual([1, 11, 12, 13, 23, 24, 25, 35, 36, 37])
    expect(store.count()).toBe(37)
  })

  test('are complete for a slow reader that did not ask', async () => {
    const { reader } = await behind(false)
    expect(reader.seqs).toEqual(range(1, 37))
  })

  test('are complete for a reader that keeps up, asked for or not', async () => {
    const { commit, read } = setup()
    commit(...burst())
    const live = read({ coalesce: true }).reader
    const later = read({ coalesce: true, deliver: 'all' }).reader
    commit(...burst())
    await until(() => later.got.length === 72, 'caught up')
    expect(live.seqs).toEqual(range(37, 72))
    expect(later.seqs).toEqual(range(1, 72))
  })

  test('are only measuring events, never actions of an agent', () => {
    for (const type of [
      'SessionStart',
      'Stop',
      'PreToolUse',
      'PostToolUse',
      'PermissionRequest',
      'Notification',
    ])
      expect(BURSTY.has(type)).toBe(false)
  })
})

describe('the streams beside the journal', () => {
  const message = (session: string, n: number) => ({
    id: `m${n}`,
    at: n,
    type: 'working',
    agent: 'claude',
    native: 'Stop',
    sessionId: session,
    data: '{}',
  })

  test('read the same live and from the start, with their own sequence', async () => {
    const { sources, read } = setup()
    const live = read({ stream: 'SESSION_EVENTS' }).reader
    for (let n = 1; n <= 3; n++) sources.sessions.follow(n, () => message('s1', n))
    sources.committed([])
    const later = read({ stream: 'SESSION_EVENTS', deliver: 'all', filter: 'working' }).reader
    await until(() => later.got.length === 3, 'caught up')
    expect(live.got).toEqual(later.got)
    expect(live.seqs).toEqual([1, 2, 3])
  })

  test('lose their oldest in housekeeping, except for the last ones of each session', async () => {
    const { sources, store, subscriptions, know } = setup()
    know('quiet')
    for (let n = 1; n <= 30; n++) sources.sessions.follow(n, () => message('quiet', n))
    for (let n = 31; n <= 21_000; n++) sources.sessions.follow(n, () => message('loud', n))
    sources.committed([])
    while (subscriptions.tidy(false)); // hooks come: there are not enough to delete any
    expect(store.messages.firstSeq('SESSION_EVENTS')).toBe(1)
    let steps = 0
    while (subscriptions.tidy()) steps += 1
    expect(steps).toBeGreaterThan(2)
    const rows = store.rowsOf('SESSION_EVENTS').below(30_000, 0, 30_000)
    expect(rows).toEqual([...range(11, 30), ...range(11_001, 21_000)])
    expect((await subscriptions.status())[1]).toMatchObject({
      messages: 10_020,
      firstSeq: 11,
      lastSeq: 21_000,
    })
    expect(subscriptions.tidy()).toBe(false)
  }, 120_000)
})
