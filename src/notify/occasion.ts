/**
 * Occasions to notify a person, derived from a session's state. An occasion keeps its key as long as it lasts, so it is
 * sent once, across events and restarts.
 */
import { isResting, isStale, phaseOf, type Session, STALE_MS } from '../sessions/state/index.ts'

export const REASONS = [
  'permission',
  'question',
  'plan',
  'elicitation',
  'error',
  'done',
  'budget',
  'idle',
  'stale',
  'rule',
] as const

export type Reason = (typeof REASONS)[number]

export interface Occasion {
  readonly key: string
  readonly session: string
  readonly reason: Reason
  readonly since: number
  /** The agent's words: untrusted text. Empty if they may still come. */
  readonly says: string
  /** For `done`: the turn that ended. */
  readonly turn?: number
}

/** Reasons that block an agent until somebody acts: these are still news when quiet hours end. */
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
  // A replayed session waits for nobody.
  if (session.endedAt !== undefined || session.replayed) return []
  const found = session.attention.map((one): Occasion => {
    const who = one.call ?? one.agentId ?? ''
    const key = keyOf(session, one.kind, one.since, who)
    return { key, session: session.key, reason: one.kind, since: one.since, says: one.reason }
  })
  return [...found, ...doneOf(session), ...budgetOf(session), ...staleOf(session, now)]
}

/** A rule with `notify` spoke to an event of a session. */
export function ruleOccasion(
  session: string,
  { id, receivedAt }: { readonly id: string; readonly receivedAt: number },
  says: string,
): Occasion {
  return { key: `${session}|rule|${id}`, session, reason: 'rule', since: receivedAt, says }
}

/** Whether it is still worth sending. */
export function stands(occasion: Occasion, session: Session | undefined, now: number): boolean {
  if (!session) return false
  if (occasion.reason === 'rule') return true // it has happened
  // A session that ends right after its turn, as `claude -p` does, is still done.
  if (occasion.reason === 'done')
    return !session.turn.open && !session.seen && turnOf(session) === occasion.turn
  return occasionsOf(session, now).some(({ key }) => key === occasion.key)
}

/**
 * Only a turn that ended by itself: after Esc somebody is already there. A session inside another's tool call does not
 * count.
 */
function doneOf(session: Session): Occasion[] {
  const { turn, attention, seen, parentSessionId } = session
  if (turn.graceUntil === undefined || turn.stoppedAt === undefined || seen) return []
  if (attention.length > 0 || parentSessionId !== undefined || phaseOf(session) !== 'idle') return []
  const began = turnOf(session)
  const key = keyOf(session, 'done', began, '')
  return [{ key, session: session.key, reason: 'done', since: turn.stoppedAt, says: '', turn: began }]
}

/** It comes to the end of a budget: news until the next prompt, which only a person gives who knows. */
function budgetOf(session: Session): Occasion[] {
  const { budget, lastPromptAt = 0 } = session
  if (budget === undefined || budget.since < lastPromptAt) return []
  const key = keyOf(session, 'budget', budget.since, '')
  return [{ key, session: session.key, reason: 'budget', since: budget.since, says: budget.text }]
}

/** A resting session may rest for days; one that works or waits in silence for hours is lost. */
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
