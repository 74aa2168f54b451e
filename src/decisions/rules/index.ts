/**
 * What gantry answers: rules in one deterministic order, one merged verdict, the same for all agents.
 * No I/O here; the clock is an argument.
 *
 *   const rules = inOrder(await parseRules(yaml, 'guards.yaml'))
 *   const policy = new Policy(rules)
 *   policy.decide(event, Date.now())   // { verdict, stopLoop? }
 */
import { type HookEvent, mergeVerdicts, NO_VERDICT, type Verdict } from '../../events/index.ts'
import { StopGuard } from '../stop-guard.ts'
import { isStopBlock } from '../verdicts.ts'
import { RuleCooldowns } from './cooldowns.ts'
import { evaluate, inOrder, rewritten, type Setting, type Told } from './evaluate.ts'
import type { Rule } from './rule.ts'
import { EVENT_ALONE, type World } from './world.ts'

export {
  type ProjectState,
  parseProject,
  proofOf,
  readProject,
  readTrusted,
  stateOf,
  stateWords,
  trustFile,
} from './project-rules.ts'
export type { Rule } from './rule.ts'
export { parseRules } from './rules-file.ts'
export { evaluate, inOrder, rewritten, type Told, type World }

/** The schema of a file of rules, for editors. */
export async function rulesJsonSchema(): Promise<object> {
  return (await import('./rule-schema.ts')).rulesJsonSchema()
}

export interface Decided {
  readonly verdict: Verdict
  /** A rule wanted to keep the turn going once too often; it was overruled. */
  readonly stopLoop?: string
  /** It was reported before. */
  readonly isTold?: boolean
}

const NOTHING: Decided = { verdict: NO_VERDICT }

export class Policy {
  readonly #guard = new StopGuard()
  readonly #setting: Setting & { readonly world: World; readonly spoken: RuleCooldowns }
  #rules: readonly Rule[]
  #projects: ReadonlyMap<string, readonly Rule[]> = new Map()

  constructor(rules: readonly Rule[] = [], world: World = EVENT_ALONE, count?: (rule: Rule) => void) {
    this.#rules = inOrder(rules)
    this.#setting = { world, spoken: new RuleCooldowns(), count }
  }

  get spoken(): RuleCooldowns {
    return this.#setting.spoken
  }

  get world(): World {
    return this.#setting.world
  }

  get rules(): readonly Rule[] {
    return this.#rules
  }

  /** Whether a rule may ask for the repository around an event, which should be read before that. */
  get asksRepository(): boolean {
    return this.#projects.size > 0 || this.#rules.some(({ text }) => text.when !== undefined)
  }

  get projects(): ReadonlyMap<string, readonly Rule[]> {
    return this.#projects
  }

  replace(rules: readonly Rule[]): void {
    this.#rules = inOrder(rules)
  }

  /** Rules that repositories bring along, by their folder. */
  replaceProjects(projects: ReadonlyMap<string, readonly Rule[]>): void {
    this.#projects = new Map([...projects].map(([root, rules]) => [root, inOrder(rules)]))
  }

  decide(event: HookEvent, now: number, told?: Told): Decided {
    if (this.#rules.length === 0 && this.#projects.size === 0) return NOTHING
    const verdict = this.evaluate(event, told ? { ...this.#setting, told } : this.#setting)
    return verdict === NO_VERDICT ? NOTHING : this.guarded(event, verdict, now)
  }

  /** The owner's rules, then those of the project, which see the input that is left and only tighten. */
  evaluate(event: HookEvent, setting: Setting): Verdict {
    const verdict = evaluate(this.#rules, event, setting)
    const rules = this.#projects.size === 0 ? undefined : this.projectOf(event)
    return rules ? mergeVerdicts(verdict, evaluate(rules, rewritten(event, verdict), setting)) : verdict
  }

  /** The innermost around the folder of the event; a linked worktree has those of its repository. */
  projectOf(event: HookEvent): readonly Rule[] | undefined {
    const { cwd } = event
    if (cwd === undefined) return undefined
    for (let at = cwd; at.length > 1; at = at.slice(0, at.lastIndexOf('/'))) {
      const rules = this.#projects.get(at)
      if (rules) return rules
    }
    return this.world.rootsOf?.(cwd).flatMap((root) => this.#projects.get(root) ?? [])
  }

  /** Stop blocks of rules and handlers count against one limit per session. */
  guarded(event: HookEvent, verdict: Verdict, now: number): Decided {
    const judged = isStopBlock(verdict) ? this.#guard.judge(event, now) : 'stands'
    if (judged === 'stands') return { verdict }
    const { decision: _, reason: __, ...rest } = verdict
    const isTold = judged === 'still a loop'
    return { verdict: { ...rest, decision: 'none' }, stopLoop: verdict.by ?? '', isTold }
  }
}
