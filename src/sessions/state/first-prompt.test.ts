/** opencode's sessions: created by their first prompt, with sub-agents that report their own costs. */
import { describe, expect, test } from 'bun:test'
import type { HookEvent } from '../../events/index.ts'
import { phaseOf } from './phase.ts'
import { ev, run } from './testkit.ts'

describe('a session created by its first prompt', () => {
  test('works from its start', () => {
    expect(phaseOf(run(ev('SessionStart', { prompted: true })))).toBe('working')
    expect(phaseOf(run(ev('SessionStart')))).toBe('starting')
  })

  test('is idle when the turn ends, even if its prompt was missed', () => {
    expect(phaseOf(run(ev('SessionStart', { prompted: true }), ev('Stop')))).toBe('idle')
    const failed = run(
      ev('SessionStart', { prompted: true }),
      ev('StopFailure', { error: { kind: 'APIError' } }),
    )
    expect(phaseOf(failed)).toBe('idle')
  })
})

describe('sub-agents that report their cost', () => {
  const used = (usage: HookEvent['usage'], agentId?: string) =>
    ev('SessionUpdated', { usage, ...(agentId === undefined ? {} : { agentId }) })

  test("the session costs the sum, and its context window is the main thread's", () => {
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

  test('each counts once, however often and in whatever order they report', () => {
    const all = [used({ costUsd: 1 }), used({ costUsd: 0.1 }, 'a'), used({ costUsd: 0.2 }, 'b')]
    const { usage } = run(ev('SessionStart'), ...all, used({ costUsd: 0.3 }, 'a'), used({ costUsd: 2 }))
    expect(usage.costUsd).toBe(2.5)
  })

  test('one that does not report changes no sum', () => {
    const { usage } = run(ev('SessionStart'), used({ inputTokens: 5 }, 'a'), used({ costUsd: 0.5 }))
    expect(usage.costUsd).toBe(0.5)
  })

  test('of hundreds, the first are summed together, but never with the session itself', () => {
    const many = Array.from({ length: 600 }, (_, n) => used({ costUsd: 0.001 }, `child-${n}`))
    const session = run(ev('SessionStart'), used({ costUsd: 0.5 }), ...many)
    expect(session.usage.costUsd).toBe(1.1)
    expect(Object.keys(session.costs ?? {}).length).toBeLessThan(300)
    expect(
      run(ev('SessionStart'), used({ costUsd: 0.5 }), ...many, used({ costUsd: 0.6 })).usage.costUsd,
    ).toBe(1.2)
  })
})

describe('the reported context window', () => {
  const used = (usage: HookEvent['usage'], agentId?: string) =>
    ev('StatusLine', { usage, ...(agentId === undefined ? {} : { agentId }) })
  const whole = {
    contextPct: 81,
    contextTokens: 1_000,
    contextWindow: 200_000,
    linesAdded: 3,
    linesRemoved: 2,
    costUsd: 1,
  }
  const known = {
    contextPct: 81,
    tokens: 1_000,
    contextWindow: 200_000,
    linesAdded: 3,
    linesRemoved: 2,
    costUsd: 1,
  }

  test('is kept until another is reported', () => {
    const { usage } = run(ev('SessionStart'), used(whole))
    expect(usage).toStrictEqual(known)
    expect(run(ev('SessionStart'), used(whole), used({ linesAdded: 4 })).usage).toStrictEqual({
      ...known,
      linesAdded: 4,
    })
  })

  test("is not changed by a sub-agent's", () => {
    const child = used({ contextPct: 5, contextTokens: 9, contextWindow: 10, linesAdded: 9 }, 'a1')
    expect(run(ev('SessionStart'), used(whole), child).usage).toStrictEqual({ ...known, linesAdded: 9 })
  })

  test('is input plus output if its content is not reported', () => {
    const tokens = (usage: HookEvent['usage']) => run(ev('SessionStart'), used(usage)).usage.tokens
    expect(tokens({ inputTokens: 10, outputTokens: 5 })).toBe(15)
    expect(tokens({ inputTokens: 10 })).toBe(10)
    expect(tokens({ inputTokens: 10, contextTokens: 7 })).toBe(7)
    expect(tokens({ outputTokens: 5 })).toBeUndefined()
  })
})
