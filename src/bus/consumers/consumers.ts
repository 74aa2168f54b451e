/**
 * All durable consumers: created once, kept by name, deleted by a person. Checkpoints are written in batches without an
 * fsync; a crash may redeliver a message, but never skips one.
 */
import { GantryError, messageOf } from '../../core/errors.ts'
import { Alarm } from '../../core/time/alarm.ts'
import type { Sink } from '../../journal/index.ts'
import type { ConsumerRow, Store } from '../../store/index.ts'
import { filterOn, isStream, type StreamName } from '../streams/index.ts'
import type { Member } from './connections.ts'
import { Consumer } from './consumer.ts'
import type { Deliver, Stream } from './stream.ts'

export interface ConsumerRequest {
  readonly name: string
  readonly filter?: string | undefined
  /** Where a new consumer starts; an existing one continues from its checkpoint. */
  readonly deliver: Deliver
  readonly ackWaitMs?: number | undefined
  readonly maxInFlight?: number | undefined
}

interface ConsumersParts {
  readonly store: Store
  readonly stream: (name: StreamName) => Stream
  /** Called when checkpoints could not be written. */
  readonly trouble: (message: string) => void
  readonly now?: () => number
}

const ACK_WAIT_MS = 30_000
export const MAX_IN_FLIGHT = 256
export const MAX_CONSUMERS = 100 // each takes memory and a row; more are forgotten ones
const WRITE_EVERY_MS = 100 // what a killed daemon may redeliver
const RETRY_MS = 1_000
const NAME = /^[\w-]{1,100}$/ // like NATS

export class Consumers {
  readonly #parts: ConsumersParts
  readonly #now: () => number
  readonly #all = new Map<string, Consumer>()
  readonly #changed = new Set<Consumer>()
  readonly #next = new Alarm(() => this.write())

  constructor(parts: ConsumersParts) {
    this.#parts = parts
    this.#now = parts.now ?? Date.now
    for (const row of parts.store.consumers.all()) if (isStream(row.stream)) this.#load(row, row.stream)
  }

  /** The consumer of this name; created if there is none. */
  join(stream: StreamName, request: ConsumerRequest, sink: Sink): { member: Member; consumer: Consumer } {
    const consumer = this.#all.get(keyOf(stream, request.name)) ?? this.#create(stream, request)
    const { pattern } = request.filter === undefined ? consumer.filter : filterOn(stream, request.filter)
    if (consumer.filter.pattern !== pattern) {
      throw new GantryError(
        'VALIDATION_ERROR',
        `The consumer "${request.name}" reads ${consumer.filter.pattern}, not ${pattern}. Use another name, ` +
          `or delete it first: gantry bus consumers --delete ${request.name} --stream ${stream}`,
      )
    }
    consumer.ackWaitMs = request.ackWaitMs ?? consumer.ackWaitMs
    consumer.maxInFlight = request.maxInFlight ?? consumer.maxInFlight
    return { member: consumer.join(sink), consumer }
  }

  count(stream: StreamName): number {
    return [...this.#all.values()].filter((consumer) => consumer.stream.name === stream).length
  }

  list(): Promise<Awaited<ReturnType<Consumer['info']>>[]> {
    return Promise.all([...this.#all.values()].map((consumer) => consumer.info()))
  }

  /** Consumers that make no progress. */
  troubled(): { name: string; stream: StreamName; problem: 'stuck' | 'left behind'; open: number }[] {
    return [...this.#all.values()].flatMap(({ name, stream, problem, maxInFlight }) =>
      problem ? [{ name, stream: stream.name, problem, open: maxInFlight }] : [],
    )
  }

  delete(stream: StreamName, name: string): void {
    const key = keyOf(stream, name)
    const consumer = this.#all.get(key)
    if (!consumer) {
      const message = `There is no consumer "${name}" of ${stream}. "gantry bus consumers" lists them.`
      throw new GantryError('VALIDATION_ERROR', message)
    }
    const { store } = this.#parts
    store.journal.commit(() => store.consumers.delete(stream, name))
    this.#all.delete(key)
    consumer.end(new GantryError('VALIDATION_ERROR', `The consumer "${name}" was deleted.`))
    this.#changed.delete(consumer)
  }

  /** Writes the rows. */
  write(): void {
    this.#next.clear()
    if (this.#changed.size === 0) return
    const { store, trouble } = this.#parts
    try {
      store.journal.relaxed(() => {
        for (const consumer of this.#changed) store.consumers.put(consumer.row())
      })
      this.#changed.clear()
    } catch (error) {
      trouble(`checkpoints of consumers will be written later: ${messageOf(error)}`)
      this.#next.within(RETRY_MS)
    }
  }

  close(): void {
    this.write()
    this.#next.clear()
  }

  #create(stream: StreamName, request: ConsumerRequest): Consumer {
    const { name, deliver, ackWaitMs = ACK_WAIT_MS, maxInFlight = MAX_IN_FLIGHT } = request
    if (!NAME.test(name)) {
      const message = `"${name.slice(0, 120)}" cannot name a consumer; it takes letters, digits, "-" and "_", at most 100.`
      throw new GantryError('VALIDATION_ERROR', message)
    }
    if (this.#all.size >= MAX_CONSUMERS) {
      throw new GantryError(
        'VALIDATION_ERROR',
        `There are ${MAX_CONSUMERS} durable consumers already. "gantry bus consumers" shows which are idle; ` +
          'delete one with: gantry bus consumers --delete <name>',
      )
    }
    const filter = filterOn(stream, request.filter).pattern
    const { after, start } = this.#parts.stream(stream).begin(deliver)
    const now = this.#now()
    const row: ConsumerRow = {
      stream,
      name,
      filter,
      ackWaitMs,
      maxInFlight,
      createdAt: now,
      activeAt: now,
      cursor: after,
      start,
      pending: [],
      missed: 0,
    }
    // With an fsync: a consumer that was lost would start at a later message.
    const { store } = this.#parts
    store.journal.commit(() => store.consumers.put(row))
    return this.#load(row, stream)
  }

  #load(row: ConsumerRow, name: StreamName): Consumer {
    const consumer: Consumer = new Consumer({
      stream: this.#parts.stream(name),
      filter: filterOn(name, row.filter),
      row,
      changed: () => this.#note(consumer),
      trouble: this.#parts.trouble,
      now: this.#now,
    })
    this.#all.set(keyOf(name, row.name), consumer)
    return consumer
  }

  #note(consumer: Consumer): void {
    if (this.#all.get(keyOf(consumer.stream.name, consumer.name)) !== consumer) return
    this.#changed.add(consumer)
    if (!this.#next.isSet) this.#next.within(WRITE_EVERY_MS) // it does not shorten a retry
  }
}

function keyOf(stream: StreamName, name: string): string {
  return `${stream} ${name}`
}
