/** Where time went, by journals whose sums are known. */
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { eventOf, tempDir } from '../../../test/kit.ts'
import type { Insights } from '../../client/index.ts'
import { type HookEvent, newId } from '../../events/index.ts'
import { openEventReader, openStore } from '../../store/index.ts'
import { Clock, Samples } from './figures.ts'
import { type InsightLimits, insightsOf } from './index.ts'

const S = 1_000
const MINUTE = 60 * S
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NINE = new Date(2026, 2, 4, 9).getTime() // a Wednesday

type Hook = readonly [at: number, type: string, more?: Partial<HookEvent> & { readonly duration?: number }]

/** A journal of these hooks; `living` sessions have not ended. */
function journal(
  hooks: readonly Hook[],
  living: readonly string[] = [],
  more: (db: Database) => void = () => {},
) {
  const path = join(tempDir(), 'gantry.db')
  const store = openStore(path)
  store.journal.commit(() => {
    for (const [at, type, { duration, ...fields } = {}] of hooks) {
      const raw = JSON.stringify(duration === undefined ? {} : { duration_ms: duration })
      const time = NINE + at
      store.journal.append(
        eventOf({ id: newId(), at: time, receivedAt: time + 2, type, native: type, raw, ...fields }),
      )
    }
  })
  store.close()
  const db = new Database(path)
  for (const id of living)
    db.query(
      `INSERT INTO session_states (key, agent, session_id, name, phase, seq, last_activity, state, project)
       VALUES (?, 'claude', ?, 'brave-otter', 'working', 1, ?, '{"usage":{}}', 'acme')`,
    ).run(`claude:${id}`, id, NINE)
  more(db)
  db.close()
  return path
}

function insights(
  path: string,
  until = NINE + DAY,
  limits: Partial<InsightLimits> = {},
  since = NINE - DAY,
): Insights {
  const reader = openEventReader(path)
  try {
    return insightsOf(reader, { since, until }, limits)
  } finally {
    reader.close()
  }
}

const bash = { tool: { name: 'Bash', input: {} } }

