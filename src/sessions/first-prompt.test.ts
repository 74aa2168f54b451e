/** opencode's sessions: made by their first prompt, and with sub-agents that say their own costs. */
import { describe, expect, test } from 'bun:test'
import type { HookEvent } from '../events/index.ts'
import { phaseOf } from './phase.ts'
import { ev, run } from './testkit.ts'

describe('a session that its first prompt made', () => {
  test('works from its start', () => {
    expect(phaseOf(run(ev('SessionStart', { prompted: true })))).toBe('working')
    expect(phaseOf(run(ev('SessionStart')))).toBe('starting')
  })

  test('is idle when the turn ends, also where its prompt was never heard', () => {
    expect(phaseOf(run(ev('SessionStart', { prompted: true }), ev('Stop')))).toBe('idle')
    const failed = run(
      ev('SessionStart', { prompted: true }),
      ev('StopFailure', { error: { kind: 'APIError' } }),
    )
    expect(phaseOf(failed)).toBe('idle')
  })
})

describe('sub-agents that say what they cost', () => {
  const used = (usage: HookEvent['usage'], agentId?: string) =>
    ev('SessionUpdated', { usage, ...(agentId === undefined ? {} : { agentId }) })

  test('the session costs the sum, and its window is that of the main thread', () => {
    const { usage } = run(
      ev('SessionStart'),
      used({ costUsd: 0.0604, contextTokens: 20_025, contextPct: 20.025 }),
      used({ costUsd: 0 }, 'child'),
      used({ costUsd: 0.0154, contextTokens: 5_025, contextPct: 5.025 }, 'child'),
      used({ costUsd: 0.0338, contextTokens: 6_025, contextPct: 6.025 }, 'child'),
      used({ costUsd: 0.001 }, 'other'),
      used({ costUsd: 0.1823, contextTokens: 40_525, contextPct: 40.525 }),
    )
    expect(usage).toEqual({ costUsd: 0.2171, tokens: 40_525, contextPct: 40.525 })
  })

  test('of hundreds, the first ones are counted together', () => {
    const many = Array.from({ length: 600 }, (_, n) => used({ costUsd: 0.001 }, `child-${n}`))
    const session = run(ev('SessionStart'), used({ costUsd: 0.5 }), ...many)
    expect(session.usage.costUsd).toBe(1.1)
    expect(Object.keys(session.costs ?? {}).length).toBeLessThan(300)
  })
})
