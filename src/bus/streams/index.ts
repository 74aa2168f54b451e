/** The streams: names, subjects, storage, and positions in them. Nothing here delivers messages. */
export { Cursor, messageAt, PAGE_BYTES, type Place } from './cursor.ts'
export { type Filter, filterOn } from './filter.ts'
export { type BusMessage, hookMessage, ownMessage } from './message.ts'
export {
  filterFor,
  isStream,
  matchesSubject,
  PREFIX,
  STREAM_MAX_BYTES,
  STREAM_MAX_MESSAGES,
  STREAMS,
  type StreamName,
  subjectOf,
  token,
} from './names.ts'
export { type Source, Sources, type Streams } from './sources.ts'
export { type LastSeqs, StoredStreams } from './stored.ts'
export { type View, Window } from './window.ts'
