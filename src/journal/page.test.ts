/** Pages of the journal: every place, both directions, any filter, nothing twice and nothing left out. */
import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { eventOf, tempDir } from '../../test/kit.ts'
import { newId } from '../events/index.ts'
import type { PageQuery } from '../rpc/index.ts'
import { openEventReader, openStore } from '../store/index.ts'
import { pageInTurns, pageSteps } from './page.ts'
import { ReadTurns } from './read-turns.ts'

const database = join(tempDir(), 'gantry.db')
const store = openStore(database)
const EVENTS = 1_200
const GONE = 100 // deleted by retention
const TOOLS = ['Bash', 'Read', 'Edit']
store.journal.commit(() => {
  for (let n = 1; n <= EVENTS; n++) store.journal.append(nth(n))
})
const db = new Database(database)
db.run(`DELETE FROM events WHERE seq <= ${GONE}`)
db.run(
  `INSERT INTO bus_messages SELECT 'DECISION_EVENTS', seq, id, at, 'deny', agent, native, session_id,
      '{"by":"no-force","reason":"not on main"}' FROM events WHERE seq % 100 = 7`,
)
db.close()
const reader = openEventReader(database)
afterAll(() => {
  reader.close()
  store.close()
})

function nth(n: number) {
  const tool = TOOLS[n % TOOLS.length] ?? ''
  const [type, sessionId] = [n % 10 === 0 ? 'Stop' : 'PreToolUse', `s${n % 7}`]
  const raw = JSON.stringify({
    session_id: sessionId,
    hook_event_name: type,
    ...(type === 'Stop'
      ? { last_assistant_message: `Größe ${n}` }
      : { tool_name: tool, tool_input: { command: `run ${n}` } }),
  })
  return eventOf({
    ...{ id: newId(), at: n * 10, receivedAt: n * 10, type, native: type, sessionId, raw },
    agent: n % 50 === 1 ? 'codex' : 'claude',
    ...(type === 'Stop' ? {} : { tool: { name: tool, input: {} } }),
  })
}

