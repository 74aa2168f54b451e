/**
 * What happened in a session, as entries for the command line, the TUI and the web page: one entry per thing, with one mark
 * and one vocabulary. Pure.
 *
 *   timelineOf({ id: 's1', agent: 'claude' }, events, efforts).map(styleOf)
 */
export type { Entry } from './entry.ts'
export { boundsOf } from './lanes.ts'
export { messageTone, messageWords } from './message.ts'
export { type Trace, traceOf } from './perfetto.ts'
export { clockOf, endOf, nameOf, sentenceOf, styleOf } from './style.ts'
export { timelineOf } from './timeline.ts'
export { withoutPayload } from './without-payload.ts'
