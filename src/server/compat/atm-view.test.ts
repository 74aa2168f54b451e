import { describe, expect, test } from 'bun:test'
import { type Session, SessionMap } from '../../sessions/state/index.ts'
import { ev } from '../../sessions/state/testkit.ts'
import { atmViews, modelName } from './atm-view.ts'

const fleetOf = (events: ReturnType<typeof ev>[]): Session => {
  const fleet = new SessionMap()
  for (const event of events) fleet.apply(event)
  const session = fleet.find('s1')
  if (!session) throw new Error('no session')
  return session
}

test.each([
  ['claude-opus-4-6', 'Opus 4.6'],
  ['claude-opus-4-5-20251101', 'Opus 4.5'],
  ['claude-sonnet-4-20250514', 'Sonnet 4'],
  ['claude-3-5-haiku-20241022', 'Haiku 3.5'],
  ['gpt-5.6-sol', 'gpt-5.6-sol'],
  ['some-model-20270101', 'some-model'],
  [undefined, 'Unknown'],
])('the model %s is shown as %s', (id, name) => {
  expect(modelName(id)).toBe(name)
})

describe('a view', () => {
  const session = fleetOf([ev('SessionStart'), ev('UserPromptSubmit', { prompt: 'first' }), ev('Stop')])
  const { startedAt } = session
  const shown = (more: Partial<Session>, after = 0) =>
    atmViews({ ...session, ...more }, {}, startedAt + after)[0]

  test.each([
    [0, '$0.00'],
    [0.005, '$0.0050'],
    [0.35, '$0.35'],
    [12.34, '$12.3'],
    [150, '$150'],
  ])('that cost %d shows %s', (costUsd, text) => {
    expect(shown({ usage: { costUsd } })?.cost_display).toBe(text)
  })

  test.each([
    [35_000, '35s', '35s ago'],
    [135_000, '2m 15s', '2m ago'],
    [120_000, '2m', '2m ago'],
    [5_400_000, '1h 30m', '1h ago'],
    [200_000_000, '55h 33m', '2d ago'],
  ])('after %d ms lasted %s and began %s', (after, lasted, age) => {
    expect(shown({}, after)).toMatchObject({ duration_display: lasted, age_display: age })
  })

  test('of a full context warns and is critical', () => {
    expect(shown({ usage: { contextPct: 92, tokens: 920_000, contextWindow: 1_000_000 } })).toMatchObject({
      context_display: '92.0% (920K/1.0M)',
      context_warning: true,
      context_critical: true,
      needs_attention: true,
      status: 'idle',
    })
  })

  test('of a nested sub-agent is below its parent, with its own cost', () => {
    const child = { type: 'Custom', startedAt: startedAt + 1000, inferred: false }
    const views = atmViews({
      ...session,
      costs: { '': 2, a1: 0.5 },
      usage: { costUsd: 2.5 },
      children: [
        { ...child, agentId: 'a1' },
        { ...child, agentId: 'a2', parentId: 'a1' },
        { ...child, agentId: 'a3', endedAt: startedAt + 2000 },
      ],
    })
    expect(
      views.map(({ id, parent_session_id, child_session_ids, cost_usd }) => [
        id,
        parent_session_id,
        child_session_ids,
        cost_usd,
      ]),
    ).toEqual([
      ['s1', undefined, ['s1/a1'], 2],
      ['s1/a1', 's1', ['s1/a2'], 0.5],
      ['s1/a2', 's1/a1', [], 0],
    ])
    expect(views[1]?.started_at).toBe(new Date(startedAt + 1000).toISOString())
  })

  test('of an ended session is empty', () => {
    expect(atmViews({ ...session, endedAt: startedAt })).toEqual([])
  })
})
