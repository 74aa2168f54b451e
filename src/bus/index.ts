/**
 * Everything that others can build on: streams of events, of session changes and of decisions, read on the spot from
 * the journal or on NATS JetStream, with the same subjects and the same ids.
 */
export { filterOn } from './filter.ts'
export { FleetBus, type FleetRecords, type FleetSettings } from './fleet.ts'
export type { HandlerStatus } from './handler-record.ts'
export { handlerEnv } from './handler-run.ts'
export { type HandlerLimits, Handlers, type HandlersOptions } from './handlers.ts'
export type { Connection } from './jetstream.ts'
export { type BusMessage, headersOf, hookMessage } from './message.ts'
export { NatsBus } from './nats-bus.ts'
export type { NatsInfo } from './nats-info.ts'
export { type NatsPlan, type NatsSettings, natsPlan } from './nats-options.ts'
export { lastAddress } from './nats-process.ts'
export type { Guest } from './nats-run.ts'
export type { NatsStatus, StreamStatus } from './nats-status.ts'
export { isFinal } from './opinion.ts'
export {
  checkSignature,
  SIGNATURE_HEADER,
  SIGNATURES,
  type SignatureCheck,
  type SignatureKind,
  sameText,
  signatureOf,
  TIMESTAMP_HEADER,
} from './signature.ts'
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
export { type Consuming, type Reading, Subscriptions } from './subscriptions.ts'
export { isLoopback, shownUrl } from './webhook-request.ts'
export type { WebhookSpec, WebhookStatus } from './webhook-spec.ts'
export { Webhooks } from './webhooks.ts'
