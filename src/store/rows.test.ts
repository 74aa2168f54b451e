import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { eventOf, tempDir } from '../../test/kit.ts'
import { rounds } from '../../test/long.ts'
import type { HookEvent } from '../events/index.ts'
import { type EventFilter, openStore } from './index.ts'
import { migrate } from './migrations.ts'
import { newestRows, seqBefore } from './rows.ts'

function storeWith(events: HookEvent[]) {
  const path = join(tempDir(), 'gantry.db')
  const store = openStore(path)
  store.journal.commit(() => {
    for (const event of events) store.journal.append(event)
  })
  return { path, store }
}

/** Twelve events: every third from Codex, every other a tool call, alternating sessions, one second apart. */
const T0 = 1_763_000_000_000
const EVENTS = Array.from({ length: 12 }, (_, i) =>
  eventOf({
    id: `e${i + 1}`,
    receivedAt: T0 + i * 1000,
    agent: i % 3 === 0 ? 'codex' : 'claude',
    type: i % 2 === 0 ? 'PreToolUse' : 'Stop',
    sessionId: `s${i % 4}`,
  }),
)

describe('a filter', () => {
  const { store } = storeWith(EVENTS)
  const cases: Record<string, [EventFilter, number[]]> = {
    nothing: [{}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    session: [{ session: 's1' }, [2, 6, 10]],
    type: [{ type: 'Stop' }, [2, 4, 6, 8, 10, 12]],
    agent: [{ agent: 'codex' }, [1, 4, 7, 10]],
    after: [{ after: 9 }, [10, 11, 12]],
    before: [{ before: 4 }, [1, 2, 3]],
    since: [{ since: T0 + 9000 }, [10, 11, 12]],
    'session and type': [{ session: 's1', type: 'Stop' }, [2, 6, 10]],
    'all of them': [
      { session: 's1', type: 'Stop', agent: 'claude', after: 2, before: 12, since: T0 + 1000 },
      [6],
    ],
    'an unknown session': [{ session: 'nope' }, []],
    'a session that tries to be SQL': [{ session: "s1' OR '1'='1" }, []],
    'an empty range': [{ after: 5, before: 6 }, []],
  }
  for (const [name, [filter, seqs]] of Object.entries(cases)) {
    test(`by ${name}, oldest first and newest first`, () => {
      expect([...store.oldest(filter, 100)].map((row) => row.seq)).toEqual(seqs)
      expect([...store.newest(filter, 100)].map((row) => row.seq)).toEqual(seqs.toReversed())
    })
  }

  test('with a limit returns the oldest or the newest rows', () => {
    expect([...store.oldest({ type: 'Stop' }, 2)].map((row) => row.seq)).toEqual([2, 4])
    expect([...store.newest({ type: 'Stop' }, 2)].map((row) => row.seq)).toEqual([12, 10])
  })
})

describe('a row', () => {
  test('matches the event', () => {
    const client = { pid: 7, pane: '%1', env: { PWD: '/home/dev' } }
    const event = eventOf({ id: 'x', native: 'preToolUse', transport: 'http', client, cutFrom: 9, raw: 'ü' })
    const { store } = storeWith([event])
    expect(store.byId('x')).toEqual({
      seq: 1,
      id: 'x',
      at: event.at,
      receivedAt: event.receivedAt,
      agent: 'claude',
      type: 'Stop',
      native: 'preToolUse',
      event: 'preToolUse',
      sessionId: 's1',
      transport: 'http',
      client,
      cutFrom: 9,
      raw: 'ü',
    })
  })

  test('has no cutFrom if the payload was not cut', () => {
    const { store } = storeWith([eventOf({ id: 'x' })])
    expect(store.byId('x')).not.toHaveProperty('cutFrom')
  })

  test('that does not exist is undefined', () => {
    expect(storeWith([]).store.byId('nope')).toBeUndefined()
  })
})

test('reading may stop anywhere, and the journal still works', () => {
  const { store } = storeWith(EVENTS)
  for (const row of store.oldest({}, 100)) if (row.seq === 2) break
  expect(store.journal.commit(() => store.journal.append(eventOf()))).toBe(13)
  expect([...store.oldest({}, 3)].map((row) => row.seq)).toEqual([1, 2, 3])
  store.checkpoint()
  expect([...store.newest({}, 1)].map((row) => row.seq)).toEqual([13])
})

test('a page of large events is read one event at a time', () => {
  const { store } = storeWith(Array.from({ length: 40 }, () => eventOf({ raw: 'x'.repeat(4 * 1024 * 1024) })))
  Bun.gc(true)
  const before = process.memoryUsage.rss()
  for (const row of store.newest({}, 40)) if (row.seq === 39) break
  expect(process.memoryUsage.rss() - before).toBeLessThan(60 * 1024 * 1024) // all of them are 160 MB
})

test("a session's last events are found without a journal scan", () => {
  const db = new Database(':memory:')
  migrate(db)
  const asked: string[] = []
  const query = db.query.bind(db)
  db.query = ((sql: string) => {
    asked.push(sql)
    return query(sql)
  }) as typeof db.query
  const plan = (filter: EventFilter) => {
    expect([...newestRows(db, filter, 100)]).toEqual([])
    return JSON.stringify(query(`EXPLAIN QUERY PLAN ${asked.at(-1)}`).all())
  }
  expect(plan({ session: 's1' })).toContain('events_by_session')
  expect(plan({ session: 's1' })).not.toContain('TEMP B-TREE') // no sorting either
  expect(plan({ after: 5, before: 10 })).toContain('INTEGER PRIMARY KEY')
})

describe('the last sequence received before a time', () => {
  test('matches a scan of the journal, whatever the gaps', () => {
    const journal = fc.array(
      fc.record({ gap: fc.integer({ min: 1, max: 5 }), ms: fc.integer({ min: 0, max: 3 }) }),
      {
        maxLength: 40,
      },
    )
    fc.assert(
      fc.property(journal, fc.integer({ min: -2, max: 130 }), (steps, time) => {
        const db = new Database(':memory:')
        migrate(db)
        const insert = db.prepare(
          `INSERT INTO events (seq, id, at, received_at, agent, type, native, session_id, transport, client, raw)
           VALUES (?1, ?1, 0, ?2, '', '', '', '', '', '{}', '')`,
        )
        let seq = 0
        let now = 0
        const rows = steps.map(({ gap, ms }) => {
          seq += gap
          now += ms
          insert.run(seq, now)
          return { seq, now }
        })
        const found = seqBefore(db, time, seq)
        // Any result is right that has all earlier rows at or below it and all later ones above it.
        expect(rows.filter((row) => row.seq > found)).toEqual(rows.filter((row) => row.now >= time))
        db.close()
      }),
      { numRuns: rounds(80, 2_000) },
    )
  })

  test('is 0 in an empty journal, and the last one for a future time', () => {
    expect(storeWith([]).store.seqBefore(T0)).toBe(0)
    const { store } = storeWith(EVENTS)
    expect(store.seqBefore(T0)).toBe(0)
    expect(store.seqBefore(T0 + 5000)).toBe(5)
    expect(store.seqBefore(T0 + 1e9)).toBe(12)
  })
})

test('the count is right at the start, after appends and after deletions', () => {
  const { store } = storeWith([])
  expect(store.count()).toBe(0)
  store.journal.commit(() => {
    for (const event of EVENTS) store.journal.append(event)
  })
  expect(store.count()).toBe(12)
  while (store.retain({ maxAgeMs: 3000, maxBytes: 1e12 }, T0 + 11_000));
  expect(store.count()).toBe([...store.oldest({}, 100)].length)
})
