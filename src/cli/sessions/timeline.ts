/** The timeline of a session, from the journal and from its efforts. */
import { call, OWN_AGENT, type SessionView, type WireEvent } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { type Entry, timelineOf, withoutPayload } from '../../timeline/index.ts'
import { storedEvents } from '../events/stored.ts'
import type { Input } from '../framework/define.ts'
import { dim, out } from '../framework/terminal.ts'
import type * as commands from './index.ts'
import { timelineLines } from './timeline-lines.ts'

const GLANCE_LINES = 20 // on a terminal, below the facts
const WHOLE_LINES = 200
const EVENTS_PER_LINE = 3 // a tool call is one line and up to three events
const MORE_EVENTS = 100 // for those that no line comes of
const MAX_EFFORTS = 5
const MAX_MESSAGES = 1_000
const MAX_SET_BACKS = 100
const CLOCK_SET_BACK = 'ClockSetBack'

export interface Timeline {
  readonly entries: readonly Entry[]
  /** There are earlier entries. */
  readonly isCut: boolean
}

/** Undefined if none is wanted: programs get a timeline only with --timeline. */
export function timelineLimit({
  timeline,
  json,
  limit,
}: Input<typeof commands.session>['flags']): number | undefined {
  if (!timeline && (json || process.stdout.isTTY !== true)) return undefined
  return limit ?? (timeline ? WHOLE_LINES : GLANCE_LINES)
}

export async function sessionTimeline(
  places: Places,
  session: SessionView,
  limit: number,
): Promise<Timeline> {
  const { database } = await call(places, 'status')
  const efforts = await call(places, 'effort.list', { session: session.id })
  const details = await Promise.all(
    efforts
      .slice(0, MAX_EFFORTS)
      .map(({ id }) => call(places, 'effort.get', { effort: id, messages: MAX_MESSAGES })),
  )
  // Any number of events may have no entry; then more events are read.
  for (let most = limit * EVENTS_PER_LINE + MORE_EVENTS; ; most *= 4) {
    const events: WireEvent[] = []
    for (const event of storedEvents(database, { session: session.id }, most))
      events.push(withoutPayload(event))
    const isCut = events.length === most
    const all = timelineOf(session, [...events, ...setBacks(database, events)].sort(bySeq), details)
    if (all.length < limit && isCut) continue
    return { entries: all.slice(-limit), isCut: isCut || all.length > limit }
  }
}

/** These events have no session, and shift the times of all sessions. */
function setBacks(database: string, [first]: readonly WireEvent[]): WireEvent[] {
  if (!first) return []
  const query = { type: CLOCK_SET_BACK, agent: OWN_AGENT, after: first.seq }
  return [...storedEvents(database, query, MAX_SET_BACKS)].map(withoutPayload)
}

function bySeq(a: WireEvent, b: WireEvent): number {
  return a.seq - b.seq
}

export function showTimeline(session: SessionView, { entries, isCut }: Timeline): void {
  if (entries.length === 0) return
  out('')
  if (isCut) out(dim(`${' '.repeat(11)}… earlier: gantry session ${session.name} --timeline --limit all`))
  for (const line of timelineLines(entries, session.startedAt, Date.now())) out(line)
}
