/**
 * The same session in the words of other tools. Pure projections: they read the facts and the clock, nothing else.
 * docs/dialects.md is made from `DIALECT_ROWS` and these functions.
 */
import { graceOf, isHard, type Phase, phaseOf } from './phase.ts'
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

/** What a phase alone says; the functions below add what else counts. */
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
  /** Nothing for a session that ended: the tool removes it. */
  readonly atm: AtmStatus['status'] | undefined
  /** It has no word for a session of which nothing was asked yet. */
  readonly engine: EngineStatus | undefined
  /** The last event of that tool's vocabulary that brings a session to where it is; it has none for compacting. */
  readonly teleclaude: TeleclaudeEvent | undefined
}

/** Until the grace is over, an idle session may only be between two tool calls. */
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
  const phase = phaseOf(session)
  const hasFailed = session.error || session.attention.some(({ kind }) => kind === 'error')
  if (hasFailed && phase !== 'ended') return 'error'
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

/** A dialog that only a notification told of names no tool. */
function atmReason(attention: Attention | undefined): string {
  return attention?.reason ?? 'Permission'
}
