/**
 * What of a verdict can be said. Each agent has a table of manners, one for each event; what an event has no
 * words for becomes the nearest safe thing and is listed in `degraded`.
 */
import type { Verdict } from '../events/index.ts'
import type { Answer } from './agent.ts'
import { SILENT, saysNothing } from './reply.ts'

export type Decision = Verdict['decision']

/** How one event takes an answer. */
export interface ReplyCapabilities {
  readonly decisions: readonly Decision[]
  /** Takes another input for the tool. */
  readonly rewrite?: true
  /** Takes context for the model. */
  readonly context?: true
  /**
   * What silence means, where it does not mean "go ahead": a person is being asked, it is refused already, or the
   * agent's own rules come next.
   */
  readonly silence?: 'asks' | 'refuses' | 'own-rules'
  /** Its stdout is not an answer. */
  readonly mute?: true
}

/** `say` throws only for an input that is no JSON: a cycle, a BigInt. Handlers are programs, and programs do that. */
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
      // To allow what was meant to be changed first would allow something else.
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
