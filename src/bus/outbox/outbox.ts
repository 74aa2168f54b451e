/**
 * From the journal to JetStream: a publisher for each stream. Together they have up to 256 messages in flight; each has
 * its share, so that a backlog of one does not hold up the others.
 */
import type { OutboxTarget } from '../../store/index.ts'
import { type BusProblem, type Connection, type StreamStatus, streamProblems } from '../nats/index.ts'
import { STREAMS, type StreamName } from '../streams/index.ts'
import { Acks } from './acks.ts'
import { Publisher, type PublisherParts } from './publisher.ts'
import { RateLimit } from './rate-limit.ts'

/** In flight at a time; 256 together. */
const SHARES: Readonly<Record<StreamName, number>> = {
  HOOK_EVENTS: 176,
  SESSION_EVENTS: 32,
  DECISION_EVENTS: 32,
  GANTRY_EVENTS: 16,
}

const REFRESH_EVERY_MS = 100 // one question is often asked in two ways at once
const REFRESH_DEADLINE_MS = 1_000

export class Outbox {
  readonly #publishers: readonly Publisher[]
  #connection: Connection | undefined
  #refreshedAt = Number.NEGATIVE_INFINITY

  constructor(parts: Omit<PublisherParts, 'rateLimit'>) {
    const rateLimit = new RateLimit()
    this.#publishers = STREAMS.map((name) => new Publisher(name, SHARES[name], { ...parts, rateLimit }))
  }

  /** Publishes on this connection until it ends. */
  async run(connection: Connection): Promise<void> {
    this.#connection = connection
    const unwatch = this.#watch(connection)
    const acks = new Acks(connection.nc)
    await Promise.all(this.#publishers.map((publisher) => publisher.run(connection, acks)))
    this.#connection = undefined
    unwatch()
  }

  /** Dead letters got another chance. */
  requeued(): void {
    for (const publisher of this.#publishers) publisher.lookAgain()
  }

  close(): void {
    for (const publisher of this.#publishers) publisher.close()
  }

  /** Looks at the streams again, for those who ask how they are. */
  async refresh(): Promise<void> {
    const connection = this.#connection
    const now = performance.now()
    if (!connection || now - this.#refreshedAt < REFRESH_EVERY_MS) return
    this.#refreshedAt = now
    const looks = this.#publishers.map((publisher) => publisher.refresh(connection))
    await Promise.race([Promise.allSettled(looks), Bun.sleep(REFRESH_DEADLINE_MS)])
  }

  targets(): OutboxTarget[] {
    return this.#publishers.map(({ target }) => target)
  }

  status(now: number): StreamStatus[] {
    return this.#publishers.map((publisher) => publisher.status(now))
  }

  problems(now: number): BusProblem[] {
    const own = this.#publishers.flatMap(({ problem }) => (problem ? [problem] : []))
    return [...own, ...this.status(now).flatMap(streamProblems)]
  }

  /** The server tells of streams that somebody changes. Without the permission for it, the next failure tells. */
  #watch({ nc }: Connection): () => void {
    const watched = this.#publishers.flatMap((publisher) =>
      ['DELETED', 'UPDATED'].map((what) =>
        nc.subscribe(`$JS.EVENT.ADVISORY.STREAM.${what}.${publisher.name}`, {
          callback: (error) => {
            if (!error) publisher.lookAgain()
          },
        }),
      ),
    )
    return () => {
      for (const subscription of watched) if (!nc.isClosed()) subscription.unsubscribe()
    }
  }
}
