/**
 * What happened in a session, as entries that the command line, the terminal and a page draw: one thing is one entry, with one
 * sign and one vocabulary. Pure.
 *
 *   timelineOf({ id: 's1', agent: 'claude' }, events, efforts).map(styleOf)
 */
export { type Ask, type Entry, type EntryKind, subjectOf } from './entry.ts'
export { clockOf, type EntryTone, endOf, nameOf, sentenceOf, styleOf, took } from './style.ts'
export { timelineOf, withoutPayload } from './timeline.ts'