describe('time', () => {
  test('is waited until the call that was asked about ends, also if it has another name than the question', () => {
    const patch = { tool: { name: 'apply_patch', input: {} } }
    const found = insights(
      journal([
        [0, 'UserPromptSubmit'],
        [MINUTE, 'PreToolUse', patch],
        [MINUTE, 'PermissionRequest', { tool: { name: 'edit', input: {} } }],
        [3 * MINUTE, 'PostToolUse', patch],
        [9 * MINUTE, 'Stop'],
      ]),
    )
    expect(found.time).toMatchObject({ workedMs: 7 * MINUTE, waitedMs: 2 * MINUTE })
    expect(found.waits.longest).toMatchObject([{ tool: 'edit', ms: 2 * MINUTE }])
  })

  test('is worked, waited for you, or idle', () => {
    const found = insights(
      journal([
        [0, 'SessionStart'],
        [MINUTE, 'UserPromptSubmit'], // idle for a minute
        [2 * MINUTE, 'PreToolUse', bash],
        [2 * MINUTE, 'PermissionRequest', bash], // worked for a minute
        [12 * MINUTE, 'PostToolUse', { ...bash, duration: 2 * MINUTE }], // waited for eight, ran for two
        [13 * MINUTE, 'Stop'],
        [23 * MINUTE, 'SessionEnd'],
      ]),
    )
    expect(found.time).toEqual({ workedMs: 4 * MINUTE, waitedMs: 8 * MINUTE, idleMs: 11 * MINUTE })
    expect(found).toMatchObject({ events: 7, sessions: 1 })
    expect(found.left).toBeUndefined()
    expect(found.waits).toMatchObject({ count: 1, totalMs: 8 * MINUTE, p50Ms: 8 * MINUTE, p95Ms: 8 * MINUTE })
    expect(found.waits.longest).toEqual([
      { session: 'claude:s1', kind: 'permission', tool: 'Bash', at: NINE + 2 * MINUTE, ms: 8 * MINUTE },
    ])
    expect(found.days).toEqual([
      {
        day: '2026-03-04',
        workedMs: 4 * MINUTE,
        waitedMs: 8 * MINUTE,
        idleMs: 11 * MINUTE,
        prompts: 1,
        toolCalls: 1,
      },
    ])
  })

  test('falls into days and hours of this machine', () => {
    const { heat, days } = insights(
      journal([
        [14 * HOUR + 30 * MINUTE, 'UserPromptSubmit'], // 23:30
        [15 * HOUR + 30 * MINUTE, 'Stop'],
      ]),
      NINE + 2 * DAY,
    )
    expect(days.map(({ day, workedMs }) => [day, workedMs])).toEqual([
      ['2026-03-04', 30 * MINUTE],
      ['2026-03-05', 30 * MINUTE],
    ])
    expect(heat.workedMs[3]?.[23]).toBe(30 * MINUTE)
    expect(heat.workedMs[4]?.[0]).toBe(30 * MINUTE)
    expect(heat.workedMs.flat().reduce((a, b) => a + b)).toBe(HOUR)
  })

  test('goes on until now for those that live, with a limit for what nobody means', () => {
    const hooks: Hook[] = [
      [0, 'UserPromptSubmit'],
      [0, 'UserPromptSubmit', { sessionId: 'gone' }],
    ]
    const path = journal(hooks, ['s1'])
    expect(insights(path, NINE + MINUTE).time.workedMs).toBe(MINUTE)
    expect(insights(path, NINE + 10 * HOUR).time.workedMs).toBe(2 * HOUR)
    expect(insights(path, NINE + MINUTE).projects).toEqual([
      { project: 'acme', sessions: 1, workedMs: MINUTE, waitedMs: 0, idleMs: 0 },
      { project: '', sessions: 1, workedMs: 0, waitedMs: 0, idleMs: 0 },
    ])
  })

  test('of a question and a plan is a wait', () => {
    const ask = { tool: { name: 'AskUserQuestion', input: {} } }
    const plan = { tool: { name: 'ExitPlanMode', input: {} } }
    const { waits } = insights(
      journal([
        [0, 'UserPromptSubmit'],
        [S, 'PreToolUse', ask],
        [2 * S, 'PreToolUse', { ...bash, agentId: 'sub' }], // a sub-agent works on
        [5 * S, 'PostToolUse', { ...ask, duration: 4 * S }],
        [6 * S, 'PreToolUse', plan],
        [8 * S, 'Stop'],
      ]),
    )
    expect(waits.longest.map(({ kind, ms }) => [kind, ms])).toEqual([
      ['question', 4 * S],
      ['plan', 2 * S],
    ])
  })

  test('of replays, imports and gantry itself does not count', () => {
    const { sessions, time } = insights(
      journal([
        [0, 'UserPromptSubmit', { transport: 'replay' }],
        [S, 'Stop', { transport: 'import' }],
        [S, 'SessionSeen', { agent: 'gantry' }],
        [S, 'UserPromptSubmit', { sessionId: '' }],
      ]),
    )
    expect({ sessions, time }).toEqual({ sessions: 0, time: { workedMs: 0, waitedMs: 0, idleMs: 0 } })
  })
})

describe('tools', () => {
  test('have calls, failures, denials and percentiles', () => {
    const hooks: Hook[] = Array.from({ length: 20 }, (_, n): Hook[] => [
      [n * MINUTE, 'PreToolUse', bash],
      [n * MINUTE + (n + 1) * S, n === 19 ? 'PostToolUseFailure' : 'PostToolUse', bash],
    ]).flat()
    const { tools } = insights(
      journal([...hooks, [HOUR, 'PreToolUse', bash], [HOUR + S, 'PermissionDenied', bash]]),
    )
    expect(tools).toEqual([
      {
        agent: 'claude',
        tool: 'Bash',
        calls: 21,
        failures: 1,
        denied: 1,
        p50Ms: 10 * S,
        p95Ms: 19 * S,
        totalMs: 210 * S,
      },
    ])
  })
})

