/**
 * What happened in a session, as entries for the command line, the TUI and the web page: one entry per thing, with one mark
 * and one vocabulary. Pure.
 *
 *   timelineOf({ id: 's1', agent: 'claude' }, events, efforts).map(styleOf)
 */
export type { Ask, Entry, EntryKind } from './entry.ts'
export {
  type Lane,
  type LaneBounds,
  type LaneKind,
  type Lanes,
  lanesOf,
  type Span,
  type SpanTone,
  type TimeSums,
} from './lanes.ts'
export { messageTone, messageWords } from './message.ts'
export { type Trace, type TraceEvent, traceOf } from './perfetto.ts'
export { clockOf, type EntryTone, endOf, nameOf, sentenceOf, styleOf, took } from './style.ts'
export { timelineOf } from './timeline.ts'
export { withoutPayload } from './without-payload.ts'
