/**
 * A session in the formats of other tools. Pure projections of the facts and the clock. docs/dialects.md is generated with
 * these functions.
 */
import { graceOf, isHard, type Phase, phaseOf } from './phase.ts'
import type { Attention, Session } from './session.ts'

type CoopState =
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

/** In order of importance. */
export const ENGINE_ORDER = ['error', 'attention', 'working', 'checked', 'done'] as const
export type EngineStatus = (typeof ENGINE_ORDER)[number]
type TeleclaudeEvent =
  | 'session_start'
  | 'prompt'
  | 'tool_use'
  | 'stop'
  | 'notification'
  | 'error'
  | 'session_end'

export const DIALECTS = ['gantry', 'coop', 'atm', 'engine', 'teleclaude'] as const
export type Dialect = (typeof DIALECTS)[number]

/** What follows from the phase alone; the functions below add the rest. */
const WORDS: Readonly<Record<Phase, Words>> = {
  starting: { coop: 'starting', atm: 'Idle', engine: undefined, teleclaude: 'session_start' },
  idle: { coop: 'waiting_for_input', atm: 'Idle', engine: 'done', teleclaude: 'stop' },
  working: { coop: 'working', atm: 'Working', engine: 'working', teleclaude: 'prompt' },
  blocked: {
    coop: 'permission_prompt',
    atm: 'AttentionNeeded',
    engine: 'attention',
    teleclaude: 'notification',
  },
  compacting: { coop: 'working', atm: 'Working', engine: 'working', teleclaude: undefined },
  ended: { coop: 'exited', atm: undefined, engine: 'done', teleclaude: 'session_end' },
}

interface Words {
  readonly coop: CoopState
  /** Undefined for an ended session: the tool removes it. */
  readonly atm: AtmStatus['status'] | undefined
  /** Undefined for a session without a prompt yet: the tool has no status for it. */
  readonly engine: EngineStatus | undefined
  /** The last of that tool's events that leads to this state; it has none for compacting. */
  readonly teleclaude: TeleclaudeEvent | undefined
}

/** Until the grace period ends, an idle session may just be between two tool calls. */
export function coop(session: Session, now: number): CoopState {
  const phase = phaseOf(session)
  if (phase === 'idle' && now < (graceOf(session) ?? 0)) return 'working'
  return phase === 'blocked' ? coopBlocked(hardest(session)) : WORDS[phase].coop
}

export function atm(session: Session): AtmStatus | undefined {
  const status = WORDS[phaseOf(session)].atm
  if (status === 'AttentionNeeded') return { status, reason: atmReason(hardest(session)) }
  if (status === 'Working') return { status, detail: session.detail ?? null }
  return status && { status }
}

/** error > attention > working > checked > done. */
export function engine(session: Session): EngineStatus | undefined {
  return session.error && phaseOf(session) !== 'ended' ? 'error' : engineOfTurn(session)
}

/** The same without failed calls, after which an agent goes on: an error is a turn that ended in one. */
export function engineOfTurn(session: Session): EngineStatus | undefined {
  const phase = phaseOf(session)
  if (phase !== 'ended' && session.attention.some(({ kind }) => kind === 'error')) return 'error'
  return phase === 'idle' && session.seen ? 'checked' : WORDS[phase].engine
}

export function teleclaude(session: Session): TeleclaudeEvent | undefined {
  const phase = phaseOf(session)
  if (session.error && phase !== 'ended') return 'error'
  return phase === 'working' && session.openTools.length > 0 ? 'tool_use' : WORDS[phase].teleclaude
}

function hardest(session: Session): Attention | undefined {
  return session.attention.find(isHard)
}

function coopBlocked(attention: Attention | undefined): CoopState {
  if (attention?.kind === 'question') return 'ask_user'
  return attention?.kind === 'plan' ? 'plan_prompt' : 'permission_prompt'
}

/** A dialog known only from a notification names no tool. */
function atmReason(attention: Attention | undefined): string {
  return attention?.reason ?? 'Permission'
}
