/**
 * A stream of all hosts, read from JetStream for one reader on this host: at the reader's pace, and across reconnects.
 * Nothing is buffered for a slow reader. Imports the NATS packages, so it is loaded only with a connection.
 */
import {
  AckPolicy,
  type Consumer,
  type ConsumerConfig,
  type ConsumerInfo,
  DeliverPolicy,
  type JsMsg,
} from '@nats-io/jetstream'
import { GantryError, messageOf } from '../../core/errors.ts'
import { backoff, pause } from '../../core/time/waits.ts'
import type { Sink } from '../../journal/index.ts'
import type { Deliver } from '../consumers/index.ts'
import type { Connection } from '../nats/index.ts'
import { scopedId } from '../outbox/index.ts'
import { filterFor, matchesSubject, PREFIX, type StreamName, subjectOf } from '../streams/index.ts'

export interface FleetRequest {
  readonly stream: StreamName
  readonly filter?: string | undefined
  readonly deliver: Deliver
}

const AT_ONCE = 32 // messages in memory while the reader is full; each may have megabytes
const FETCH_MS = 5_000
const CONSUMER_IDLE_NS = 300_000_000_000
const LAST_WAIT_MS = 10_000
const SCOPED = scopedId('')

export class FleetReader {
  readonly filter: string
  readonly #request: FleetRequest
  readonly #connection: () => Promise<Connection | undefined>
  readonly #sink: Sink
  readonly #closed = new AbortController()
  #consumer: Consumer | undefined
  #isStarted = false
  #after = 0
  /** When the stream was created: a new one starts over. */
  #made: string | undefined
  #room: PromiseWithResolvers<void> | undefined

  constructor(request: FleetRequest, connection: () => Promise<Connection | undefined>, sink: Sink) {
    this.#request = request
    this.#connection = connection
    this.#sink = sink
    this.filter = filterFor(request.stream, request.filter || `${PREFIX[request.stream]}.>`)
  }

  /** Finds its start; throws if that fails. Returns the sequence after which messages will come. */
  async open(): Promise<number> {
    const connection = await this.#connection()
    if (!connection)
      throw new GantryError('VALIDATION_ERROR', 'NATS is not connected. See: gantry bus status')
    try {
      this.#consumer = await this.#place(connection, startOf(this.#request.deliver))
    } catch (error) {
      throw new GantryError(
        'VALIDATION_ERROR',
        `${this.#request.stream} cannot be read on NATS: ${messageOf(error)}`,
      )
    }
    return this.#after
  }

  /** Starts; later calls say that there is room again. */
  resume(): void {
    if (!this.#isStarted) {
      this.#isStarted = true
      void this.#keepOn()
    }
    this.#room?.resolve()
    this.#room = undefined
  }

  close(): void {
    this.#closed.abort()
    this.resume()
  }

  async #keepOn(): Promise<void> {
    let consumer = this.#consumer
    for (let failures = 0; !this.#closed.signal.aborted; ) {
      try {
        const connection = await this.#connection()
        if (!connection) throw new Error('no connection')
        consumer ??= await this.#place(connection, { deliver_policy: DeliverPolicy.All })
        if (!(await this.#fetch(consumer))) await consumer.info() // a deleted consumer does not report itself
        failures = 0
      } catch {
        consumer = undefined
        failures += 1
        await pause(backoff(failures, LAST_WAIT_MS), this.#closed.signal)
      }
    }
    await consumer?.delete().catch(() => {}) // otherwise it expires by itself
  }

  /** Returns how many messages came. */
  async #fetch(consumer: Consumer): Promise<number> {
    let count = 0
    const messages = await consumer.fetch({ max_messages: AT_ONCE, expires: FETCH_MS })
    const leave = () => messages.stop()
    this.#closed.signal.addEventListener('abort', leave)
    try {
      for await (const message of messages) {
        count += 1
        this.#after = message.seq
        if (this.#wants(message) && !this.#sink.send(lineOf(this.#request.stream, message))) {
          this.#room = Promise.withResolvers<void>()
          await this.#room.promise
        }
        if (this.#closed.signal.aborted) break
      }
    } finally {
      this.#closed.signal.removeEventListener('abort', leave)
    }
    return count
  }

  /** Starts at the requested position, or continues where it was. */
  async #place({ js, jsm }: Connection, start: Partial<ConsumerConfig>): Promise<Consumer> {
    const { stream } = this.#request
    const { created, state } = await jsm.streams.info(stream)
    const goesOn = this.#made === created && state.last_seq >= this.#after
    const from = goesOn
      ? { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: this.#after + 1 }
      : start
    this.#made = created
    const info: ConsumerInfo = await jsm.consumers.add(stream, {
      ack_policy: AckPolicy.None,
      filter_subject: isType(this.#request.filter) ? `${PREFIX[stream]}.>` : this.filter,
      mem_storage: true,
      num_replicas: 1,
      inactive_threshold: CONSUMER_IDLE_NS,
      ...from,
    })
    if (!goesOn) this.#after = info.delivered.stream_seq
    return js.consumers.get(stream, info.name)
  }

  /**
   * The type is the last part of a subject, with or without a host before it; a message published under both is
   * delivered once.
   */
  #wants({ subject, headers }: JsMsg): boolean {
    const { stream, filter } = this.#request
    const type = typeOf(subject)
    if (isType(filter)) {
      if (type !== filter) return false
    }
    const isSecond = headers?.get('Nats-Msg-Id').endsWith(SCOPED) === true && !isOfLeaf(headers)
    return !isSecond || !(isType(filter) || matchesSubject(this.filter, subjectOf(stream, type)))
  }
}

/** True for `Stop`, false for a subject. */
function isType(filter: string | undefined): filter is string {
  return filter !== undefined && filter !== '' && !/[.>*]/.test(filter)
}

function startOf(deliver: Deliver): Partial<ConsumerConfig> {
  if (deliver === 'all') return { deliver_policy: DeliverPolicy.All }
  if (deliver === 'new') return { deliver_policy: DeliverPolicy.New }
  if ('seq' in deliver)
    return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: Math.max(1, deliver.seq) }
  return { deliver_policy: DeliverPolicy.StartTime, opt_start_time: new Date(deliver.time).toISOString() }
}

function typeOf(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1)
}

/** The hub has it from a host's stream, and of its copies only this one. */
function isOfLeaf(headers: JsMsg['headers']): boolean {
  return headers?.has('Nats-Stream-Source') === true
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function lineOf(stream: StreamName, message: JsMsg): Uint8Array {
  const header = (name: string) => message.headers?.get(name) ?? ''
  const id = header('Nats-Msg-Id')
  const msg = {
    stream,
    seq: message.seq,
    id: isOfLeaf(message.headers) && id.endsWith(SCOPED) ? id.slice(0, -SCOPED.length) : id,
    at: Number(message.timestampNanos / 1_000_000n),
    subject: message.subject,
    type: typeOf(message.subject),
    agent: header('Gantry-Agent'),
    native: header('Gantry-Native-Event'),
    session: header('Gantry-Session'),
    host: header('Gantry-Host'),
    ...payloadOf(message.data),
  }
  return Buffer.from(`${JSON.stringify({ msg })}\n`)
}

function payloadOf(data: Uint8Array): { data: string } | { dataBase64: string } {
  try {
    return { data: utf8.decode(data) }
  } catch {
    return { dataBase64: Buffer.from(data).toString('base64') }
  }
}
