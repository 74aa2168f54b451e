/** Why an event is answered as it is: what each rule and each guard says, about which bytes, and how long it takes. */
import { withoutUndefined } from '../../core/without-undefined.ts'
import type { HookEvent } from '../../events/index.ts'
import { withNamedType } from '../../ingest/index.ts'
import { parseRow } from '../../journal/index.ts'
import type { AnsweredThen, Condition, GuardReason, Reasons, RuleReason, Span } from '../../rpc/index.ts'
import type { Effects } from '../../shell/index.ts'
import type { EventReader } from '../../store/index.ts'
import { callOf } from '../guards/call.ts'
import type { GuardSettings } from '../guards/config.ts'
import type { Guard, Facts as GuardFacts } from '../guards/guard.ts'
import { GUARDS } from '../guards/index.ts'
import { findings, type Modes, modesOf } from '../guards/judge.ts'
import { judge } from '../judge.ts'
import { conditionsOf, SPLIT, saidBy } from '../rules/conditions.ts'
import { type Rule, rewritten } from '../rules/index.ts'
import { compilePattern } from '../rules/pattern/index.ts'
import { compileRule, Facts, type Judgement } from '../rules/rule.ts'
import type { RuleText } from '../rules/rule-schema.ts'
import type { Draft } from './draft.ts'

export async function why(draft: Draft, settings: GuardSettings, event: HookEvent): Promise<Reasons> {
  await draft.look(event)
  const asked = new Map<Rule, Asked>()
  const { policy, guards } = draft.judges
  const { verdict } = judge(
    { policy, guards },
    event,
    event.receivedAt,
    (rule, judgement, tookMs, _, facts) => asked.set(rule, { judgement, tookMs, facts }),
  )
  const meant = [...policy.rules, ...(policy.projectOf(event) ?? [])]
  const rules = meant.map((rule) => {
    const one = asked.get(rule)
    return ruleReason(rule, one?.facts ?? new Facts(event, policy.world), one)
  })
  const facts = event.tool && guards.factsOf(rewritten(event, verdict))
  const modes = modesOf(settings)
  const isHeard = event.type === 'PreToolUse' || event.type === 'PermissionRequest'
  const said = draft.hasGuards && facts && isHeard ? guardReasons(facts, modes) : []
  const { unknown } = draft.judge(event)
  return { rules, guards: said, verdict, ...(unknown === undefined ? {} : { unknown }) }
}

interface Asked {
  readonly judgement: Judgement
  readonly tookMs: number
  readonly facts: Facts
}

function ruleReason(rule: Rule, facts: Facts, asked: Asked | undefined): RuleReason {
  const began = performance.now()
  const judgement = asked?.judgement ?? rule.judge(facts)
  const tookMs = asked?.tookMs ?? performance.now() - began
  const conditions = conditionsOf(rule.text).map(([name, text]): Condition => {
    const part = compileRule(text).judge(facts)
    const span = part === 'yes' ? spanOf(text, facts) : undefined
    return { name, ...saidBy(part), ...(span ? { span } : {}) }
  })
  const isSplit = judgement === 'no' && conditions.every(({ said }) => said === 'matched')
  return {
    ...{ id: rule.id, ...saidBy(judgement), ...(isSplit ? { why: SPLIT } : {}), conditions },
    isLate: asked === undefined,
    tookMs,
  }
}

const WORK = 10_000_000 // as much as the rules of one event may take

function spanOf(text: RuleText, facts: Facts): Span | undefined {
  const { match, when } = text
  const [path, pattern] = Object.entries(match)[0] ?? []
  if (path !== undefined && pattern !== undefined) {
    const texts = facts.textsAt(path)
    if ('unknown' in texts) return undefined
    for (const value of texts) {
      const found = compilePattern(pattern).find(value, { left: WORK })
      if (found) return spanIn(value, found)
    }
  }
  const call = when && facts.world.call(facts.event)
  if (!call?.source) return undefined
  const rule = compileRule(text)
  const command = call.effects.commands.find((_, index) => {
    const part = { ...call, effects: onlyOf(call.effects, index) }
    return rule.judge(new Facts(facts.event, { ...facts.world, call: () => part })) === 'yes'
  })
  return command && spanIn(call.source, command.span)
}

/** The effects of one command. */
function onlyOf(effects: Effects, index: number): Effects {
  const own = <T extends { readonly command: number }>(all: readonly T[]) =>
    all.filter(({ command }) => command === index).map((effect) => ({ ...effect, command: 0 }))
  const { commands, reads, writes, deletes, network } = effects
  return {
    ...effects,
    commands: commands.slice(index, index + 1),
    reads: own(reads),
    writes: own(writes),
    deletes: own(deletes),
    network: own(network),
  }
}

function spanIn(text: string, [from, to]: readonly [number, number]): Span {
  const start = Buffer.byteLength(text.slice(0, from))
  const part = text.slice(from, to)
  return { text: part, from: start, to: start + Buffer.byteLength(part) }
}

function guardReasons(facts: GuardFacts, modes: Modes): GuardReason[] {
  return GUARDS.map((guard) => {
    const mode = modes.get(guard.id) ?? 'off'
    if (mode === 'off') return { id: guard.id, mode, said: 'not matched', why: 'it is off', tookMs: 0 }
    const began = performance.now()
    const found = foundBy(guard, facts)
    const tookMs = performance.now() - began
    const { understood, why } = facts.effects
    if (found === undefined && !understood)
      return {
        id: guard.id,
        mode,
        said: 'not understood',
        why: why ?? 'its command is not understood',
        tookMs,
      }
    if (found === undefined) return { id: guard.id, mode, said: 'not matched', tookMs }
    const span = guardSpan(guard, facts)
    return { id: guard.id, mode, said: 'matched', why: found, ...(span ? { span } : {}), tookMs }
  })
}

function foundBy(guard: Guard, facts: GuardFacts): string | undefined {
  return findings(facts, new Map(GUARDS.map(({ id }) => [id, id === guard.id ? 'deny' : 'off'])))[0]?.found
}

/** The command in which the guard finds it alone, else the whole line. */
function guardSpan(guard: Guard, facts: GuardFacts): Span | undefined {
  const { source, calls, effects } = facts
  if (source === '') return undefined
  const one = calls.find((call) => {
    if (guard.programs?.includes(call.program) && guard.call?.(call, facts) !== undefined) return true
    const part = { source: source.slice(...call.command.span), effects: onlyOf(effects, call.index) }
    return guard.finds?.({ ...facts, ...part, calls: [callOf(call.command, 0)] }) !== undefined
  })
  return spanIn(source, one ? one.command.span : [0, source.length])
}

/** Undefined if nothing was answered, or if the answer is no longer stored. */
export function answeredThen(reader: EventReader, event: HookEvent): AnsweredThen | undefined {
  const said = reader.saidAbout(event)
  const answer = said.find(({ id }) => id === event.id)
  const person = said.findLast(({ id }) => id !== event.id)?.type
  if (!answer) return undefined
  const { by, reason } = JSON.parse(answer.data) as { by?: string; reason?: string }
  return { at: answer.at, decision: answer.type, ...withoutUndefined({ by, reason, person }) }
}

export function storedEvent(reader: EventReader, id: string): HookEvent | undefined {
  const row = reader.byId(id)
  return row && withNamedType(parseRow(row))
}
