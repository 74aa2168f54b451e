/**
 * What evidence from outside means for a session: the event that its agent should have sent, or nothing when the hooks
 * already said it. Pure; the daemon gathers the evidence and puts the event into the journal with its reason.
 */
import { isHard, phaseOf } from './phase.ts'
import type { Attention, Session } from './session.ts'

/** From a transcript, as `agents/` reads it. */
export type Evidence =
  | { readonly kind: 'interrupt'; readonly at: number; readonly says: string }
  | { readonly kind: 'turn-end'; readonly at: number; readonly says: string; readonly message?: string }
  | { readonly kind: 'turn-error'; readonly at: number; readonly says: string; readonly error: string }
  | { readonly kind: 'gone'; readonly at: number; readonly says: string }

/** What an agent says of itself, and since when. */
export interface Stand {
  readonly status: 'busy' | 'waiting' | 'idle'
  readonly at: number
}

export interface Healed {
  readonly type: 'Interrupt' | 'Stop' | 'StopFailure' | 'SessionEnd' | 'TurnObserved'
  readonly at: number
  readonly reason: string
  readonly error?: string
  readonly message?: string
}

export function heal(session: Session, evidence: Evidence): Healed | undefined {
  if (session.endedAt !== undefined) return undefined
  const reason = `${evidence.kind}: ${evidence.says}`
  if (evidence.kind === 'gone') return { type: 'SessionEnd', at: evidence.at, reason }
  const began = session.turn.startedAt ?? session.generationAt
  const busy = session.turn.open || session.openTools.length > 0 || session.attention.some(isHard)
  // Older than the turn that is open now: it ended another one.
  if (!busy || evidence.at < began) return undefined
  switch (evidence.kind) {
    case 'interrupt':
      return { type: 'Interrupt', at: evidence.at, reason }
    case 'turn-end':
      return {
        type: 'Stop',
        at: evidence.at,
        reason,
        ...(evidence.message === undefined ? {} : { message: evidence.message }),
      }
    case 'turn-error':
      return { type: 'StopFailure', at: evidence.at, reason, error: evidence.error }
  }
}

/** Nothing runs any more, and the turn that takes up what came of it has not begun. */
export function awaitsNotice(session: Session): boolean {
  const { background, turn, endedAt } = session
  if (background.length === 0 || turn.open || endedAt !== undefined) return false
  return background.every((one) => one.endedAt !== undefined)
}

const SHOWN_WITHIN_MS = 200 // a dialog may be on the screen a moment before the hook of its request has run

/**
 * An agent that waits for a prompt has no open turn; Esc tells nobody. One that is busy after that works on something that
 * no hook told of: a `!` command in Claude 2.1.325, and the answer to it. One that showed a dialog and goes on has its
 * answer: the one request that the dialog was for is given back, none where that is not certain.
 */
export function healByStatus(
  session: Session,
  before: Stand | undefined,
  now: Stand,
): Healed | Attention | undefined {
  if (session.endedAt !== undefined || now.status === 'waiting') return undefined
  const began = session.turn.startedAt ?? session.generationAt
  if (now.status === 'idle' && (session.turn.open || session.compacting) && now.at >= began)
    return { type: 'Interrupt', at: now.at, reason: 'status: idle' }
  if (now.status === 'busy' && before?.status === 'idle')
    return isAtRest(session, now.at) ? begun(now) : undefined
  if (before?.status !== 'waiting') return undefined
  const asked = session.attention.filter(
    (one) => one.kind === 'permission' && one.since <= before.at + SHOWN_WITHIN_MS,
  )
  return asked.length === 1 ? asked[0] : undefined
}

function begun({ at }: Stand): Healed {
  return { type: 'TurnObserved', at, reason: 'status: busy' }
}

/** Nothing is known to go on, and what is said is not of a turn that is over. */
function isAtRest(session: Session, at: number): boolean {
  const phase = phaseOf(session)
  return (phase === 'idle' || phase === 'starting') && at >= (session.turn.stoppedAt ?? 0)
}
