/**
 * Publishing on one connection: reads on in the journal, sends up to so many messages at a time but one of each session,
 * moves the place when they are answered. Ends at the first failure that is not one message's own, once everything under
 * way has come to rest.
 */
import { messageOf } from '../../core/errors.ts'
import { Follower } from '../../journal/index.ts'
import { type BusLog, type Connection, isHopeless, isRefusal, type PublishForm } from '../nats/index.ts'
import type { BusMessage, Source } from '../streams/index.ts'
import type { Answers } from './acks.ts'
import type { OutboxPlace } from './checkpoint.ts'
import type { Entry, Flight } from './in-flight.ts'
import { copiesOf, headersFor } from './message.ts'
import type { Pace, Slice } from './rate-limit.ts'

export interface FlowParts {
  readonly connection: Connection
  readonly answers: Answers
  readonly pace: Pace
  readonly source: Source
  readonly flight: Flight
  readonly place: OutboxPlace
  /** Ids that are in the stream already, for messages up to the last one there was when they were looked for. */
  readonly found: ReadonlySet<string>
  readonly form: PublishForm
  readonly limit: number
  readonly log: BusLog
  /** Throws while nothing may be published, for a disk that is full. */
  readonly room: () => void
  /** Told how many messages went out when none is left. */
  readonly rested: (count: number) => void
}

/** Messages read ahead, over all sessions: so far apart may two be that fly at the same time. */
export const WINDOW = 1_024
const WINDOW_BYTES = 8 * 1024 * 1024
const PAGE = 16 // rows read in one go: a tenth of a millisecond
const MAX_REFUSALS = 10 // of one message, while the stream takes others: then it is the message
const DRAIN_MS = 1_000 // for what is left when the daemon stops
const DRAIN_LOOK_MS = 5

export class Flow {
  readonly #parts: FlowParts
  readonly #over = Promise.withResolvers<'again' | 'ended'>()
  readonly #foundUpTo: number
  #found: ReadonlySet<string>
  readonly #follower: Follower<BusMessage>
  /** Set when nothing more is sent, with what was the reason. */
  #broken: { readonly error: unknown } | undefined
  #scheduled = false
  #delivered = 0
  #restedAt = 0

