/** Reads the timeline of a session from the journal, in a process beside the daemon. */
import { OWN_AGENT, type TimelineEffort, type WireEvent } from '../../client/index.ts'
import { type Entry, timelineOf, withoutPayload } from '../../timeline/index.ts'
import { storedEvents } from '../framework/stored.ts'

const EVENTS_PER_LINE = 3 // a tool call is one line and up to three events
const MORE_EVENTS = 100 // for those that no line comes of
const MAX_SET_BACKS = 100
const CLOCK_SET_BACK = 'ClockSetBack'

export interface Timeline {
  readonly entries: readonly Entry[]
  /** There are earlier entries. */
  readonly isCut: boolean
}

export function readTimeline(
  database: string,
  session: { readonly id: string; readonly agent: string },
  efforts: readonly TimelineEffort[],
  limit: number,
): Timeline {
  // Any number of events may have no entry; then more events are read.
  for (let most = limit * EVENTS_PER_LINE + MORE_EVENTS; ; most *= 4) {
    const events: WireEvent[] = []
    for (const event of storedEvents(database, { session: session.id }, most))
      events.push(withoutPayload(event))
    const isCut = events.length === most
    const all = timelineOf(session, [...events, ...setBacks(database, events)].sort(bySeq), efforts)
    if (all.length < limit && isCut) continue
    return { entries: all.slice(-limit), isCut: isCut || all.length > limit }
  }
}

/**
 * These events have no session, and shift the times of all sessions. By the empty session, the index finds them; by their
 * type alone, everything since the session began would be read.
 */
function setBacks(database: string, [first]: readonly WireEvent[]): WireEvent[] {
  if (!first) return []
  const query = { session: '', type: CLOCK_SET_BACK, agent: OWN_AGENT, after: first.seq }
  return [...storedEvents(database, query, MAX_SET_BACKS)].map(withoutPayload)
}

function bySeq(a: WireEvent, b: WireEvent): number {
  return a.seq - b.seq
}
