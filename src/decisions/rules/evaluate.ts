/**
 * Many rules, one verdict, always the same one: rules speak in ascending priority, then in the order they stand. The
 * first deny or ask wins and ends it; rewrites chain, each rule sees the input as the ones before left it; contexts
 * add up; an allow holds only as long as nobody objects. A rule that cannot tell whether it is meant objects as it says
 * itself, unless one that can tell objects.
 */
import { type HookEvent, NO_VERDICT, type Verdict } from '../../events/index.ts'
import { Facts, type Judgement, type Rule } from './rule.ts'

type Draft = { -readonly [K in keyof Verdict]: Verdict[K] }

/** The order in which rules speak. */
export function inOrder(rules: readonly Rule[]): Rule[] {
  return [...rules].sort((a, b) => a.priority - b.priority) // sort is stable: equal priorities keep their place
}

/** Told what each rule that is asked says, and how long that took. */
export type Observer = (rule: Rule, judgement: Judgement, tookMs: number) => void

/** `rules` in order. Pure. */
export function evaluate(rules: readonly Rule[], event: HookEvent, observer?: Observer): Verdict {
  let verdict: Draft | undefined
  let doubt: Doubt | undefined
  let facts = new Facts(event)
  for (const rule of rules) {
    const judgement = observer ? observed(rule, facts, observer) : rule.judge(facts)
    if (judgement === 'no') continue
    if (judgement !== 'yes') {
      doubt = strongerOf(doubt, rule, judgement.unknown)
      continue
    }
    verdict ??= { decision: 'none' }
    const seen = add(verdict, rule, facts.event)
    if (seen !== facts.event) facts = facts.rewritten(seen)
    if (verdict.decision === 'deny' || verdict.decision === 'ask') return verdict
  }
  if (doubt) return { ...verdict, decision: doubt.says, by: doubt.rule.id, reason: reasonOf(doubt) }
  return verdict ?? NO_VERDICT
}

function observed(rule: Rule, facts: Facts, observer: Observer): Judgement {
  const began = performance.now()
  const judgement = rule.judge(facts)
  observer(rule, judgement, performance.now() - began)
  return judgement
}

interface Doubt {
  readonly rule: Rule
  readonly says: 'ask' | 'deny'
  readonly why: string
}

/** The first, but a deny before any ask. */
function strongerOf(before: Doubt | undefined, rule: Rule, why: string): Doubt | undefined {
  const says = rule.onUnknown
  if (says === 'pass' || before?.says === 'deny' || before?.says === says) return before
  return { rule, says, why }
}

function reasonOf({ rule, why }: Doubt): string {
  const about = `gantry could not tell whether rule "${rule.id}" applies: ${why}.`
  return rule.text.reason === undefined ? about : `${about} The rule says: ${rule.text.reason}`
}

function add(verdict: Draft, rule: Rule, event: HookEvent): HookEvent {
  const { decision, reason, input, systemMessage } = rule.text
  if (decision !== 'none') {
    verdict.decision = decision
    verdict.by = rule.id
    if (reason === undefined) delete verdict.reason
    else verdict.reason = reason
  }
  if (rule.context.length > 0) verdict.context = [...(verdict.context ?? []), ...rule.context]
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
