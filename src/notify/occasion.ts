/**
 * What is worth telling a person, read from the state of a session. An occasion has a key that stays the same for as
 * long as it stands, so it is told once, whatever else happens in the session and however often a daemon starts.
 */
import { isResting, isStale, phaseOf, type Session, STALE_MS } from '../sessions/state/index.ts'

export const REASONS = [
  'permission',
  'question',
  'plan',
  'elicitation',
  'error',
  'done',
  'idle',
  'stale',
] as const

export type Reason = (typeof REASONS)[number]

export interface Occasion {
  readonly key: string
  readonly session: string
  readonly reason: Reason
  readonly since: number
  /** In the agent's words: hostile text. Empty where they may still come. */
  readonly says: string
  /** Which turn it ended, for `done`. */
  readonly turn?: number
}

/** Reasons that stop an agent until somebody acts: these are still news when quiet hours end. */
const WAITING: ReadonlySet<Reason> = new Set<Reason>([
  'permission',
  'question',
  'plan',
  'elicitation',
  'error',
])

export function isWaiting(reason: Reason): boolean {
  return WAITING.has(reason)
}

export function occasionsOf(session: Session, now: number): Occasion[] {
  // A recording that is played waits for nobody.
  if (session.endedAt !== undefined || session.replayed) return []
  const found = session.attention.map((one): Occasion => {
    const who = one.call ?? one.agentId ?? ''
    const key = keyOf(session, one.kind, one.since, who)
    return { key, session: session.key, reason: one.kind, since: one.since, says: one.reason }
  })
  return [...found, ...doneOf(session), ...staleOf(session, now)]
}

/** Whether it is still worth telling. */
export function stands(occasion: Occasion, session: Session | undefined, now: number): boolean {
  if (!session) return false
  // What ended its turn and then itself, as `claude -p` does, is done all the same.
  if (occasion.reason === 'done')
    return !session.turn.open && !session.seen && turnOf(session) === occasion.turn
  return occasionsOf(session, now).some(({ key }) => key === occasion.key)
}

/** Only a turn that ended by itself: whoever pressed Esc sits in front of it. A session in another's tool call is no news. */
function doneOf(session: Session): Occasion[] {
  const { turn, attention, seen, parentSessionId } = session
  if (turn.graceUntil === undefined || turn.stoppedAt === undefined || seen) return []
  if (attention.length > 0 || parentSessionId !== undefined || phaseOf(session) !== 'idle') return []
  const began = turnOf(session)
  const key = keyOf(session, 'done', began, '')
  return [{ key, session: session.key, reason: 'done', since: turn.stoppedAt, says: '', turn: began }]
}

/** A session that rests may rest for days; one that works or waits and says nothing for hours is lost. */
function staleOf(session: Session, now: number): Occasion[] {
  if (!isStale(session, now) || isResting(phaseOf(session))) return []
  const key = keyOf(session, 'stale', session.lastActivity, '')
  const since = session.lastActivity + STALE_MS
  return [{ key, session: session.key, reason: 'stale', since, says: session.detail ?? '' }]
}

function turnOf({ turn }: Session): number {
  return turn.startedAt ?? turn.stoppedAt ?? 0
}

function keyOf(session: Session, reason: Reason, since: number, who: string): string {
  return `${session.key}|${session.generation}|${reason}|${since}|${who}`
}
