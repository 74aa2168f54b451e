/** What rules and guards say to an event at once: in the daemon, and when the past is rehearsed. */
import { type HookEvent, mergeVerdicts, type Verdict } from '../events/index.ts'
import type { Decided, Observer, Policy } from './rules/index.ts'

export interface Judges {
  readonly policy: Policy
  readonly guards: { decide(event: HookEvent): Verdict }
}

export function judge(
  { policy, guards }: Judges,
  event: HookEvent,
  now: number,
  observer?: Observer,
): Decided {
  const { verdict: ruled, stopLoop } = policy.decide(event, now, observer)
  const verdict = withGuard(ruled, guards.decide(rewritten(event, ruled)))
  return stopLoop === undefined ? { verdict } : { verdict, stopLoop }
}

/** Guards judge the input that the tool would get. */
export function rewritten(event: HookEvent, { input }: Verdict): HookEvent {
  return input === undefined || !event.tool ? event : { ...event, tool: { ...event.tool, input } }
}

/** A guard that denies outweighs a rule that asks; a rule that allows silences no guard. */
function withGuard(ruled: Verdict, guard: Verdict): Verdict {
  return guard.decision === 'deny' && ruled.decision === 'ask'
    ? mergeVerdicts(guard, ruled)
    : mergeVerdicts(ruled, guard)
}
