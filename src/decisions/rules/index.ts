/**
 * What gantry answers: rules in one deterministic order, one merged verdict, the same for all agents; and what waits for
 * the answer of a person. This room does no I/O and takes the clock as an argument.
 *
 *   const rules = inOrder(await parseRules(yaml, 'guards.yaml'))
 *   const policy = new Policy(rules)
 *   policy.decide(event, Date.now())   // { verdict, stopLoop? }
 */
import { type HookEvent, NO_VERDICT, type Verdict } from '../../events/index.ts'
import { isStopBlock, StopGuard } from '../stop-guard.ts'
import { evaluate, inOrder, rewritten, type Setting, type Told, tightened } from './evaluate.ts'
import type { Rule } from './rule.ts'
import { Spoken } from './spoken.ts'
import { EVENT_ALONE, type World } from './world.ts'

export { type Approval, ApprovalBook, type Ending, type Found, type Question } from '../approvals/waiting.ts'
export type { Rule } from './rule.ts'
export type { RuleText } from './rule-schema.ts'
export { parseRules } from './rules-file.ts'
export { evaluate, inOrder, rewritten, type Setting, type Told, tightened, type World }

export interface Decided {
  readonly verdict: Verdict
  /** A rule wanted to keep the turn going once too often; it was overruled. */
  readonly stopLoop?: string
}

const NOTHING: Decided = { verdict: NO_VERDICT }

export class Policy {
  readonly #guard = new StopGuard()
  readonly #setting: Setting & { readonly world: World }
  #rules: readonly Rule[]

  constructor(rules: readonly Rule[] = [], world: World = EVENT_ALONE) {
    this.#rules = inOrder(rules)
    this.#setting = { world, spoken: new Spoken() }
  }

  get world(): World {
    return this.#setting.world
  }

  get rules(): readonly Rule[] {
    return this.#rules
  }

  replace(rules: readonly Rule[]): void {
    this.#rules = inOrder(rules)
  }

  decide(event: HookEvent, now: number, told?: Told): Decided {
    if (this.#rules.length === 0) return NOTHING
    const verdict = evaluate(this.#rules, event, told ? { ...this.#setting, told } : this.#setting)
    return verdict === NO_VERDICT ? NOTHING : this.guarded(event, verdict, now)
  }

  /** Whoever wants to keep a turn going, rule or handler, it counts against the one limit of its session. */
  guarded(event: HookEvent, verdict: Verdict, now: number): Decided {
    if (!isStopBlock(verdict) || this.#guard.allows(event, now)) return { verdict }
    const { decision: _, reason: __, ...rest } = verdict
    return { verdict: { ...rest, decision: 'none' }, stopLoop: verdict.by ?? '' }
  }
}
