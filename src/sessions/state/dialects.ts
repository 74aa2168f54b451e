/**
 * The same session in the words of other tools. Pure projections: they read the facts and the clock, nothing else.
 * docs/dialects.md is made from `DIALECT_ROWS` and these functions.
 */
import { graceOf, isHard, phaseOf } from './phase.ts'
import type { Attention, Session } from './session.ts'

export type CoopState =
  | 'starting'
  | 'working'
  | 'waiting_for_input'
  | 'permission_prompt'
  | 'ask_user'
  | 'plan_prompt'
  | 'exited'

export type AtmStatus =
  | { readonly status: 'Idle' }
  | { readonly status: 'Working'; readonly detail: string | null }
  | { readonly status: 'AttentionNeeded'; readonly reason: string }

/** In the order in which they matter. */
export const ENGINE_ORDER = ['error', 'attention', 'working', 'checked', 'done'] as const
export type EngineStatus = (typeof ENGINE_ORDER)[number]
export type TeleclaudeEvent =
  | 'session_start'
  | 'prompt'
  | 'tool_use'
  | 'stop'
  | 'notification'
  | 'error'
  | 'session_end'

export const DIALECTS = ['gantry', 'coop', 'atm', 'engine', 'teleclaude'] as const
export type Dialect = (typeof DIALECTS)[number]

/** Until the grace is over, an idle session may only be between two tool calls. */
export function coop(session: Session, now: number): CoopState {
  switch (phaseOf(session)) {
    case 'ended':
      return 'exited'
    case 'starting':
      return 'starting'
    case 'blocked':
      return coopBlocked(hardest(session))
    case 'idle':
      return now < (graceOf(session) ?? 0) ? 'working' : 'waiting_for_input'
    default:
      return 'working'
  }
}

/** Nothing for a session that ended: the tool removes it. */
export function atm(session: Session): AtmStatus | undefined {
  switch (phaseOf(session)) {
    case 'ended':
      return undefined
    case 'blocked':
      return { status: 'AttentionNeeded', reason: atmReason(hardest(session)) }
    case 'working':
    case 'compacting':
      return { status: 'Working', detail: session.detail ?? null }
    default:
      return { status: 'Idle' }
  }
}

/** error > attention > working > checked > done; it has no word for a session of which nothing was asked yet. */
export function engine(session: Session): EngineStatus | undefined {
  const phase = phaseOf(session)
  if (phase === 'ended') return 'done'
  if (session.error || session.attention.some(({ kind }) => kind === 'error')) return 'error'
  if (phase === 'blocked') return 'attention'
  if (phase === 'working' || phase === 'compacting') return 'working'
  if (phase === 'starting') return undefined
  return session.seen ? 'checked' : 'done'
}

/** The last event of that tool's vocabulary that brings a session to where it is; it has none for compacting. */
export function teleclaude(session: Session): TeleclaudeEvent | undefined {
  const phase = phaseOf(session)
  if (phase === 'ended') return 'session_end'
  if (session.error) return 'error'
  if (phase === 'blocked') return 'notification'
  if (phase === 'starting') return 'session_start'
  if (phase === 'idle') return 'stop'
  if (phase === 'compacting') return undefined
  return session.openTools.length > 0 ? 'tool_use' : 'prompt'
}

function hardest(session: Session): Attention | undefined {
  return session.attention.find(isHard)
}

function coopBlocked(attention: Attention | undefined): CoopState {
  if (attention?.kind === 'question') return 'ask_user'
  return attention?.kind === 'plan' ? 'plan_prompt' : 'permission_prompt'
}

/** A dialog that only a notification told of names no tool. */
function atmReason(attention: Attention | undefined): string {
  return attention?.reason ?? 'Permission'
}
