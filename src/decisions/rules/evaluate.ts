/**
 * Many rules, one verdict, always the same one: rules speak in ascending priority, then in the order they stand. The
 * first deny, ask or block-stop wins and ends it; rewrites chain, each rule sees the input as the ones before left it; contexts
 * add up; an allow holds only as long as nobody objects. A rule that cannot tell whether it is meant objects as it says
 * itself, unless one that can tell objects.
 */
import { messageOf } from '../../core/errors.ts'
import { type HookEvent, NO_VERDICT, type Verdict } from '../../events/index.ts'
import { isFinal, isStop } from '../verdicts.ts'
import type { RuleCooldowns } from './cooldowns.ts'
import { Facts, type Judgement, type Rule, type Unknown } from './rule.ts'
import type { World } from './world.ts'

type Draft = { -readonly [K in keyof Verdict]: Verdict[K] }

/** The order in which rules speak. */
export function inOrder(rules: readonly Rule[]): Rule[] {
  return [...rules].sort((a, b) => a.priority - b.priority) // sort is stable: equal priorities keep their place
}

export interface Setting {
  readonly world?: World
  /** When rules with `once` or `cooldown` last applied. */
  readonly spoken?: RuleCooldowns
  readonly told?: Told | undefined
  /** Called for each rule that applies. */
  readonly count?: ((rule: Rule) => void) | undefined
}

/** Called for each evaluated rule, with the time it took, and whether it applied: `once` and `cooldown` may silence it. */
export type Told = (rule: Rule, judgement: Judgement, tookMs: number, spoke: boolean, facts: Facts) => void

/** `rules` in order. */
export function evaluate(
  rules: readonly Rule[],
  event: HookEvent,
  { world, spoken, told, count }: Setting = {},
): Verdict {
  let verdict: Draft | undefined
  let doubt: Doubt | undefined
  let facts = new Facts(event, world)
  for (const rule of rules) {
    const began = told ? performance.now() : 0
    const judgement = judgementOf(rule, facts)
    const speaks = judgement !== 'no' && spoken?.allows(rule, facts) !== false
    told?.(rule, judgement, performance.now() - began, speaks, facts)
    if (!speaks) continue
    if (judgement !== 'yes') {
      doubt = strongerOf(doubt, rule, judgement)
      continue
    }
    spoken?.note(rule, facts)
    count?.(rule)
    verdict ??= { decision: 'none' }
    const seen = add(verdict, rule, facts.event)
    if (seen !== facts.event) facts = facts.rewritten(seen)
    if (isFinal(verdict) && fits(verdict, event)) return verdict
  }
  if (doubt) count?.(doubt.rule)
  if (doubt) return { ...verdict, decision: doubt.says, by: doubt.rule.id, reason: reasonOf(doubt) }
  return verdict ?? NO_VERDICT
}

function judgementOf(rule: Rule, facts: Facts): Judgement {
  try {
    return facts.lacks(rule) ? 'no' : rule.judge(facts)
  } catch (error) {
    return rule.text.onFailure === 'open'
      ? 'no'
      : { unknown: `it failed: ${messageOf(error)}`, hasFailed: true }
  }
}

interface Doubt {
  readonly rule: Rule
  readonly says: 'ask' | 'deny'
  readonly why: string
}

/** The first, but a deny before any ask. */
function strongerOf(
  before: Doubt | undefined,
  rule: Rule,
  { unknown: why, hasFailed }: Unknown,
): Doubt | undefined {
  const says = hasFailed && rule.text.onFailure === 'closed' ? 'deny' : rule.onUnknown
  if (says === 'pass' || before?.says === 'deny' || before?.says === says) return before
  return { rule, says, why }
}

function reasonOf({ rule, why }: Doubt): string {
  const about = `gantry could not tell whether rule "${rule.id}" applies: ${why}.`
  return rule.text.reason === undefined ? about : `${about} The rule says: ${rule.text.reason}`
}

function add(verdict: Draft, rule: Rule, event: HookEvent): HookEvent {
  const { decision, reason, input, systemMessage, notify } = rule.text
  if (decision !== 'none' && (decision !== 'block-stop' || fits({ decision }, event))) {
    verdict.decision = decision
    verdict.by = rule.id
    if (reason === undefined) delete verdict.reason
    else verdict.reason = reason
  }
  if (rule.context.length > 0) verdict.context = [...(verdict.context ?? []), ...rule.context]
  if (notify !== undefined) verdict.notify = [...(verdict.notify ?? []), notify]
  if (systemMessage !== undefined) {
    verdict.systemMessage = verdict.systemMessage
      ? `${verdict.systemMessage}\n${systemMessage}`
      : systemMessage
  }
  if (input === undefined || !event.tool) return event
  const before = event.tool.input
  const changed = { ...(typeof before === 'object' && before !== null ? before : {}), ...input }
  verdict.input = changed
  verdict.by ??= rule.id
  return { ...event, tool: { ...event.tool, input: changed } }
}

/** Only a turn that would end can be kept going, and its end can be neither denied nor asked about. */
function fits({ decision }: Verdict, { type }: HookEvent): boolean {
  return decision === 'block-stop' ? isStop(type) || type === 'TeammateIdle' : !isStop(type)
}

/** The event with the input that a verdict gives its tool. */
export function rewritten(event: HookEvent, { input }: Verdict): HookEvent {
  return input === undefined || !event.tool ? event : { ...event, tool: { ...event.tool, input } }
}
