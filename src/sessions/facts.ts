/** Small changes of a session's facts that many events share. */
import type { HookEvent } from '../events/index.ts'
import type { Session } from './session.ts'

export function active(session: Session): Session {
  return session.starting ? { ...session, starting: false } : session
}

export function ended<T extends { readonly endedAt?: number }>(child: T, at: number): T {
  return child.endedAt === undefined ? { ...child, endedAt: at } : child
}

/** The same without some optional keys: absent, not undefined. */
export function without<K extends 'detail' | 'error' | 'endedAt'>(session: Session, ...keys: K[]): Session {
  const next: { -readonly [P in keyof Session]: Session[P] } = { ...session }
  for (const key of keys) delete next[key]
  return next
}

/** It was spooled, or found in a transcript: hooks that ran after it may have been heard before it. */
export function isAfterthought(event: HookEvent): boolean {
  return event.transport === 'spool' || event.transport === 'healer'
}
