/** The immediate verdict of rules and guards: in the daemon, and in a replay. */
import { type HookEvent, mergeVerdicts, type Verdict } from '../events/index.ts'
import { type Decided, type Policy, rewritten, type Told } from './rules/index.ts'

export interface Judges {
  readonly policy: Policy
  readonly guards: { decide(event: HookEvent): Verdict }
}

export function judge({ policy, guards }: Judges, event: HookEvent, now: number, told?: Told): Decided {
  const decided = policy.decide(event, now, told)
  const { verdict } = decided
  // Guards judge the input that the tool would get.
  return { ...decided, verdict: mergeVerdicts(verdict, guards.decide(rewritten(event, verdict))) }
}
