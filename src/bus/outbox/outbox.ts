/**
 * From the journal to JetStream: a publisher for each stream. Together they have up to 256 messages in flight; each has
 * its share, so that a backlog of one does not hold up the others.
 */
import { age } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import { within } from '../../core/time/waits.ts'
import type { NatsStreamStatus } from '../../rpc/index.ts'
import type { OutboxTarget } from '../../store/index.ts'
import type { BusProblem, Connection } from '../nats/index.ts'
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

  /** Reads the state of the streams again, for a status. */
  async refresh(): Promise<void> {
    const connection = this.#connection
    const now = performance.now()
    if (!connection || now - this.#refreshedAt < REFRESH_EVERY_MS) return
    this.#refreshedAt = now
    const looks = this.#publishers.map((publisher) => publisher.refresh(connection))
    await within(Promise.allSettled(looks), REFRESH_DEADLINE_MS)
  }

  targets(): OutboxTarget[] {
    return this.#publishers.map(({ target }) => target)
  }

  status(now: number): NatsStreamStatus[] {
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

const BACKLOG_MESSAGES = 1_000
const LAG_MS = 60_000 // a shorter outage is not worth a line

/** Problems that a person should know about. */
function streamProblems({
  name,
  differs,
  backlog,
  lagMs,
  deadLetters,
  missed,
  note,
}: NatsStreamStatus): BusProblem[] {
  const found: BusProblem[] = []
  const warn = (message: string, fix?: string) =>
    found.push({ level: 'warn', message, ...(fix ? { fix } : {}) })
  if (differs.length > 0) {
    warn(
      `the stream ${name} has other settings than gantry would give it, and is left alone: ${differs.join('; ')}`,
      `If nobody wants it so: nats stream rm ${name}. gantry makes it again, with what it held.`,
    )
  }
  if (backlog > BACKLOG_MESSAGES || (backlog > 0 && lagMs > LAG_MS)) {
    warn(
      `${counted(backlog, 'message waits', 'messages wait')} to be published to ${name}, the oldest for ${age(lagMs)}; nothing is lost`,
    )
  }
  if (deadLetters > 0) {
    warn(
      `${counted(deadLetters, 'message')} of ${name} ${were(deadLetters)} not taken by NATS`,
      'See: gantry bus dead-letters. Then --requeue them once the reason is gone, or --drop them.',
    )
  }
  if (missed > 0) {
    warn(
      `${counted(missed, 'message')} of ${name} ${were(missed)} deleted by retention before NATS could have them`,
      'Raise retention.max_days or retention.max_mb if NATS is down that long.',
    )
  }
  if (note) warn(`the stream ${name}: ${note}`)
  return found
}

const were = (count: number) => (count === 1 ? 'was' : 'were')
