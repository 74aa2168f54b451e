/** What happened in a session, from the journal and from the efforts it worked on. */
import {
  call,
  type EffortDetail,
  type EffortView,
  type SessionView,
  type Status,
  type WireEvent,
} from '../client/index.ts'
import type { Places } from '../places.ts'
import { type Input, limitFlag } from './command.ts'
import { storedEvents } from './stored-events.ts'
import { dim, out } from './terminal.ts'
import { timelineOf } from './timeline.ts'
import type { Entry } from './timeline-entry.ts'
import { timelineLines } from './timeline-lines.ts'

const GLANCE_LINES = 20 // on a terminal, below the facts
const WHOLE_LINES = 200
const EVENTS_PER_LINE = 3 // a tool call is one line and up to three events
const MORE_EVENTS = 100 // for those that no line comes of
const MAX_EFFORTS = 5
const MAX_MESSAGES = 1_000

export interface Timeline {
  readonly entries: readonly Entry[]
  /** There is more before the first of them. */
  readonly isCut: boolean
}

/** Undefined where nobody wants one: programs get it only when they ask for it. */
export function timelineLimit(input: Input): number | undefined {
  const { timeline, json } = input.flags
  if (!timeline && (json || process.stdout.isTTY !== true)) return undefined
  return limitFlag(input, 'limit', timeline ? WHOLE_LINES : GLANCE_LINES)
}

export async function sessionTimeline(
  places: Places,
  session: SessionView,
  limit: number,
): Promise<Timeline> {
  const { database } = (await call(places, 'status')) as Status
  const efforts = (await call(places, 'effort.list', { session: session.id })) as EffortView[]
  const details = (await Promise.all(
    efforts
      .slice(0, MAX_EFFORTS)
      .map(({ id }) => call(places, 'effort.get', { effort: id, messages: MAX_MESSAGES })),
  )) as EffortDetail[]
  // Events that no line comes of may be any number; then more of them are read.
  for (let most = limit * EVENTS_PER_LINE + MORE_EVENTS; ; most *= 4) {
    const events: WireEvent[] = []
    for (const event of storedEvents(database, { session: session.id }, most))
      events.push(withoutPayload(event))
    const all = timelineOf(session, events, details)
    const isCut = events.length === most
    if (all.length < limit && isCut) continue
    return { entries: all.slice(-limit), isCut: isCut || all.length > limit }
  }
}

/** No line has anything of these, and a session may have gigabytes of them. */
function withoutPayload({ raw: _, rawBase64: __, ...event }: WireEvent): WireEvent {
  if (event.tool === undefined) return event
  const { response: ___, ...tool } = event.tool
  return { ...event, tool }
}

export function showTimeline(session: SessionView, { entries, isCut }: Timeline): void {
  if (entries.length === 0) return
  out('')
  if (isCut) out(dim(`${' '.repeat(11)}… earlier: gantry session ${session.name} --timeline --limit all`))
  for (const line of timelineLines(entries, session.startedAt, Date.now())) out(line)
}
