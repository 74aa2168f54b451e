import { describe, expect, test } from 'bun:test'
import type { EffortRow } from '../../store/index.ts'
import { type Facts, firedRules, guardsOf, guardsSchema, wordsOf } from './guards.ts'

const facts: Facts = { heartbeat_counter: 4, context_usage: 0.7, tool: 'Bash', phase: 'build' }

const effort = (guards: unknown) => ({ metadata: { guards } }) as unknown as EffortRow
const guard = (field: string, op: string, value: unknown, more = {}) => ({
  ruleId: `${field} ${op} ${value}`,
  condition: { field, op, value },
  payload: 'x',
  urgency: 'block',
  ...more,
})
const fires = (field: string, op: string, value: unknown) =>
  firedRules(guardsOf(effort([guard(field, op, value)])), facts).length === 1

describe('a condition', () => {
  const cases: [field: string, op: string, value: unknown, fires: boolean][] = [
    ['heartbeat_counter', '==', 4, true],
    ['heartbeat_counter', '==', 5, false],
    ['heartbeat_counter', '!=', 5, true],
    ['heartbeat_counter', '!=', 4, false],
    ['heartbeat_counter', '>', 3, true],
    ['heartbeat_counter', '>', 4, false],
    ['heartbeat_counter', '>=', 4, true],
    ['heartbeat_counter', '>=', 5, false],
    ['heartbeat_counter', '<', 5, true],
    ['heartbeat_counter', '<', 4, false],
    ['heartbeat_counter', '<=', 4, true],
    ['heartbeat_counter', '<=', 3, false],
    ['heartbeat_counter', 'in', [1, 4], true],
    ['heartbeat_counter', 'not in', [1, 4], false],
    ['context_usage', '>=', 0.7, true],
    ['context_usage', '>', 0.7, false],
    ['tool', '==', 'Bash', true],
    ['tool', '!=', 'Bash', false],
    ['tool', 'in', ['Bash', 'Write'], true],
    ['tool', 'in', 'Bash', true],
    ['tool', 'in', ['Write'], false],
    ['tool', 'not in', ['Write'], true],
    ['tool', '>', 1, false], // a name is no number
    ['phase', '==', 'build', true],
    ['phase', '!=', 'plan', true],
    ['phase', 'in', ['plan'], false],
  ]
  for (const [field, op, value, expected] of cases)
    test(`${field} ${op} ${JSON.stringify(value)} ${expected ? 'fires' : 'does not fire'}`, () =>
      expect(fires(field, op, value)).toBe(expected))
})

describe('rules of an effort', () => {
  test('fire in order, with their text and urgency', () => {
    const rules = [
      guard('tool', '==', 'Bash', { ruleId: 'one', payload: { text: 'careful' }, urgency: 'allow' }),
      guard('tool', '==', 'Write', { ruleId: 'two' }),
      guard('phase', '==', 'build', { ruleId: 'three', payload: 3 }),
    ]
    expect(firedRules(guardsOf(effort(rules)), facts)).toEqual([
      { ruleId: 'one', payload: { text: 'careful' }, urgency: 'allow' },
      { ruleId: 'three', payload: 3, urgency: 'block' },
    ])
  })

  test('that are invalid are skipped, the others still apply', () => {
    const good = guard('tool', '==', 'Bash')
    const broken = [
      null,
      7,
      'rule',
      {},
      guard('weather', '==', 'Bash'),
      guard('tool', '~', 'Bash'),
      guard('tool', '==', { a: 1 }),
      guard('tool', '==', 'Bash', { urgency: 'maybe' }),
      guard('tool', '==', 'Bash', { ruleId: '' }),
    ]
    expect(guardsOf(effort([...broken, good])).map(({ ruleId }) => ruleId)).toEqual([good.ruleId])
    for (const nothing of [undefined, null, 'x', { 0: good }]) expect(guardsOf(effort(nothing))).toEqual([])
    for (const one of broken) expect(guardsSchema.safeParse([one]).success).toBe(false)
  })

  test('are parsed once for the same row', () => {
    const row = effort([guard('tool', '==', 'Bash')])
    expect(guardsOf(row)).toBe(guardsOf(row))
  })

  test('say their payload, or the text in it', () => {
    const say = (payload: unknown) => wordsOf({ ruleId: 'r1', payload, urgency: 'block' })
    expect(say('no')).toBe('no')
    expect(say({ text: 'no text' })).toBe('no text')
    expect(say({ message: 'no message' })).toBe('no message')
    expect(say({ reason: 'why', other: 1 })).toBe('why')
    expect(say({ other: 1 })).toBe('{"other":1}')
    expect(say(undefined)).toBe('"r1"')
  })
})

describe('a rule that can never fire', () => {
  const cases: [field: string, op: string, value: unknown, says: string][] = [
    ['phase', '>', 'plan', 'phase is a name'],
    ['tool', '<=', 3, 'tool is a name'],
    ['tool', '==', 3, 'takes text'],
    ['tool', '==', ['Bash'], 'takes one value'],
    ['tool', 'in', [], 'at least one'],
    ['tool', 'in', ['Bash', 1], 'takes text'],
    ['context_usage', '>=', '0.5', 'without quotes'],
    ['context_usage', '>=', 80, '80 % is 0.8'],
    ['heartbeat_counter', '==', 'many', 'without quotes'],
    ['heartbeat_counter', 'in', [1, '2'], 'without quotes'],
  ]
  for (const [field, op, value, says] of cases)
    test(`${field} ${op} ${JSON.stringify(value)} is refused, but ignored if it is already stored`, () => {
      const rule = guard(field, op, value)
      expect(guardsSchema.safeParse([rule]).error?.issues[0]?.message).toContain(says)
      expect(guardsOf(effort([rule]))).toHaveLength(1)
    })

  test('is not one of those that do', () => {
    const rules = [
      guard('phase', 'not in', ['plan', 'build']),
      guard('tool', 'in', 'Bash'),
      guard('context_usage', '<', 1),
      guard('heartbeat_counter', 'in', [3, 6]),
    ]
    expect(guardsSchema.safeParse(rules).success).toBe(true)
  })
})
