import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventOf, rawEvent, tempDir, until } from '../../test/kit.ts'
import type { EventQuery, WireEvent } from '../client/index.ts'
import type { HookEvent } from '../events/index.ts'
import { openStore, type Store } from '../store/index.ts'
import { matches, toWire } from './event-filter.ts'
import { Feed } from './feed.ts'
import { readEvent } from './parse-event.ts'

/** A journal with its feed, as the pipeline drives them. */
function setup() {
  const store = openStore(join(tempDir(), 'gantry.db'))
  const feed = new Feed(store)
  const commit = (...events: HookEvent[]) => {
    const stored = put(store, events)
    feed.committed(stored)
    return stored
  }
  return { store, feed, commit }
}

function put(store: Store, events: HookEvent[]): HookEvent[] {
  return store.journal.commit(() => events.map((event) => ({ ...event, seq: store.journal.append(event) })))
}

const event = (session = 's1', type = 'Stop', text = '') =>
  readEvent(
    rawEvent({
      raw: JSON.stringify({ session_id: session, hook_event_name: type, last_assistant_message: text }),
    }),
  )

/** A reader that takes so many lines and then is full. */
class Reader {
  readonly got: WireEvent[] = []
  room = Number.POSITIVE_INFINITY
  refused = 0

  send(bytes: Uint8Array): boolean {
    if (this.room <= 0) this.refused += 1
    this.got.push((JSON.parse(Buffer.from(bytes).toString()) as { event: WireEvent }).event)
    this.room -= 1
    return this.room > 0
  }

