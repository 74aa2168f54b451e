import { expect, test } from 'bun:test'
import { eventOf } from '../../test/kit.ts'
import { CANARY } from '../events/index.ts'
import { lineOf } from './line.ts'

test('use that gantry observed is its numbers', () => {
  const said = (fields: Record<string, unknown>) =>
    lineOf(eventOf({ agent: 'gantry', type: 'UsageObserved', fields }))
  expect(said({ tokens: 42_000, context_pct: 21 })).toBe('42k tokens · 21% of its context')
  expect(said({ cost_usd: 1.5 })).toBe('$1.50')
})

test('a hook that gantry tried is not taken for a start of the agent', () => {
  const tried = { type: 'SessionStart', source: 'startup', hidden: CANARY }
  expect(lineOf(eventOf(tried))).toBe('gantry install has tried the hook; no agent ran')
})
