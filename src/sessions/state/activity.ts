/** Small state changes that many events share. */
import type { HookEvent } from '../../events/index.ts'
import type { Session } from './session.ts'

export function active(session: Session): Session {
  return session.starting ? { ...session, starting: false } : session
}

export function ended<T extends { readonly endedAt?: number }>(child: T, at: number): T {
  return child.endedAt === undefined ? { ...child, endedAt: at } : child
}

type OptionalKey = { [K in keyof Session]-?: undefined extends Session[K] ? K : never }[keyof Session]

/** Removes optional keys, so that they are absent rather than undefined. */
export function without(session: Session, ...keys: OptionalKey[]): Session {
  if (!keys.some((key) => session[key] !== undefined)) return session // a deletion makes the object slow
  const next: { -readonly [P in keyof Session]: Session[P] } = { ...session }
  for (const key of keys) delete next[key]
  return next
}

/** Before the open turn began, or before the last one ended: it ended an earlier one. */
export function isBeforeTurn({ turn }: Session, at: number): boolean {
  return at < ((turn.open ? turn.startedAt : turn.stoppedAt) ?? 0)
}

const RACE_MS = 50 // a queued prompt is sent while calls still run; their hooks are concurrent processes

/** The question was answered, or ended with its turn or sub-agent. */
export function isPastAsking(session: Session, { at, agentId }: HookEvent): boolean {
  if (agentId === undefined) return isBeforeTurn(session, session.turn.open ? at + RACE_MS : at)
  const child = session.children.find((one) => one.agentId === agentId)
  const stopped = session.stoppedChildren?.find((one) => one.agentId === agentId)
  return at < (child?.endedAt ?? stopped?.at ?? 0)
}

/** The event was spooled or found in a transcript: later hooks may have arrived before it. */
export function isAfterthought(event: HookEvent): boolean {
  return event.transport === 'spool' || event.transport === 'healer'
}
