/**
 * Everything that others can build on: streams of events, of session changes and of decisions, read on the spot from
 * the journal or on NATS JetStream, with the same subjects and the same ids.
 */
export { type BusMessage, headersOf, hookMessage } from './message.ts'
export { type Source, Sources } from './sources.ts'
export {
  isStream,
  PREFIX,
  SESSION_FLOOR,
  STREAM_MAX_BYTES,
  STREAM_MAX_MESSAGES,
  STREAMS,
  type StreamName,
} from './streams.ts'
export { filterFor, matchesSubject, subjectOf, token } from './subjects.ts'