describe('cost, hooks, missed decisions', () => {
  test('come from the tables that have them', () => {
    const path = journal([[0, 'UserPromptSubmit']], ['s1', 's2'], (db) => {
      db.run(
        `INSERT INTO turn_usage VALUES ('claude', 's1', '', 't1', 'opus', ${NINE}, 2, 0, 10, 20, 30, 40, 1.5)`,
      )
      db.run(
        `INSERT INTO turn_usage VALUES ('claude', 's1', '', 't2', 'opus', ${NINE + S}, 1, 1, 1, 1, 1, 1, 0.5)`,
      )
      db.run(`INSERT INTO turn_usage VALUES ('claude', 's1', '', 'old', 'opus', 5, 1, 1, 1, 1, 1, 1, 9)`)
      db.run(
        `UPDATE session_states SET state = '{"model":"gpt","usage":{"costUsd":3}}' WHERE session_id = 's2'`,
      )
      db.run(`INSERT INTO counters VALUES ('missed', 'claude PreToolUse away', 4, ${NINE}, ${NINE})`)
      db.run(
        `INSERT INTO bus_messages SELECT 'DECISION_EVENTS', 1, id, received_at + 7, 'deny', agent, native, session_id, '{}' FROM events`,
      )
    })
    const { cost, hooks, missed } = insights(path)
    const none = { requests: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0, unpriced: 0 }
    expect(cost).toEqual([
      { ...none, day: '2026-03-04', agent: 'claude', model: 'gpt', project: 'acme', costUsd: 3 },
      {
        ...{ day: '2026-03-04', agent: 'claude', model: 'opus', project: 'acme', costUsd: 2, requests: 3 },
        ...{ input: 11, cacheRead: 21, cacheWrite: 31, output: 41, unpriced: 1 },
      },
    ])
    expect(hooks.arrival).toEqual({ count: 1, p50Ms: 2, p99Ms: 2, maxMs: 2 })
    expect(hooks.decision).toEqual({ count: 1, p50Ms: 7, p99Ms: 7, maxMs: 7 })
    expect(missed).toMatchObject([{ about: 'claude PreToolUse', reason: 'away', count: 4 }])
  })

  test('of an empty journal, or of no time at all, are nothing', () => {
    expect(insights(journal([]))).toMatchObject({ events: 0, sessions: 0, tools: [], cost: [], days: [] })
    expect(insights(journal([[0, 'Stop']]), NINE - 2 * DAY)).toMatchObject({ events: 0 })
  })
})

describe('limits', () => {
  const path = journal(Array.from({ length: 100 }, (_, n): Hook => [n * S, 'UserPromptSubmit']))

  test('leave out the oldest events, and say so', () => {
    expect(insights(path, NINE + DAY, { events: 40 })).toMatchObject({
      events: 40,
      left: { events: 60, before: NINE + 60 * S + 2 },
    })
  })

  test('leave out all without any time', () => {
    expect(insights(path, NINE + DAY, { ms: 0 })).toMatchObject({ events: 0, left: { events: 100 } })
  })
})

describe('whatever hooks came', () => {
  const TYPES = [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PermissionRequest',
    'Stop',
    'SessionEnd',
  ]
  test('no time is counted twice, or is negative', () => {
    const hook = fc.tuple(fc.integer({ min: -2 * S, max: MINUTE }), fc.constantFrom(...TYPES), fc.boolean())
    fc.assert(
      fc.property(fc.array(hook, { maxLength: 60 }), (all) => {
        let [at, first, last] = [0, Number.POSITIVE_INFINITY, 0]
        const hooks = all.map(([gap, type, isTool]): Hook => {
          at += gap
          first = Math.min(first, at)
          last = Math.max(last, at)
          return [at, type, isTool ? bash : {}]
        })
        const { time, waits } = insights(journal(hooks))
        for (const ms of Object.values(time)) expect(ms).toBeGreaterThanOrEqual(0)
        expect(time.workedMs + time.waitedMs + time.idleMs).toBeLessThanOrEqual(Math.max(0, last - first))
        expect(waits.totalMs).toBeLessThanOrEqual(time.waitedMs)
      }),
      { numRuns: 20 },
    )
  })
})

test('samples keep percentiles, however many there are', () => {
  const samples = new Samples()
  for (let n = 0; n < 100_000; n++) samples.add(n % 1_000)
  expect(samples.count).toBe(100_000)
  expect(samples.at(0.5)).toBeCloseTo(500, -2)
  expect(samples.at(0.99)).toBeCloseTo(990, -2)
  expect(new Samples().at(0.5)).toBeNull()
})

test('a stretch over a change of the clock ends', () => {
  const clock = new Clock()
  clock.add('working', NINE, NINE + 30 * DAY)
  expect(clock.total.working).toBe(30 * DAY)
  clock.add('working', 5, 1)
  expect(clock.total.working).toBe(30 * DAY)
})
