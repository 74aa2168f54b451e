/**
 * The clock was set back: what a session remembers moves back with it. Then what happens next is later than all that
 * happened before, as it is, and everything is as long ago as it is.
 */
import type { Session } from './session.ts'

/** By their names: every time in a session is called so, and nothing else is. */
const TIME = /^(?:at|since|lastActivity)$|(?:At|Until)$/

export function setBack(session: Session, byMs: number): Session {
  const { cause, ...known } = session // the event in the journal keeps its time
  return { ...moved(known, byMs), ...(cause === undefined ? {} : { cause }) }
}

/** One that is long over is left as it was, unless it would be over in the future. */
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