  get seqs(): number[] {
    return this.got.map(({ seq }) => seq)
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe('a subscription', () => {
  test('gets what is committed from now on', () => {
    const { feed, commit } = setup()
    commit(event(), event())
    const reader = new Reader()
    feed.subscribe({}, reader)
    commit(event())
    commit(event(), event())
    expect(reader.seqs).toEqual([3, 4, 5])
  })

  test('starts after a sequence, catches up page by page, then goes on live, each event once and in order', async () => {
    const { feed, commit } = setup()
    commit(...Array.from({ length: 1234 }, () => event()))
    const reader = new Reader()
    feed.subscribe({ after: 10 }, reader)
    commit(event()) // while it still reads pages
    await until(() => reader.got.length >= 1225, 'caught up')
    commit(event())
    await until(() => reader.got.length >= 1226, 'live')
    expect(reader.seqs).toEqual(range(11, 1236))
  })

  test('that was not told of a commit reads what it missed', async () => {
    const { feed, store, commit } = setup()
    const reader = new Reader()
    feed.subscribe({}, reader)
    commit(event())
    put(store, [event(), event()]) // whoever tells it failed before its turn
    commit(event())
    await until(() => reader.got.length === 4, 'all of them')
    expect(reader.seqs).toEqual([1, 2, 3, 4])
  })

  test('from 0 gets everything there is', async () => {
    const { feed, commit } = setup()
    commit(...Array.from({ length: 5 }, () => event()))
    const reader = new Reader()
    feed.subscribe({ after: 0 }, reader)
    await until(() => reader.got.length === 5, 'caught up')
    expect(reader.seqs).toEqual([1, 2, 3, 4, 5])
  })

  test('from beyond the end waits for what comes', () => {
    const { feed, commit } = setup()
    commit(event())
    const reader = new Reader()
    feed.subscribe({ after: 100 }, reader)
    commit(event())
    expect(reader.seqs).toEqual([2])
  })

  test('gets the same line from the journal as it got live', async () => {
    const { feed, commit } = setup()
    const live = new Reader()
    feed.subscribe({}, live)
    commit(event('s1', 'PreToolUse', 'ü 日本'), event())
    const later = new Reader()
    feed.subscribe({ after: 0 }, later)
    await until(() => later.got.length === 2, 'caught up')
    expect(later.got).toEqual(live.got)
  })

  test('that is closed gets nothing more and is forgotten', async () => {
    const { feed, commit } = setup()
    commit(...Array.from({ length: 1000 }, () => event()))
    const reader = new Reader()
    const subscription = feed.subscribe({ after: 0 }, reader)
    const before = reader.got.length
    subscription.close()
    await Bun.sleep(5)
    commit(event())
    expect(reader.got.length).toBe(before)
    expect(feed.size).toBe(0)
  })
})

describe('a filter', () => {
  const queries: Record<string, EventQuery> = {
    session: { session: 's2' },
    type: { type: 'PreToolUse' },
    agent: { agent: 'codex' },
    grep: { grep: 'NEEDLE' },
  }
  for (const [name, query] of Object.entries(queries)) {
    test(`by ${name} is the same live and from the journal`, async () => {
      const { feed, commit } = setup()
      const live = new Reader()
      feed.subscribe(query, live)
      commit(
        event(),
        event('s2', 'Stop'),
        event('s1', 'PreToolUse'),
        { ...event(), agent: 'codex' },
        event('s1', 'Stop', 'a needle in it'),
      )
      const later = new Reader()
      feed.subscribe({ ...query, after: 0 }, later)
      await until(() => later.got.length > 0, 'caught up')
      expect(live.seqs).toHaveLength(1)
      expect(later.seqs).toEqual(live.seqs)
    })
  }

  test('by time looks at when the event was received', () => {
    const late = eventOf({ receivedAt: 2000, at: 1 })
    expect(matches(late, { since: 2000 })).toBe(true)
    expect(matches(late, { since: 2001 })).toBe(false)
  })

  test('by text looks into bytes, too, in any case', () => {
    const bytes = eventOf({ raw: Buffer.concat([Buffer.from([0xff]), Buffer.from('Needle')]) })
    expect(matches(bytes, { grep: 'nEEDLE' })).toBe(true)
    expect(matches(bytes, { grep: 'thread' })).toBe(false)
  })

  test('that is rare still moves on through the journal', async () => {
    const { feed, commit } = setup()
    commit(...Array.from({ length: 3000 }, (_, i) => event('s1', 'Stop', i === 2990 ? 'needle' : '')))
    const reader = new Reader()
    feed.subscribe({ after: 0, grep: 'needle' }, reader)
    await until(() => reader.got.length === 1, 'found')
    commit(event('s1', 'Stop', 'another needle'))
    await until(() => reader.got.length === 2, 'live')
    expect(reader.seqs).toEqual([2991, 3001])
  })
})

describe('a reader that is full', () => {
  test('gets nothing until it has room, then all it missed, once and in order', async () => {
    const { feed, commit } = setup()
    const reader = new Reader()
    const subscription = feed.subscribe({}, reader)
    reader.room = 3
    for (let i = 0; i < 20; i++) commit(event(), event())
    expect(reader.seqs).toEqual([1, 2, 3])
    expect(reader.refused).toBe(0)
    reader.room = 5
    subscription.resume()
    await Bun.sleep(5)
    expect(reader.seqs).toEqual(range(1, 8))
    reader.room = Number.POSITIVE_INFINITY
    subscription.resume()
    await until(() => reader.got.length === 40, 'caught up')
    commit(event())
    await until(() => reader.got.length > 40, 'live again')
    expect(reader.seqs).toEqual(range(1, 41))
    expect(reader.refused).toBe(0)
  })

  test('does not hold up the others', () => {
    const { feed, commit } = setup()
    const slow = new Reader()
    const quick = new Reader()
    feed.subscribe({}, slow)
    feed.subscribe({}, quick)
    slow.room = 1
    commit(event(), event(), event())
    expect(slow.seqs).toEqual([1])
    expect(quick.seqs).toEqual([1, 2, 3])
  })

  test('is not read for: events of a megabyte stay in the journal until they are wanted', async () => {
    const { feed, store } = setup()
    const big = () => event('s1', 'Stop', 'x'.repeat(1_000_000))
    for (let i = 0; i < 60; i++) put(store, [big()])
    const reader = new Reader()
    reader.room = 2
    Bun.gc(true)
    const before = process.memoryUsage.rss()
    feed.subscribe({ after: 0 }, reader)
    await until(() => reader.got.length === 2, 'as many as it has room for')
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    expect(reader.got).toHaveLength(2)
    expect(process.memoryUsage.rss() - before).toBeLessThan(40 * 1024 * 1024)
  })
})

describe('a commit that was not told', () => {
  test('is read from the journal before what comes after it', async () => {
    const { store, feed, commit } = setup()
    const reader = new Reader()
    feed.subscribe({}, reader)
    commit(event())
    put(store, [event(), event()]) // somebody before the feed failed
    commit(event())
    await until(() => reader.got.length === 4, 'all of them')
    commit(event())
    await until(() => reader.got.length === 5, 'live again')
    expect(reader.seqs).toEqual(range(1, 5))
  })

  test('to one reader that fails is told to the others, and to that one a moment later', async () => {
    const { feed, commit } = setup()
    const [bad, good] = [new Reader(), new Reader()]
    let fails = 1
    const send = (bytes: Uint8Array) => {
      if (fails-- > 0) throw new Error('the stream is closed')
      return bad.send(bytes)
    }
    feed.subscribe({}, { send })
    feed.subscribe({}, good)
    commit(event(), event())
    expect(good.seqs).toEqual([1, 2])
    await until(() => bad.got.length === 2, 'told later')
    expect(bad.seqs).toEqual([1, 2])
  })

  test('ends a reader that fails again, with the reason', async () => {
    const { feed, commit } = setup()
    const why: unknown[] = []
    const send = () => {
      throw new Error('the stream is closed')
    }
    feed.subscribe({}, { send, fail: (error) => why.push(String(error)) })
    commit(event())
    await until(() => why.length === 1, 'told')
    expect(why).toEqual(['Error: the stream is closed'])
    expect(feed.size).toBe(0)
  })
})

describe('a journal that cannot be read', () => {
  const broken = (faults: number) => {
    const { store, feed, commit } = setup()
    commit(event(), event())
    const read = store.oldest.bind(store)
    let left = faults
    store.oldest = (...args) => {
      if (left-- > 0) throw new Error('disk I/O error')
      return read(...args)
    }
    return feed
  }

  test('for a moment is read a moment later, and nothing is lost', async () => {
    const reader = new Reader()
    broken(1).subscribe({ after: 0 }, reader)
    await until(() => reader.got.length === 2, 'both')
    expect(reader.seqs).toEqual([1, 2])
  })

  test('again and again ends the reader, with the reason', async () => {
    const why: unknown[] = []
    const feed = broken(Number.POSITIVE_INFINITY)
    feed.subscribe({ after: 0 }, { send: () => true, fail: (error) => why.push(String(error)) })
    await until(() => why.length === 1, 'told')
    expect(why).toEqual(['Error: disk I/O error'])
    expect(feed.size).toBe(0)
  })
})

test('a page of large events is read in several turns, so that hooks come in between', async () => {
  const { feed, store } = setup()
  for (let i = 0; i < 20; i++) put(store, [event('s1', 'Stop', 'x'.repeat(1_000_000))])
  const reader = new Reader()
  let turns = 0
  const timer = setInterval(() => {
    if (reader.got.length < 20) turns += 1
  }, 0)
  feed.subscribe({ after: 0 }, reader)
  expect(reader.got.length).toBeLessThan(10)
  await until(() => reader.got.length === 20, 'all of them')
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
  expect(reader.seqs).toEqual(range(1, 20))
})

test('bytes travel as base64, text as it is', () => {
  expect(toWire(eventOf({ raw: 'ü' }))).toMatchObject({ raw: 'ü' })
  const wire = toWire(eventOf({ raw: Buffer.from([0, 255]) }))
  expect(wire).toMatchObject({ rawBase64: 'AP8=' })
  expect(wire).not.toHaveProperty('raw')
})