function pageOf(query: Partial<PageQuery>, budgetMs = 10_000) {
  const steps = pageSteps(reader, { limit: 100, ...query }, budgetMs)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** On the daemon's own store. */
function pageAt(of: typeof store, query: Partial<PageQuery>) {
  const source = { ...of, row: of.bySeq, lastSeq: () => of.journal.lastSeq }
  const steps = pageSteps(source, { limit: 100, ...query }, 10_000)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value.page
}

const seqsOf = (query: Partial<PageQuery>) => pageOf(query).page.events.map(({ seq }) => seq)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

describe('a page', () => {
  test('is the newest one, and tells where the journal begins and ends', () => {
    const { page, ranOut } = pageOf({ limit: 10 })
    expect(page.events.map(({ seq }) => seq)).toEqual(range(1_191, 1_200))
    const { events: _, ...rest } = page
    expect(rest).toEqual({
      ...{ first: GONE + 1, last: EVENTS, total: EVENTS - GONE },
      ...{ from: 1_191, to: 1_200, older: true, newer: false },
      verdictsFrom: GONE + 6, // the oldest decision is of the event after it
    })
    expect(ranOut).toBe(false)
  })

  test('goes on in both directions, and stops at the ends', () => {
    expect(seqsOf({ before: 500, limit: 3 })).toEqual([497, 498, 499])
    expect(seqsOf({ after: 500, limit: 3 })).toEqual([501, 502, 503])
    expect(seqsOf({ before: GONE + 3 })).toEqual([101, 102])
    expect(seqsOf({ after: EVENTS - 2 })).toEqual([1_199, 1_200])
    expect(seqsOf({ after: 500, before: 503 })).toEqual([501, 502])
    expect(pageOf({ before: GONE + 3 }).page).toMatchObject({ from: 101, older: false, newer: true })
  })

  test('around a sequence has half of it before; at an end it is still full', () => {
    expect(seqsOf({ at: 600, limit: 10 })).toEqual(range(595, 604))
    expect(seqsOf({ at: 1, limit: 10 })).toEqual(range(101, 110))
    expect(seqsOf({ at: Number.MAX_SAFE_INTEGER, limit: 10 })).toEqual(range(1_191, 1_200))
  })

  test('of places that were never there is empty', () => {
    expect(seqsOf({ before: 0 })).toEqual([])
    expect(seqsOf({ before: GONE })).toEqual([])
    expect(seqsOf({ after: EVENTS })).toEqual([])
    expect(seqsOf({ after: 9_000_000_000 })).toEqual([])
    expect(seqsOf({ since: Number.MAX_SAFE_INTEGER })).toEqual([])
  })

  test('of an empty journal, too', () => {
    const empty = join(tempDir(), 'gantry.db')
    openStore(empty).close()
    const nothing = openEventReader(empty)
    for (const query of [{}, { at: 5 }, { after: 5 }, { before: 5 }, { since: 5 }]) {
      const steps = pageSteps(nothing, { limit: 5, ...query }, 1_000)
      let step = steps.next()
      while (!step.done) step = steps.next()
      expect(step.value.page).toMatchObject({
        events: [],
        first: 0,
        last: 0,
        total: 0,
        older: false,
        newer: false,
      })
    }
    nothing.close()
  })
})

describe('the answers that gantry gave', () => {
  test('are with their events, on every page', () => {
    for (const query of [{}, { at: 600 }, { before: 300 }, { limit: 500, tool: 'Bash' }])
      for (const { seq, verdict } of pageOf(query).page.events)
        expect(verdict).toEqual(
          seq % 100 === 7 ? { decision: 'deny', by: 'no-force', reason: 'not on main' } : undefined,
        )
  })

  test('are found among more decisions than one step reads, also one that came late', () => {
    const path = join(tempDir(), 'gantry.db')
    const full = openStore(path)
    full.journal.commit(() => {
      for (let n = 1; n <= 2_000; n++) full.journal.append(nth(n))
    })
    const raw = new Database(path)
    // Of event 5 a person was asked: the answer is the last of all.
    raw.run(
      `INSERT INTO bus_messages SELECT 'DECISION_EVENTS', CASE seq WHEN 5 THEN 9999 ELSE seq END, id,
         CASE seq WHEN 5 THEN at + 100000 ELSE at END, 'allow', agent, native, session_id, 'no JSON' FROM events`,
    )
    raw.close()
    const { events } = pageAt(full, { before: 7, limit: 3 })
    expect(events.map(({ seq, verdict }) => [seq, verdict])).toEqual([
      [4, { decision: 'allow' }],
      [5, { decision: 'allow' }],
      [6, { decision: 'allow' }],
    ])
    full.close()
  })

  test('are said to begin where the oldest that is kept was given', () => {
    const path = join(tempDir(), 'gantry.db')
    const full = openStore(path)
    full.journal.commit(() => {
      for (let n = 1; n <= 100; n++) full.journal.append(nth(n))
    })
    const raw = new Database(path)
    raw.run(
      `INSERT INTO bus_messages SELECT 'DECISION_EVENTS', seq, id, received_at + 1, 'allow', agent, native, session_id, '{}'
         FROM events`,
    )
    expect(pageAt(full, { limit: 3 }).verdictsFrom).toBeUndefined()
    raw.run("DELETE FROM bus_messages WHERE stream = 'DECISION_EVENTS' AND seq < 60")
    raw.close()
    expect(pageAt(full, { limit: 3 }).verdictsFrom).toBe(60)
    expect(pageAt(full, { before: 10, limit: 3 }).verdictsFrom).toBe(60)
    full.close()
  })
})

describe('filters', () => {
  const expected = (passes: (n: number) => boolean) =>
    range(GONE + 1, EVENTS)
      .filter(passes)
      .slice(-100)

  test('are those of the columns', () => {
    expect(seqsOf({ type: 'Stop' })).toEqual(expected((n) => n % 10 === 0))
    expect(seqsOf({ tool: 'Edit' })).toEqual(expected((n) => n % 10 !== 0 && n % 3 === 2))
    expect(seqsOf({ agent: 'codex' })).toEqual(expected((n) => n % 50 === 1))
    expect(seqsOf({ session: 's3', tool: 'Bash' })).toEqual(
      expected((n) => n % 7 === 3 && n % 3 === 0 && n % 10 !== 0),
    )
    expect(seqsOf({ since: 11_950 })).toEqual(range(1_195, 1_200))
  })

  test('and of the payload: text in it, also beyond ASCII', () => {
    expect(seqsOf({ grep: 'RUN 999"' })).toEqual([999])
    expect(seqsOf({ grep: 'größe 110' })).toEqual([110, 1_100])
    expect(seqsOf({ grep: '100%_' })).toEqual([])
  })

  test('and of the answer that gantry gave', () => {
    expect(seqsOf({ verdict: 'deny' })).toEqual(expected((n) => n % 100 === 7))
    expect(seqsOf({ verdict: 'deny', session: 's1' })).toEqual(expected((n) => n % 100 === 7 && n % 7 === 1))
    expect(seqsOf({ verdict: 'deny', at: 600, limit: 2 })).toEqual([507, 607])
    expect(seqsOf({ verdict: 'ask' })).toEqual([])
    expect(reader.decidedBefore("x' OR 1=1", 1_000_000, 100).seqs).toEqual([])
    const part = reader.decidedBefore('deny', 508, 3)
    expect(part).toEqual({ seqs: [507, 407, 307], next: 307 })
    expect(reader.decidedBefore('deny', 108, 3)).toEqual({ seqs: [107], next: undefined })
  })
})

describe('paging', () => {
  test('from page to page has every event once, in either direction', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Partial<PageQuery>>(
          {},
          { type: 'Stop' },
          { tool: 'Read', agent: 'claude' },
          { session: 's2' },
        ),
        fc.integer({ min: 1, max: 200 }),
        fc.constantFrom(0, 10_000),
        (filter, limit, budgetMs) => {
          const all = pageOf({ ...filter, limit: 5_000 }).page.events.map(({ seq }) => seq)
          const forward: number[] = []
          for (let after = 0; ; ) {
            const { page } = pageOf({ ...filter, limit, after }, Math.max(budgetMs, 0.01))
            forward.push(...page.events.map(({ seq }) => seq))
            if (!page.newer) break
            after = page.to
          }
          expect(forward).toEqual(all)
          const backward: number[] = []
          for (let before: number | undefined; ; ) {
            const { page } = pageOf({ ...filter, limit, ...(before === undefined ? {} : { before }) }, 10_000)
            backward.unshift(...page.events.map(({ seq }) => seq))
            if (!page.older) break
            before = page.from
          }
          expect(backward).toEqual(all)
        },
      ),
      { numRuns: 20 },
    )
  })

  test('says how far it came when its time is up', () => {
    const { page, ranOut } = pageOf({ type: 'Nope' }, 0.0001)
    expect(ranOut).toBe(true)
    expect(page).toMatchObject({ events: [], older: true, newer: false })
    expect(page.from).toBeGreaterThan(page.first)
  })
})

