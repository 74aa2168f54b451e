/**
 * A rule: when it speaks (event types, agent, tool, patterns on fields, effects and facts) and what it says. Written in YAML by the user,
 * checked once when it is loaded, so that nothing can be wrong with it when a hook waits.
 */
import { spanOf } from '../../client/since.ts'
import { isObject } from '../../core/is-object.ts'
import { lazy } from '../../core/lazy.ts'
import { wordsLine } from '../../core/text/subject.ts'
import { type HookEvent, UNREADABLE } from '../../events/index.ts'
import type { ToolCall } from '../tool-calls.ts'
import { type Budget, compilePattern } from './pattern/index.ts'
import type { RuleText } from './rule-schema.ts'
import type { Offers } from './when.ts'
import { EVENT_ALONE, type World } from './world.ts'

const conditions = lazy(() => require('./when.ts') as typeof import('./when.ts'))

/**
 * For all patterns of all rules on one event, in steps of one known character: some 30 ms at the very most. One rule gets
 * through the largest payload; 200 rules get through 50,000 characters, or 800,000 without the words that they look for.
 */
const WORK_PER_EVENT = 10_000_000

/** Whether a rule is about an event. Unknown is what could not be judged whole, and never the same as no. */
export type Judgement = 'yes' | 'no' | Unknown

export interface Unknown {
  readonly unknown: string
  /** The rule itself failed. */
  readonly hasFailed?: true
}

/** A rule ready to be asked. */
export interface Rule {
  readonly id: string
  readonly priority: number
  readonly text: RuleText
  readonly context: readonly string[]
  readonly types: ReadonlySet<string>
  /** What the rule says where it cannot tell whether it is meant. */
  readonly onUnknown: 'ask' | 'deny' | 'pass'
  readonly once?: 'session' | 'turn' | undefined
  readonly cooldownMs?: number | undefined
  /** Bits of what a tool call has to do; 0: the rule has to be asked. */
  readonly needs: number
  /** File and line. */
  readonly place?: string
  /** What cannot work in it, each with file and line. */
  readonly warnings?: readonly string[]
  judge(facts: Facts): Judgement
  /** Whether `tool` lets the event pass, whatever else the rule wants. */
  isAboutTool(event: HookEvent): boolean
}

export function compileRule(text: RuleText): Rule {
  const types = new Set(typeof text.on === 'string' ? [text.on] : text.on)
  const patterns = Object.entries(text.match).map(([path, source]) => {
    const pattern = compilePattern(source)
    return (facts: Facts): Judgement => {
      const texts = facts.textsAt(path)
      if ('unknown' in texts) return texts
      let judgement: Judgement = 'no'
      for (const text of texts) {
        const matches = pattern.test(text, facts.budget)
        if (matches) return 'yes'
        if (matches === undefined) judgement = { unknown: `${path} is too long for its pattern` }
      }
      return judgement
    }
  })
  const tool = text.tool === undefined ? undefined : toolTest(text.tool)
  const tests = [
    ...(tool === undefined ? [] : [tool]),
    ...patterns,
    ...(text.when === undefined ? [] : [conditions().compileWhen(text.when)]),
  ]
  // Other tests come before, and may spend of the budget.
  const isWhenAlone = tests.length === 1 && text.agent === undefined
  return {
    id: text.id,
    priority: text.priority,
    text,
    context: text.context === undefined ? [] : [text.context].flat(),
    types,
    onUnknown: text.onUnknown ?? (text.decision === 'deny' || text.decision === 'ask' ? 'ask' : 'pass'),
    once: text.once,
    cooldownMs: text.cooldown === undefined ? undefined : spanOf(text.cooldown),
    needs: text.when && isWhenAlone ? conditions().needsOf(text.when) : 0,
    isAboutTool: (event) => tool === undefined || tool(new Facts(event)) === 'yes',
    judge(facts) {
      const { event } = facts
      if (text.agent !== undefined && text.agent !== event.agent) return 'no'
      let judgement: Judgement = 'yes'
      if (!types.has(event.type) && !types.has('*')) {
        if (event.type !== UNREADABLE) return 'no'
        judgement = NAMELESS
      }
      for (const test of tests) {
        const next = test(facts)
        if (next === 'no') return 'no'
        if (judgement === 'yes') judgement = next
      }
      return judgement
    },
  }
}

