/**
 * Many rules, one verdict, always the same one: rules speak in ascending priority, then in the order they stand. The
 * first deny or ask wins and ends it; rewrites chain, each rule sees the input as the ones before left it; contexts
 * add up; an allow holds only as long as nobody objects.
 */
import { type HookEvent, NO_VERDICT, type Verdict } from '../events/index.ts'
import type { Rule } from './rule.ts'

type Draft = { -readonly [K in keyof Verdict]: Verdict[K] }

/** The order in which rules speak. */
export function inOrder(rules: readonly Rule[]): Rule[] {
  return [...rules].sort((a, b) => a.priority - b.priority) // sort is stable: equal priorities keep their place
}

/** `rules` in order. Pure. */
export function evaluate(rules: readonly Rule[], event: HookEvent): Verdict {
  let verdict: Draft | undefined
  let seen = event
  for (const rule of rules) {
    if (!rule.applies(seen)) continue
    verdict ??= { decision: 'none' }
    seen = add(verdict, rule, seen)
    if (verdict.decision === 'deny' || verdict.decision === 'ask') break
  }
  return verdict ?? NO_VERDICT
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
