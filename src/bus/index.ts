/**
 * Everything that others can build on: streams of events, of session changes and of decisions, read on the spot from
 * the journal or on NATS JetStream, with the same subjects and the same ids.
 */

export { type Consuming, type Reading, Subscriptions } from './consumers/index.ts'
export { type HostRecords, HostsBus, HostsLink } from './hosts/index.ts'
export {
  type Connection,
  type Endpoint,
  lastAddress,
  leafPlan,
  type NatsPlan,
  natsPlan,
} from './nats/index.ts'
export { NatsBus } from './nats-bus.ts'
export { Outgoing } from './outgoing.ts'
export {
  type BusMessage,
  filterOn,
  hookMessage,
  isStream,
  type LastSeqs,
  ownMessage,
  PREFIX,
  type Source,
  Sources,
  STREAMS,
  StoredStreams,
  type StreamName,
  type Streams,
  subjectOf,
  token,
} from './streams/index.ts'
export type { Inbound } from './webhooks/inbound.ts'
export {
  checkSignature,
  SIGNATURE_HEADER,
  SIGNATURES,
  type SignatureCheck,
  type SignatureKind,
  sameText,
  shownUrl,
  signedHeaders,
  type WebhookSpec,
  Webhooks,
} from './webhooks/index.ts'
