/**
 * The newest events that match a query, oldest first. A long journal is read by a separate read-only process; on the
 * daemon's own thread only the newest rows are checked.
 */
import type { EventQuery, WireEvent } from '../rpc/index.ts'
import type { EventFilter, JournalRow, Listed } from '../store/index.ts'
import { matches, rowFilter, toWire } from './event-filter.ts'
import { parseRow } from './parse-event.ts'

/** The daemon's store, or a reader beside it. */
export interface ListSource {
  listed(filter: EventFilter, limit: number, passes: (row: JournalRow) => boolean): Listed[]
  row(seq: number): JournalRow | undefined
  seqBefore(time: number): number
}

export interface GlanceSource extends ListSource {
  lastSeq(): number
  seqBack(session: string | undefined, before: number, count: number): number
}

const GLANCE_ROWS = 2_000 // checked without their payloads: well below a millisecond
const GLANCE_EVENTS = 200
const GLANCE_BYTES = 256 * 1024 // payloads that are read and sent: a millisecond or two

/** Newest first. */
export function findEvents(source: ListSource, query: EventQuery, limit: number): Listed[] {
  const after = floorOf(source, query)
  const filter = {
    ...rowFilter(query),
    after,
    ...(query.before === undefined ? {} : { before: query.before }),
  }
  return source.listed(filter, limit, (row) => matches(parseRow(row), query))
}

/** One at a time, oldest first; skips events that retention deleted meanwhile. */
export function* readEvents(source: ListSource, found: readonly Listed[]): Generator<WireEvent> {
  for (const { seq } of found.toReversed()) {
    const row = source.row(seq)
    if (row) yield toWire(parseRow(row))
  }
}

/** Undefined if it takes more than a quick look. */
export function glance(source: GlanceSource, query: EventQuery, limit: number): WireEvent[] | undefined {
  if (query.grep !== undefined) return undefined
  const floor = floorOf(source, query)
  const before = Math.min(query.before ?? Number.POSITIVE_INFINITY, source.lastSeq() + 1)
  const back = source.seqBack(query.session, before, GLANCE_ROWS)
  const found = findEvents(source, { ...query, after: Math.max(floor, back) }, limit)
  if (found.length < limit && back > floor) return undefined
  if (found.length > GLANCE_EVENTS || bytesOf(found) > GLANCE_BYTES) return undefined
  return [...readEvents(source, found)]
}

export function bytesOf(found: readonly Listed[]): number {
  return found.reduce((sum, { bytes }) => sum + bytes, 0)
}

function floorOf(source: ListSource, { after = 0, since }: EventQuery): number {
  return Math.max(after, since === undefined ? 0 : source.seqBefore(since))
}
