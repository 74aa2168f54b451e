/**
 * Whoever reads a stream on the spot: readers that keep no place, durable consumers that acknowledge, and the words in
 * which both get their messages.
 */

export type { Deliver } from './stream.ts'
export { type Consuming, type Reading, Subscriptions } from './subscriptions.ts'
