/** Sending what is on a stream to a target elsewhere: in the order of each session, at least once. NATS and webhooks use it. */
export { Checkpoint } from './checkpoint.ts'
export { type Entry, entryOf, isDue, Lanes } from './lanes.ts'
