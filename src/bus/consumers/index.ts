/**
 * Readers of streams on this host: readers without a checkpoint, durable consumers that acknowledge, and the wire
 * formats of both.
 */

export type { Deliver } from './stream.ts'
export { type Consuming, type Reading, Subscriptions } from './subscriptions.ts'
