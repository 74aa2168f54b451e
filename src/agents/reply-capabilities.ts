/**
 * What of a verdict an agent can express. Each agent has a table of capabilities, one per event. What an event does not
 * support becomes the nearest safe answer and is listed in `degraded`.
 */
import type { Verdict } from '../events/index.ts'
import type { Answer } from './agent.ts'
import { reasonOf, SILENT, saysNothing } from './reply.ts'

export type Decision = Verdict['decision']

/** What one event accepts as an answer. */
export interface ReplyCapabilities {
  readonly decisions: readonly Decision[]
  /** Accepts a new tool input. */
  readonly rewrite?: true
  /** Accepts context for the model. */
  readonly context?: true
  /**
   * What an empty answer leads to, if not "go ahead": a person is asked, the action is refused already, or the agent's own
   * rules decide.
   */
  readonly silence?: 'asks' | 'refuses' | 'own-rules'
  /** Its stdout is not read as an answer. */
  readonly mute?: true
  /** It has already happened: a refusal can only be told to the model. */
  readonly afterwards?: true
}

/** Characters. More context would crowd out the work it is meant to help. */
export const CONTEXT_LIMIT = 50_000

export const MUTE = { decisions: [], mute: true } as const
export const PLAIN = { decisions: [] } as const
export const CONTEXT = { decisions: [], context: true } as const
export const RESULT = { decisions: [], context: true, afterwards: true } as const
export const PROMPT = { way: 'block', decisions: ['deny'], context: true } as const
export const STOP = { way: 'block-stop', decisions: ['block-stop'] } as const

/** `say` throws only for an input that is not JSON, such as a cycle or a BigInt, which handlers may produce. */
export function answerSafely(verdict: Verdict, say: (verdict: Verdict) => Answer): Answer {
  if (saysNothing(verdict)) return SILENT
  try {
    return say(verdict)
  } catch {
    const { input: _, ...rest } = verdict
    const allowed = verdict.decision === 'allow'
    const { reply, degraded = [] } = say(allowed ? { ...rest, decision: 'none' } : rest)
    return { reply, degraded: [...degraded, 'rewrite', ...(allowed ? ['allow'] : [])] }
  }
}

/** The decision this event can be told, or the nearest safe one. `degraded` has what became of the input. */
export function supportedDecision(
  verdict: Verdict,
  capabilities: ReplyCapabilities,
  degraded: string[],
): Decision {
  const { decision } = verdict
  const can = (word: Decision) => capabilities.decisions.includes(word)
  switch (decision) {
    case 'none':
      return 'none'
    case 'allow':
      // Without the rewrite, `allow` would allow something else.
      if (can('allow') && !degraded.includes('rewrite')) return 'allow'
      if (can('allow') || capabilities.silence) degraded.push('allow')
      return 'none'
    case 'ask':
      if (can('ask')) return 'ask'
      if (capabilities.silence === 'asks') return 'none'
      degraded.push('ask')
      return can('deny') ? 'deny' : 'none'
    case 'deny':
    case 'block-stop':
      if (can(decision)) return decision
      degraded.push(decision)
      return 'none'
  }
}

/** The new input, unless the action is refused; `degraded` if this event takes none. */
export function supportedInput(verdict: Verdict, isTaken: boolean, degraded: string[]): Verdict['input'] {
  if (verdict.input === undefined || verdict.decision === 'deny') return undefined
  if (isTaken) return verdict.input
  degraded.push('rewrite')
  return undefined
}

/** A question that became a refusal says so. */
export function supportedReason(verdict: Verdict, decision: Decision, title: string): string {
  const reason = reasonOf(verdict)
  return verdict.decision === 'ask' && decision === 'deny'
    ? `${reason} (${title} cannot ask here, so it was denied.)`
    : reason
}
