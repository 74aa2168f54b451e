/** Lanes of a timeline, and the sums of where the time went. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { eventOf } from '../../test/kit.ts'
import type { WireEvent } from '../client/index.ts'
import type { HookEvent } from '../events/index.ts'
import type { Entry } from './entry.ts'
import { type Lane, type Lanes, lanesOf } from './lanes.ts'
import { timelineOf } from './timeline.ts'

const S1 = { id: 's1', agent: 'claude' }

function entriesOf(...events: Partial<HookEvent>[]): Entry[] {
  return timelineOf(
    S1,
    events.map((one, n) => eventOf({ seq: n + 1, ...one }) as WireEvent),
    [],
  )
}

const tool = (name: string, useId: string, more: object = {}) => ({
  tool: { name, input: {}, useId, ...more },
})
const spansOf = ({ lanes }: Lanes, id: string) => lanes.find((lane) => lane.id === id)?.spans ?? []
const times = (lanes: Lanes, id: string) => spansOf(lanes, id).map(({ from, to }) => [from, to])

/** A prompt, a call that asks first, two calls at once, a sub-agent with its own call, a stop, a pause. */
const SESSION = entriesOf(
  { type: 'SessionStart', at: 1_000 },
  { type: 'UserPromptSubmit', at: 2_000, prompt: 'go' },
  { type: 'PreToolUse', at: 3_000, ...tool('Bash', 't1') },
  { type: 'PermissionRequest', at: 3_100, tool: { name: 'Bash', input: {} } },
  { type: 'PostToolUse', at: 6_000, ...tool('Bash', 't1', { durationMs: 900 }) },
  { type: 'PreToolUse', at: 6_500, ...tool('Read', 't2') },
  { type: 'PreToolUse', at: 6_600, ...tool('Read', 't3') },
  { type: 'PostToolUse', at: 7_000, ...tool('Read', 't2') },
  { type: 'PostToolUse', at: 7_100, ...tool('Read', 't3') },
  { type: 'SubagentStart', at: 7_200, agentId: 'a1', agentType: 'Explore' },
  { type: 'PreToolUse', at: 7_300, agentId: 'a1', agentType: 'Explore', ...tool('Grep', 't4') },
  { type: 'PostToolUse', at: 7_400, agentId: 'a1', agentType: 'Explore', ...tool('Grep', 't4') },
  { type: 'SubagentStop', at: 7_500, agentId: 'a1', agentType: 'Explore' },
  { type: 'PreToolUse', at: 7_600, ...tool('Bash', 't5') },
  { type: 'PermissionDenied', at: 7_700, reason: 'no', ...tool('Bash', 't5') },
  { type: 'Stop', at: 8_000 },
)

describe('lanes', () => {
  const lanes = lanesOf(SESSION, { from: 1_000, now: 10_000 })

  test('are turns, waits, tools, one per sub-agent, and denials', () => {
    expect(lanes.lanes.map(({ id, name, rows }) => [id, name, rows])).toEqual([
      ['turns', 'turns', 1],
      ['waits', 'waits for you', 1],
      ['tools', 'tools', 2],
      ['agent:a1', 'Explore', 2],
      ['denials', 'denials', 1],
    ])
    expect(times(lanes, 'turns')).toEqual([[2_000, 8_000]])
    expect(spansOf(lanes, 'turns')[0]).toMatchObject({ text: 'go', seq: 2, tone: 'work' })
    expect(times(lanes, 'waits')).toEqual([[3_100, 5_100]])
    expect(times(lanes, 'agent:a1')).toEqual([
      [7_200, 7_500],
      [7_300, 7_400],
    ])
    expect(times(lanes, 'denials')).toEqual([[7_600, 7_600]])
  })

  test('calls that run at once have rows of their own', () => {
    expect(
      spansOf(lanes, 'tools').map(({ label, from, to, row, tone }) => [label, from, to, row, tone]),
    ).toEqual([
      ['Bash', 3_000, 6_000, 0, 'tool'],
      ['Read', 6_500, 7_000, 0, 'tool'],
      ['Read', 6_600, 7_100, 1, 'tool'],
      ['Bash', 7_600, 7_700, 0, 'error'],
    ])
  })

  test('tell where the time went', () => {
    expect(lanes.sums).toEqual({ workedMs: 4_000, waitedMs: 2_000, idleMs: 3_000 })
    expect(lanesOf(SESSION, { from: 1_000, endedAt: 9_000, now: 50_000 }).sums.idleMs).toBe(2_000)
  })

  test('do not go on after the end for a note of gantry', () => {
    const noted = entriesOf(
      { type: 'UserPromptSubmit', at: 2_000, prompt: 'go' },
      { type: 'Stop', at: 8_000 },
      { type: 'SessionEnd', at: 9_000 },
      {
        type: 'BudgetReached',
        at: 40_000,
        agent: 'gantry',
        fields: { session_key: 'claude:s1', message: 'b' },
      },
    )
    const { to, sums } = lanesOf(noted, { endedAt: 9_000, now: 50_000 })
    expect([to, sums.idleMs]).toEqual([9_000, 1_000])
  })

  test('what has not ended goes on until now', () => {
    const open = lanesOf(
      entriesOf(
        { type: 'UserPromptSubmit', at: 100, prompt: 'go' },
        { type: 'PreToolUse', at: 200, ...tool('Bash', 't1') },
        { type: 'PreCompact', at: 300 },
      ),
      { now: 1_000 },
    )
    expect(spansOf(open, 'turns')).toMatchObject([{ from: 100, to: 1_000, open: true }])
    expect(spansOf(open, 'tools')).toMatchObject([{ from: 200, to: 1_000, open: true }])
    expect(spansOf(open, 'compactions')).toMatchObject([{ from: 300, tone: 'busy' }])
  })

  test('a compaction ends when the session is at work again', () => {
    const entries = entriesOf(
      { type: 'UserPromptSubmit', at: 100, prompt: 'go' },
      { type: 'PreCompact', at: 200, trigger: 'auto' },
      { type: 'PostCompact', at: 900 },
      { type: 'Stop', at: 1_000 },
    )
    expect(times(lanesOf(entries, { now: 1_000 }), 'compactions')).toEqual([[200, 900]])
  })

  test('a turn without a prompt begins with its first call; one without a stop ends with its last', () => {
    const entries = entriesOf(
      { type: 'PreToolUse', at: 100, ...tool('Bash', 't1') },
      { type: 'PostToolUse', at: 200, ...tool('Bash', 't1') },
      { type: 'UserPromptSubmit', at: 900, prompt: 'next' },
      { type: 'Stop', at: 950 },
    )
    expect(times(lanesOf(entries, { now: 1_000 }), 'turns')).toEqual([
      [100, 200],
      [900, 950],
    ])
  })

  test('of nothing are none', () => {
    expect(lanesOf([], { now: 5 })).toEqual({
      from: 5,
      to: 5,
      lanes: [],
      sums: { workedMs: 0, waitedMs: 0, idleMs: 0 },
    })
  })
})

