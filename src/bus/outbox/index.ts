/**
 * From the journal to JetStream: each message once, in the order of its session, whatever happens on the way. Loads the
 * packages of NATS, so it is loaded itself only with a plan that needs them.
 */
export { scopedId } from './message.ts'
export { Outbox } from './outbox.ts'