type Texts = readonly string[]

const NAMELESS: Unknown = { unknown: 'nothing says which event it is' }
export const CUT: Unknown = { unknown: 'its payload could not be read whole' }
export const TOO_LONG: Unknown = { unknown: 'it is too long for all rules together' }

function toolTest(tool: string): (facts: Facts) => Judgement {
  const pattern = isSlashed(tool) ? compilePattern(tool.slice(1, -1)) : undefined
  return ({ event, budget }) => {
    const name = event.tool?.name
    if (name === undefined && event.partial) return CUT
    const matches = pattern ? pattern.test(name ?? '', budget) : name === tool
    return matches === undefined ? { unknown: 'its tool has too long a name' } : matches ? 'yes' : 'no'
  }
}

/** What rules ask of one event: the texts in it, each made once, and the work they may still cause. */
export class Facts {
  readonly event: HookEvent
  readonly world: World
  readonly budget: Budget
  readonly #texts: Map<string, Texts | Unknown>
  #call: { readonly of: ToolCall | undefined } | undefined
  #offers: Offers | undefined

  constructor(
    event: HookEvent,
    world: World = EVENT_ALONE,
    budget: Budget = { left: WORK_PER_EVENT },
    texts?: Map<string, Texts | Unknown>,
  ) {
    this.event = event
    this.world = world
    this.budget = budget
    this.#texts = texts ?? new Map()
  }

  /** The same event with the input of its tool as a rule left it: other texts stay as they are. */
  rewritten(event: HookEvent): Facts {
    const texts = new Map(this.#texts)
    for (const path of texts.keys())
      if (path === 'tool' || /^tool\.input(?:\.|$)/.test(path)) texts.delete(path)
    return new Facts(event, this.world, this.budget, texts)
  }

  /** What the event's tool call does. */
  get call(): ToolCall | undefined {
    this.#call ??= { of: this.world.call(this.event) }
    return this.#call.of
  }

  /** Whether a rule says no, by what it needs; the budget is spent as if it had been asked. */
  lacks({ needs, types }: Rule): boolean {
    if (needs === 0) return false
    const { EFFECTS, offersOf } = conditions()
    this.#offers ??= offersOf(this)
    const { bits, steps } = this.#offers
    if ((needs & bits) !== 0) return false
    if ((needs & EFFECTS) === 0) return true
    if (this.budget.left < steps || !types.has(this.event.type)) return false
    this.budget.left -= steps
    return true
  }

  /** The value at a path as text: empty if it is not there. A command given as its words is also one text of them all. */
  textsAt(path: string): Texts | Unknown {
    const known = this.#texts.get(path)
    if (known !== undefined) return known
    const texts = this.#make(path)
    this.#texts.set(path, texts)
    return texts
  }

  #make(path: string): Texts | Unknown {
    const value = valueAt(this.event, path.split('.'))
    if (this.event.partial && (value === undefined || typeof value === 'object')) return CUT
    if (typeof value === 'string') return [value]
    if (value === undefined) return ['']
    if (this.budget.left < 0) return TOO_LONG
    const texts = [JSON.stringify(value)]
    const line = withLines(value)
    if (line !== undefined) texts.push(typeof line === 'string' ? line : JSON.stringify(line))
    for (const text of texts) this.budget.left -= text.length // it takes about as long as so many steps; rules that rewrite cause it again and again
    return texts
  }
}

/** The value with its words as one line: a command itself, or the input that it is a field of. Nothing where there is none. */
function withLines(value: unknown): unknown {
  const line = wordsLine(value)
  if (line !== undefined || !isObject(value)) return line
  let lines: Record<string, unknown> | undefined
  for (const [name, field] of Object.entries(value)) {
    const text = wordsLine(field)
    if (text === undefined) continue
    lines ??= { ...value }
    lines[name] = text
  }
  return lines
}

function valueAt(event: HookEvent, steps: readonly string[]): unknown {
  let value: unknown = event
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}

export function isSlashed(text: string): boolean {
  return text.length > 2 && text.startsWith('/') && text.endsWith('/')
}
