/**
 * Publishing on one connection: reads on in the journal, sends up to so many messages at a time but one of each session,
 * moves the mark when they are answered. Ends at the first failure that is not one message's own, once everything under
 * way has come to rest.
 */
import { messageOf } from '../../core/errors.ts'
import type { Lanes } from '../delivery/index.ts'
import { type BusLog, type Connection, isHopeless, isRefusal, type PublishForm } from '../nats/index.ts'
import type { BusMessage, Source } from '../streams/index.ts'
import type { Acks } from './acks.ts'
import { headersFor, leave, refuse, type Sending } from './message.ts'
import type { RateLimit, Slice } from './rate-limit.ts'
import type { StreamCheckpoint } from './stream-checkpoint.ts'

interface PublishLoopParts {
  readonly connection: Connection
  readonly acks: Acks
  readonly rateLimit: RateLimit
  readonly source: Source
  readonly lanes: Lanes<Sending>
  readonly checkpoint: StreamCheckpoint
  readonly form: PublishForm
  readonly limit: number
  readonly log: BusLog
  /** Throws while nothing may be published, for a disk that is full. */
  readonly room: () => void
  /** Told how many messages went out when none is left. */
  readonly rested: (count: number) => void
}

const MAX_REFUSALS = 10 // of one message, while the stream takes others: then it is the message
const DRAIN_MS = 1_000 // for what is left when the daemon stops
const DRAIN_LOOK_MS = 5

export class PublishLoop {
  readonly #parts: PublishLoopParts
  readonly #over = Promise.withResolvers<'again' | 'ended'>()
  /** Set when nothing more is sent, with what was the reason. */
  #broken: { readonly error: unknown } | undefined
  #scheduled = false
  #delivered = 0
  #restedAt = 0

  constructor(parts: PublishLoopParts) {
    this.#parts = parts
  }

  get delivered(): number {
    return this.#delivered
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
      this.#parts.checkpoint.save()
    }
  }

  /** New messages: right after their commit, and without reading them again if this is all there is to do. */
  wake(messages: readonly BusMessage[]): void {
    if (this.#broken) return
    this.#parts.rateLimit.hooked()
    this.#parts.lanes.push(messages)
    this.#soon()
  }

  /** Sends nothing more; it is over when everything in flight has come to rest. */
  break(error?: unknown): void {
    this.#broken ??= { error }
    this.#settle()
  }

  #settle(): void {
    if (!this.#broken || this.#parts.lanes.inFlight > 0) return
    const { error } = this.#broken
    if (error !== undefined) this.#over.reject(error)
    else this.#over.resolve(this.#parts.connection.ended.aborted ? 'ended' : 'again')
  }

  /** What is left goes out still, if the connection is there and it does not take long. */
  #leave(until: number): void {
    const { lanes, source, connection } = this.#parts
    const isDone = lanes.mark >= source.lastSeq() || performance.now() > until
    if (isDone || connection.nc.isClosed()) this.break()
    else if (!this.#broken) setTimeout(() => this.#leave(until), DRAIN_LOOK_MS)
  }

  #soon(): void {
    if (this.#scheduled || this.#broken) return
    this.#scheduled = true
    this.#parts.rateLimit.soon(() => this.#turn())
  }

  /** True when it sent something and there is more. */
  #turn(): boolean {
    this.#scheduled = false
    const { lanes, rateLimit } = this.#parts
    try {
      const sent = this.#pump(rateLimit.slice)
      return sent > 0 && (lanes.hasReady || lanes.isBehind)
    } catch (error) {
      this.break(error) // the journal cannot be read right now
      return false
    }
  }

  /** Sends a slice, and plans the next one unless there is nothing to send before something is answered. */
  #pump({ messages, ms }: Slice): number {
    const { lanes, checkpoint, limit } = this.#parts
    const until = performance.now() + ms
    let sent = 0
    while (sent < messages && performance.now() < until) {
      if (this.#broken || lanes.inFlight >= limit) return sent
      const sending = lanes.next(Date.now())
      if (!sending && !this.#fill()) return sent
      if (!sending) continue
      leave(sending, checkpoint.acked)
      void this.#send(sending)
      sent += 1
    }
    this.#soon()
    return sent
  }

  /** Reads on; false when there is nothing more, or no space for it. */
  #fill(): boolean {
    const { lanes } = this.#parts
    const { cursor } = lanes
    lanes.readOn()
    return lanes.cursor > cursor
  }

  async #send(sending: Sending): Promise<void> {
    const { acks, form, checkpoint } = this.#parts
    const { message } = sending
    try {
      for (const { subject, id } of sending.copies) {
        const seq = await acks.publish(subject, message.data, headersFor(message, id, form))
        sending.copies = sending.copies.slice(1)
        checkpoint.answered(seq)
      }
      this.#delivered += 1
      if (sending.kept) checkpoint.forget(message.seq)
      this.#settled(sending)
    } catch (error) {
      this.#fail(sending, error)
    }
    this.#settle()
  }

  #settled(sending: Sending): void {
    const { lanes, checkpoint, source, room } = this.#parts
    lanes.settle(sending)
    const isLast = lanes.mark >= source.lastSeq()
    if (isLast) this.#rest()
    try {
      if (checkpoint.moved(sending.bytes, isLast)) room()
    } catch (error) {
      this.break(error)
    }
    if (sending.kept && lanes.keptCount === 0) this.break() // there may be more of them
    this.#soon()
  }

  #rest(): void {
    this.#parts.rested(this.#delivered - this.#restedAt)
    this.#restedAt = this.#delivered
  }

  #fail(sending: Sending, error: unknown): void {
    const { lanes, checkpoint, source, log } = this.#parts
    if (isHopeless(error) || (isRefusal(error) && refuse(sending, lanes.settled) >= MAX_REFUSALS)) {
      const words = messageOf(error)
      log.warn('nats', `${source.name}: ${sending.id} is not taken: ${words}`)
      if (checkpoint.giveUp(sending, words, () => source.firstSeq())) {
        this.#settled(sending)
        return
      }
    }
    lanes.retry(sending)
    this.break(error)
  }
}