const KINDS = ['session', 'prompt', 'tool', 'error', 'ask', 'stop', 'agent', 'window', 'log', 'note'] as const
const LABELS = ['start', 'end', 'done', 'failed', 'denied', 'interrupted', 'compaction', 'Bash', 'permission']
const entry: fc.Arbitrary<Entry> = fc.record(
  {
    at: fc.integer({ min: 0, max: 10_000 }),
    kind: fc.constantFrom(...KINDS),
    label: fc.constantFrom(...LABELS),
    text: fc.string({ maxLength: 5 }),
    tookMs: fc.integer({ min: -5, max: 3_000 }),
    endAt: fc.integer({ min: 0, max: 12_000 }),
    agentId: fc.constantFrom('a1', 'a2'),
    subagent: fc.constantFrom('a1', 'a2'),
    open: fc.constant(true),
    denied: fc.constant(true),
  },
  { requiredKeys: ['at', 'kind', 'label', 'text'] },
)

const TYPES = [
  ...[
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PermissionRequest',
  ],
  ...[
    'PermissionDenied',
    'SubagentStart',
    'SubagentStop',
    'PreCompact',
    'PostCompact',
    'Stop',
    'StopFailure',
  ],
  ...['Interrupt', 'SessionEnd', 'Notification'],
]
const event = fc.record(
  {
    type: fc.constantFrom(...TYPES),
    gap: fc.integer({ min: -50, max: 500 }),
    agentId: fc.constantFrom('a1', 'a2'),
    call: fc.constantFrom('t1', 't2', 't3'),
  },
  { requiredKeys: ['type', 'gap', 'call'] },
)

describe('whatever happened', () => {
  test('spans of one row do not overlap, and the sums are the length of the session', () => {
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 40 }),
        fc.nat(12_000),
        fc.option(fc.nat(12_000)),
        (all, now, end) => holds(lanesOf(all, { now, ...(end === null ? {} : { endedAt: end }) })),
      ),
    )
  })

  test('of any hooks, too', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (all) => {
        let at = 1_000
        const events = all.map(({ type, gap, agentId, call }) => {
          at = Math.max(0, at + gap)
          return { type, at, ...tool('Bash', call), ...(agentId === undefined ? {} : { agentId }) }
        })
        holds(lanesOf(entriesOf(...events), { now: at }))
      }),
    )
  })
})

function holds({ lanes, from, to, sums }: Lanes): void {
  expect(sums.workedMs + sums.waitedMs + sums.idleMs).toBe(to - from)
  for (const sum of Object.values(sums)) expect(sum).toBeGreaterThanOrEqual(0)
  for (const lane of lanes) rowsHold(lane, from, to)
}

function rowsHold({ spans, rows, kind }: Lane, from: number, to: number): void {
  if (kind !== 'tools' && kind !== 'agent' && kind !== 'denials') expect(rows).toBe(1)
  for (let row = 0; row < rows; row++) {
    let end = from
    for (const span of spans.filter((one) => one.row === row)) {
      expect(span.from).toBeGreaterThanOrEqual(end)
      expect(span.to).toBeGreaterThanOrEqual(span.from)
      end = span.to
    }
    expect(end).toBeLessThanOrEqual(to)
  }
}

test('needs nothing that a browser lacks', async () => {
  const text = await Bun.file(new URL('lanes.ts', import.meta.url).pathname).text()
  expect([...text.matchAll(/^import (?!type)/gm)]).toEqual([])
})
