import { describe, expect, test } from 'bun:test'
import { eventOf } from '../../test/kit.ts'
import type { TurnUsageRow } from '../store/index.ts'
import { GEN_AI, sessionSpan, turnSpans } from './spans.ts'

const session = { agent: 'claude', id: 's1', name: 'brave-otter', project: 'shed' }
const prompt = eventOf({ id: 'e1', seq: 1, type: 'UserPromptSubmit', at: 1_000, model: 'claude-opus-5-5' })
const used = (parts: Partial<TurnUsageRow> = {}): TurnUsageRow => ({
  ...{
    agent: 'claude',
    sessionId: 's1',
    agentId: '',
    turn: 't1',
    turnAt: 1_000,
    model: 'claude-opus-5-5-20260901',
  },
  ...{ requests: 2, unpriced: 0, input: 10, cacheRead: 200, cacheWrite: 30, output: 40, costUsd: 0.5 },
  ...parts,
})
const turn = { session, prompt, events: new Map([[1, prompt]]), entries: [], to: 5_000, usage: [] }

describe('a turn as spans', () => {
  test('has the usage of its own requests; input tokens include those of the cache', () => {
    const [span] = turnSpans({ ...turn, usage: [used(), used({ agentId: 'a1', output: 9_999 })] })
    expect(span?.attributes).toEqual({
      [GEN_AI.conversation]: 's1',
      'gantry.session.name': 'brave-otter',
      'gantry.project': 'shed',
      [GEN_AI.operation]: 'invoke_agent',
      [GEN_AI.agentName]: 'claude',
      [GEN_AI.provider]: 'anthropic',
      [GEN_AI.requestModel]: 'claude-opus-5-5',
      [GEN_AI.responseModel]: 'claude-opus-5-5-20260901',
      [GEN_AI.inputTokens]: 240,
      [GEN_AI.outputTokens]: 40,
      [GEN_AI.cacheRead]: 200,
      [GEN_AI.cacheWrite]: 30,
      'gantry.requests': 2,
      'gantry.cost_usd': 0.5,
    })
  })

  test('of unknown price has no cost, and of unknown model no provider', () => {
    const [span] = turnSpans({ ...turn, usage: [used({ unpriced: 1, model: 'my-own' })] })
    expect(span?.attributes).not.toHaveProperty('gantry.cost_usd')
    expect(span?.attributes).not.toHaveProperty([GEN_AI.provider])
    expect(span?.attributes[GEN_AI.responseModel]).toBe('my-own')
  })

  test('has ids of the right length, the same for the same events and others for others', () => {
    const [one] = turnSpans(turn)
    const [again] = turnSpans({ ...turn, to: 9_000 })
    const [other] = turnSpans({ ...turn, prompt: { ...prompt, id: 'e2' } })
    expect(one?.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(one?.spanId).toMatch(/^[0-9a-f]{16}$/)
    expect(again?.spanId).toBe(one?.spanId ?? '')
    expect(other?.spanId).not.toBe(one?.spanId ?? '')
    const whole = sessionSpan(session, 0, 9_000)
    expect([whole.traceId, whole.spanId]).toEqual([one?.traceId ?? '', one?.parentId ?? ''])
    expect(sessionSpan({ ...session, agent: 'codex' }, 0, 1).traceId).not.toBe(whole.traceId)
  })

  test('never ends before it begins, and hostile names are cut', () => {
    const evil = eventOf({
      ...{ id: 'e3', seq: 2, type: 'PreToolUse', at: 500, agentId: 'nobody' },
      tool: { name: `${'x'.repeat(1_000)}\ud800`, input: {}, useId: 'u'.repeat(5_000) },
    })
    const [, tool] = turnSpans({
      ...turn,
      events: new Map([[2, evil]]),
      entries: [{ seq: 2, at: 500, kind: 'tool', label: 'x', text: '', endAt: 100 }],
    })
    expect(tool?.to).toBeGreaterThanOrEqual(tool?.from ?? Number.NaN)
    expect(tool?.name.length).toBeLessThan(300)
    expect(String(tool?.attributes[GEN_AI.toolCall]).length).toBeLessThan(300)
    expect(tool?.parentId).toBe(turnSpans(turn)[0]?.spanId)
  })
})