  constructor(parts: FlowParts) {
    this.#parts = parts
    this.#found = parts.found
    this.#foundUpTo = parts.source.lastSeq()
    this.#checkFound(parts.flight.cursor)
    const { source, flight } = parts
    this.#follower = new Follower({
      after: flight.cursor,
      lastSeq: () => source.lastSeq(),
      read: (after, limit) => source.read(after, limit),
      take: (message) => this.#take(message),
      hasRoom: () => flight.size < WINDOW && flight.bytes < WINDOW_BYTES,
      slice: { rows: PAGE },
    })
  }

  get delivered(): number {
    return this.#delivered
  }

  /** Deleted from the journal before they were read. */
  get missed(): number {
    return this.#follower.missed
  }

  /** Publishes until the connection ends, or until it has to look at the stream again. */
  async run(): Promise<'again' | 'ended'> {
    const { ended } = this.#parts.connection
    const leave = () => this.#leave(performance.now() + DRAIN_MS)
    if (ended.aborted) leave()
    else ended.addEventListener('abort', leave, { once: true })
    this.#soon()
    try {
      return await this.#over.promise
    } finally {
      ended.removeEventListener('abort', leave)
      this.#parts.place.save(this.#parts.flight)
    }
  }

  /** New messages: right after their commit, and without reading them again if this is all there is to do. */
  wake(messages: readonly BusMessage[]): void {
    if (this.#broken) return
    this.#parts.pace.hooked()
    this.#follower.push(messages)
    this.#soon()
  }

  /** Sends nothing more; it is over when everything that flies has come to rest. */
  break(error?: unknown): void {
    this.#broken ??= { error }
    this.#settle()
  }

  #settle(): void {
    if (!this.#broken || this.#parts.flight.flying > 0) return
    const { error } = this.#broken
    if (error !== undefined) this.#over.reject(error)
    else this.#over.resolve(this.#parts.connection.ended.aborted ? 'ended' : 'again')
  }

  /** What is left goes out still, if the connection is there and it does not take long. */
  #leave(until: number): void {
    const { flight, source, connection } = this.#parts
    const isDone = flight.mark >= source.lastSeq() || performance.now() > until
    if (isDone || connection.nc.isClosed()) this.break()
    else if (!this.#broken) setTimeout(() => this.#leave(until), DRAIN_LOOK_MS)
  }

  #soon(): void {
    if (this.#scheduled || this.#broken) return
    this.#scheduled = true
    this.#parts.pace.soon(() => this.#turn())
  }

  /** True when it sent something and there is more. */
  #turn(): boolean {
    this.#scheduled = false
    const { flight, pace } = this.#parts
    try {
      const sent = this.#pump(pace.slice)
      return sent > 0 && (flight.hasReady || this.#follower.isBehind)
    } catch (error) {
      this.break(error) // the journal cannot be read right now
      return false
    }
  }

  /** Sends a slice, and plans the next one unless there is nothing to send before something is answered. */
  #pump({ messages, ms }: Slice): number {
    const { flight, place, limit } = this.#parts
    const until = performance.now() + ms
    let sent = 0
    while (sent < messages && performance.now() < until) {
      if (this.#broken || flight.flying >= limit) return sent
      const entry = flight.next(place.acked)
      if (!entry && !this.#fill()) return sent
      if (!entry) continue
      void this.#send(entry)
      sent += 1
    }
    this.#soon()
    return sent
  }

  /** Reads on; false when there is nothing more, or no space for it. */
  #fill(): boolean {
    const { at } = this.#follower
    this.#follower.readOn()
    return this.#follower.at > at
  }

  #take(message: BusMessage): void {
    const { flight, form, place } = this.#parts
    const copies = copiesOf(message, form)
    const left = this.#found.size > 0 ? copies.filter(({ id }) => !this.#found.has(id)) : copies
    if (left.length === copies.length) flight.add(message, copies)
    else flight.add(message, left, place.scanned)
    this.#checkFound(message.seq)
  }

  #checkFound(cursor: number): void {
    if (this.#found.size > 0 && cursor < this.#foundUpTo) return
    this.#found = new Set()
    this.#parts.place.release()
  }

  async #send(entry: Entry): Promise<void> {
    const { answers, form, place } = this.#parts
    const { message } = entry
    try {
      for (const { subject, id } of entry.copies) {
        const seq = await answers.publish(subject, message.data, headersFor(message, id, form))
        entry.copies = entry.copies.slice(1)
        place.answered(seq)
      }
      this.#delivered += 1
      if (entry.isLetter) place.forget(message.seq)
      this.#land(entry)
    } catch (error) {
      this.#fail(entry, error)
    }
    this.#settle()
  }

  #land(entry: Entry): void {
    const { flight, place, source, room } = this.#parts
    flight.land(entry)
    const isLast = flight.mark >= source.lastSeq()
    if (isLast) this.#rest()
    try {
      if (place.moved(flight, entry.bytes, isLast)) room()
    } catch (error) {
      this.break(error)
    }
    if (entry.isLetter && !flight.hasLetters) this.break() // there may be more of them
    this.#soon()
  }

  #rest(): void {
    this.#parts.rested(this.#delivered - this.#restedAt)
    this.#restedAt = this.#delivered
  }

  #fail(entry: Entry, error: unknown): void {
    const { flight, place, source, log } = this.#parts
    if (isHopeless(error) || (isRefusal(error) && flight.refuse(entry) >= MAX_REFUSALS)) {
      const words = messageOf(error)
      log.warn('nats', `${source.name}: ${entry.message.id} is not taken: ${words}`)
      if (place.giveUp(entry, words, source.firstSeq())) {
        this.#land(entry)
        return
      }
    }
    flight.back(entry)
    this.break(error)
  }
}
