/**
 * All readers of streams on this host: on the socket, over HTTP, with a checkpoint or without.
 *
 *   const subscriptions = new Subscriptions({ store, sources, trouble })
 *   const reading = subscriptions.read({ stream: 'HOOK_EVENTS', deliver: 'all' }, sink, 'line')
 *   reading.resume()                    // the first messages leave
 */
import { type LiveReader, ReadTurns, type Sink } from '../../journal/index.ts'
import type { Store } from '../../store/index.ts'
import { filterOn, PREFIX, type Sources, STREAMS, type StreamName } from '../streams/index.ts'
import { type ConsumerRequest, Consumers } from './consumers.ts'
import type { Encoded, Form } from './encoded.ts'
import { readerOf } from './reader.ts'
import { type Deliver, Stream } from './stream.ts'

export interface ReadRequest {
  readonly stream: StreamName
  readonly filter?: string | undefined
  readonly deliver: Deliver
  readonly coalesce?: boolean | undefined
}

/** Starts with its first `resume`; each later one says that there is room again. */
export interface Reading {
  /** Messages after this sequence will come. */
  readonly after: number
  readonly filter: string
  resume(): void
  close(): void
}

/** The reading of a durable consumer, which acknowledges. */
export interface Consuming extends Reading {
  readonly ackWaitMs: number
  readonly maxInFlight: number
  settle(seqs: readonly number[]): void
  refuse(seq: number, delayMs: number): void
}

interface SubscriptionsParts {
  readonly store: Store
  readonly sources: Sources
  readonly trouble: (message: string) => void
  /** Shared with all other readers of pages. */
  readonly turns?: ReadTurns
}

export class Subscriptions {
  readonly consumers: Consumers
  readonly #streams: Readonly<Record<StreamName, Stream>>
  readonly #readers = new Set<LiveReader<Encoded>>()

  constructor({ store, sources, trouble, turns = new ReadTurns() }: SubscriptionsParts) {
    const entries = STREAMS.map(
      (name) => [name, new Stream({ store, sources, name, trouble, turns })] as const,
    )
    this.#streams = Object.fromEntries(entries) as Record<StreamName, Stream>
    this.consumers = new Consumers({ store, stream: (name) => this.#streams[name], trouble })
  }

  /** Number of readers without a checkpoint. */
  get size(): number {
    return this.#readers.size
  }

  /** Number of readers that have taken nothing for this long although there are messages. */
  stalled(ms: number): number {
    return [...this.#readers].filter((reader) => reader.stalledMs > ms).length
  }

  read(request: ReadRequest, sink: Sink, form: Form): Reading {
    const stream = this.#streams[request.stream]
    const filter = filterOn(request.stream, request.filter)
    const place = stream.begin(request.deliver)
    const options = { filter, place, form, coalesce: request.coalesce === true }
    const reader = readerOf(stream, sink, options, () => this.#readers.delete(reader))
    this.#readers.add(reader)
    return {
      after: place.after,
      filter: filter.pattern,
      resume: () => reader.resume(),
      close: () => reader.close(),
    }
  }

  consume(stream: StreamName, request: ConsumerRequest, sink: Sink): Consuming {
    const { member, consumer } = this.consumers.join(stream, request, sink)
    return {
      after: consumer.row().cursor,
      filter: consumer.filter.pattern,
      ackWaitMs: consumer.ackWaitMs,
      maxInFlight: consumer.maxInFlight,
      resume: () => member.resume(),
      close: () => member.close(),
      settle: (seqs) => member.settle(seqs),
      refuse: (seq, delayMs) => member.refuse(seq, delayMs),
    }
  }

  /** What each stream holds. */
  status() {
    return Promise.all(STREAMS.map((name) => this.#statusOf(name)))
  }

  async #statusOf(name: StreamName) {
    const stream = this.#streams[name]
    const messages = await stream.count(stream.begin('all'), filterOn(name))
    const { start, end, bytes, floor } = stream.view()
    return {
      name,
      subjects: `${PREFIX[name]}.>`,
      messages,
      bytes,
      firstSeq: messages > 0 ? (floor[0] ?? start) : 0,
      lastSeq: end,
      /** Number of messages older than the window: the last ones of quiet sessions. */
      floor: floor.length,
      followers: stream.readers,
      consumers: this.consumers.count(name),
    }
  }

  /** One short step of housekeeping; true if there is more to do. */
  tidy(isQuiet = true): boolean {
    return STREAMS.some((name) => this.#streams[name].tidy(isQuiet))
  }

  close(): void {
    this.consumers.close()
  }
}
