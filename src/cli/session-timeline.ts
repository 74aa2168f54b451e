/** What happened in a session, from the journal and from the efforts it worked on; bounded. */
import {
  call,
  type EffortDetail,
  type EffortView,
  type SessionView,
  type WireEvent,
} from '../client/index.ts'
import { GantryError } from '../errors.ts'
import type { Places } from '../places.ts'
import { countFlag, type Input } from './command.ts'
import { dim, out } from './terminal.ts'
import { timelineOf } from './timeline.ts'
import type { Entry } from './timeline-entry.ts'
import { timelineLines } from './timeline-lines.ts'

const GLANCE_LINES = 20 // on a terminal, below the facts
const WHOLE_LINES = 200
const MAX_LINES = 3_000
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
  const limit = countFlag(input, 'limit', timeline ? WHOLE_LINES : GLANCE_LINES)
  if (limit > MAX_LINES) throw new GantryError('USAGE', `At most ${MAX_LINES} lines can be shown at once.`)
  return limit
}

export async function sessionTimeline(
  places: Places,
  session: SessionView,
  limit: number,
): Promise<Timeline> {
  const most = limit * EVENTS_PER_LINE + MORE_EVENTS
  const events = (await call(places, 'events.list', { session: session.id, limit: most })) as WireEvent[]
  const efforts = (await call(places, 'effort.list', { session: session.id })) as EffortView[]
  const details = (await Promise.all(
    efforts
      .slice(0, MAX_EFFORTS)
      .map(({ id }) => call(places, 'effort.get', { effort: id, messages: MAX_MESSAGES })),
  )) as EffortDetail[]
  const all = timelineOf(session, events, details)
  return { entries: all.slice(-limit), isCut: all.length > limit || events.length === most }
}

export function showTimeline(session: SessionView, { entries, isCut }: Timeline): void {
  if (entries.length === 0) return
  out('')
  if (isCut)
    out(dim(`${' '.repeat(11)}… earlier: gantry session ${session.name} --timeline --limit ${MAX_LINES}`))
  for (const line of timelineLines(entries, session.startedAt, Date.now())) out(line)
}
