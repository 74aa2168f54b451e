/**
 * What external evidence means for a session: the event that its agent should have sent, or undefined if hooks already
 * reported it. Pure; observers gather the evidence and raise the event with its reason.
 */
import type { TranscriptFact } from '../../agents/index.ts'
import { isHard, isResting, phaseOf } from './phase.ts'
import type { Attention, Session } from './session.ts'

/** What a transcript tells and hooks may have left out, or what observers find out elsewhere. */
export type Evidence =
  | Extract<TranscriptFact, { kind: 'turn-start' | 'interrupt' | 'turn-end' | 'turn-error' }>
  /** None of the agent's dialogs is open any more. */
  | { readonly kind: 'answered'; readonly at: number; readonly says: string }
  | { readonly kind: 'gone'; readonly at: number; readonly says: string }

/** An agent's own status, and since when. */
export interface ReportedStatus {
  readonly status: 'busy' | 'waiting' | 'idle'
  readonly at: number
}

export interface Inferred {
  readonly type:
    | 'UserPromptSubmit'
    | 'PermissionResolved'
    | 'Interrupt'
    | 'Stop'
    | 'StopFailure'
    | 'SessionEnd'
    | 'TurnObserved'
  readonly at: number
  readonly reason: string
  readonly prompt?: string
  readonly error?: string
  /** The error message shown to the person. */
  readonly details?: string
  readonly message?: string
}

export function infer(session: Session, evidence: Evidence): Inferred | undefined {
  if (session.endedAt !== undefined) return undefined
  const reason = `${evidence.kind}: ${evidence.says}`
  if (evidence.kind === 'gone') return { type: 'SessionEnd', at: evidence.at, reason }
  const { open, startedAt, stoppedAt } = session.turn
  if (evidence.kind === 'turn-start') {
    if (open || evidence.at <= Math.max(stoppedAt ?? 0, session.generationAt)) return undefined
    return { type: 'UserPromptSubmit', at: evidence.at, reason, prompt: evidence.prompt }
  }
  // Sub-agents' work and requests do not belong to the turn: they continue without it.
  const isMain = ({ agentId }: { readonly agentId?: string }) => agentId === undefined
  const busy =
    open || session.openTools.some(isMain) || session.attention.some((one) => isMain(one) && isHard(one))
  // Older than the open turn: it ended another one.
  if (evidence.at < (startedAt ?? session.generationAt) || (!busy && !isUntoldError(session, evidence)))
    return undefined
  switch (evidence.kind) {
    case 'interrupt':
      return { type: 'Interrupt', at: evidence.at, reason }
    case 'answered': {
      const asks = session.attention.some((one) => one.kind === 'permission' && one.since <= evidence.at)
      return asks ? { type: 'PermissionResolved', at: evidence.at, reason } : undefined
    }
    case 'turn-end':
      return {
        type: 'Stop',
        at: evidence.at,
        reason,
        ...(evidence.message === undefined ? {} : { message: evidence.message }),
      }
    case 'turn-error':
      return {
        type: 'StopFailure',
        at: evidence.at,
        reason,
        error: evidence.error,
        ...(evidence.message === undefined ? {} : { details: evidence.message }),
      }
  }
}

/** Gemini CLI 0.61.0 ends a failed turn like any other: the error may come after the hook that closed the turn. */
function isUntoldError({ turn, attention }: Session, { kind, at }: Evidence): boolean {
  return (
    kind === 'turn-error' && at <= (turn.stoppedAt ?? 0) && attention.every((one) => one.kind !== 'error')
  )
}

/** All background work has ended, and the turn that handles its result has not begun. */
export function awaitsNotice(session: Session): boolean {
  const { background, turn, endedAt } = session
  if (background.length === 0 || turn.open || endedAt !== undefined) return false
  return background.every((one) => one.endedAt !== undefined)
}

const SHOWN_WITHIN_MS = 200 // a dialog may be on the screen a moment before the hook of its request has run
const QUEUED_MS = 1_000 // by then it is in the dialog queue, which is shown one by one

/**
 * Idle means that no turn is open; Esc reports nothing else. Busy after that means a turn that no hook reported: a `!`
 * command in Claude 2.1.325, and the answer to it. Busy after a dialog means that its request was answered, and so was
 * everything queued behind it for a while, unless it is hidden because its hook still runs. In doubt the result is
 * undefined.
 */
export function healByStatus(
  session: Session,
  before: ReportedStatus | undefined,
  now: ReportedStatus,
  isHidden: (one: Attention) => boolean = () => false,
): Inferred | readonly Attention[] | undefined {
  if (session.endedAt !== undefined || now.status === 'waiting') return undefined
  const began = session.turn.startedAt ?? session.generationAt
  if (now.status === 'idle' && (session.turn.open || session.compacting) && now.at >= began)
    return { type: 'Interrupt', at: now.at, reason: 'status: idle' }
  if (now.status === 'busy' && before?.status === 'idle')
    return isAtRest(session, now.at) ? begun(now) : undefined
  if (before?.status !== 'waiting') return undefined
  const asked = session.attention.filter((one) => one.kind === 'permission' && !isHidden(one))
  const shown = asked.filter((one) => one.since <= before.at + SHOWN_WITHIN_MS)
  const isAnswered = (one: Attention) =>
    one.since <= now.at - QUEUED_MS || (shown.length === 1 && shown[0] === one)
  return asked.some(isAnswered) ? asked.filter(isAnswered) : undefined
}

function begun({ at }: ReportedStatus): Inferred {
  return { type: 'TurnObserved', at, reason: 'status: busy' }
}

/** Nothing is known to run, and the status is not from an ended turn. */
function isAtRest(session: Session, at: number): boolean {
  return isResting(phaseOf(session)) && at >= (session.turn.stoppedAt ?? 0)
}
