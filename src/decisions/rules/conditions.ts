/** The conditions of a rule one by one: which of them says no. */
import type { Said } from '../../rpc/index.ts'
import { compileRule, type Facts, type Judgement, type Rule } from './rule.ts'
import type { RuleText } from './rule-schema.ts'

export const SPLIT = 'its conditions hold, but not for the same command'

export function saidBy(judgement: Judgement): { said: Said; why?: string } {
  if (judgement === 'yes') return { said: 'matched' }
  return judgement === 'no' ? { said: 'not matched' } : { said: 'not understood', why: judgement.unknown }
}

/** Each condition as a rule of its own that has no other: `on`, `tool`, `match.tool.input.command`, `when.program` … */
export function conditionsOf({
  on,
  agent,
  tool,
  match,
  when,
  ...rest
}: RuleText): [name: string, text: RuleText][] {
  const bare: RuleText = { ...rest, on: '*', match: {} }
  return [
    ['on', { ...bare, on }],
    ...(agent === undefined ? [] : [['agent', { ...bare, agent }] as [string, RuleText]]),
    ...(tool === undefined ? [] : [['tool', { ...bare, tool }] as [string, RuleText]]),
    ...Object.entries(match).map(([path, pattern]): [string, RuleText] => [
      `match.${path}`,
      { ...bare, match: { [path]: pattern } },
    ]),
    ...Object.entries(when ?? {}).map(([key, value]): [string, RuleText] => [
      `when.${key}`,
      { ...bare, when: { [key]: value } },
    ]),
  ]
}

/** Why a rule does not match: `when.program does not hold`. */
export function whyNot({ text }: Rule, facts: Facts): string {
  const failing = conditionsOf(text)
    .filter(([, alone]) => compileRule(alone).judge(facts) === 'no')
    .map(([name]) => name)
  if (failing.length === 0) return SPLIT
  return failing.includes('on')
    ? 'on does not hold'
    : `${failing.join(', ')} ${failing.length === 1 ? 'does' : 'do'} not hold`
}
