/** The streams: names, subjects, storage, and positions in them. Nothing here delivers messages. */
export { Cursor, messageAt, PAGE_BYTES, type StreamPosition } from './cursor.ts'
export { type Filter, filterOn } from './filter.ts'
export { KeptRange, type View } from './kept-range.ts'
export { type BusMessage, hookMessage, ownMessage } from './message.ts'
export {
  filterFor,
  isStream,
  matchesSubject,
  PREFIX,
  STREAMS,
  type StreamName,
  subjectOf,
  token,
} from './names.ts'
export { type Source, Sources, type Streams } from './sources.ts'
export { type LastSeqs, StoredStreams } from './stored.ts'
