/**
 * The clock was set back, so all times in a session move back with it. Then later events have later times again, and all
 * ages stay the same.
 */
import type { Session } from './session.ts'

/** By name: every time in a session has such a name, and nothing else does. */
const TIME = /^(?:at|since|lastActivity)$|(?:At|Until)$/

export function setBack(session: Session, byMs: number): Session {
  const { cause, ...known } = session // the event in the journal keeps its time
  return { ...moved(known, byMs), ...(cause === undefined ? {} : { cause }) }
}

/** A session that ended long ago stays unchanged, unless it would end in the future. */
export function isConcerned({ endedAt, lastActivity }: Session, now: number): boolean {
  return endedAt === undefined || lastActivity > now
}

function moved<T>(value: T, byMs: number): T {
  if (Array.isArray(value)) return value.map((one) => moved(one, byMs)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    typeof one === 'number' && TIME.test(name) ? Math.max(0, one - byMs) : moved(one, byMs),
  ])
  return Object.fromEntries(entries) as T
}