describe('on the daemon', () => {
  const source = { ...store, row: store.bySeq, lastSeq: () => store.journal.lastSeq }

  test('it lets others pass between its steps', async () => {
    let turns = 0
    const page = await pageInTurns(
      source,
      { limit: 500 },
      {
        take: async (work) => {
          turns += 1
          return work()
        },
      },
    )
    expect(page?.events).toHaveLength(500)
    expect(turns).toBeGreaterThan(0)
  })

  test('it leaves what reads payloads to a process', async () => {
    expect(await pageInTurns(source, { limit: 5, grep: 'x' }, new ReadTurns())).toBeUndefined()
    const page = await pageInTurns(source, { limit: 5, verdict: 'deny' }, new ReadTurns())
    expect(page?.events.map(({ seq }) => seq)).toEqual([707, 807, 907, 1_007, 1_107])
  })
})

test('a query uses the place, or the index of sessions, and never sorts', () => {
  const check = new Database(database, { readonly: true })
  const plan = (where: string) =>
    check
      .query<{ detail: string }, []>(
        `EXPLAIN QUERY PLAN SELECT seq, octet_length(raw) FROM events WHERE ${where} ORDER BY seq DESC LIMIT 5`,
      )
      .all()
      .map(({ detail }) => detail)
      .join('; ')
  expect(plan('seq > 5 AND seq < 9')).toMatch(
    /SEARCH events USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/,
  )
  expect(plan("tool_name = 'x' AND seq > 5 AND seq < 9")).toContain('INTEGER PRIMARY KEY')
  const session = plan("session_id = 'x' AND type = 'y' AND seq > 5 AND seq < 9")
  expect(session).toContain('events_by_session (session_id=? AND seq>? AND seq<?)')
  expect(session).not.toContain('TEMP B-TREE')
  check.close()
})
