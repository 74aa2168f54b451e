/**
 * A durable consumer: it has a name and a checkpoint, acknowledges each message, and gets unacknowledged ones again.
 * Several connections under one name share the work. At most `maxInFlight` messages are unacknowledged.
 *
 *   const member = consumer.join(sink)
 *   member.resume()
 *   member.settle([17])          // and the next ones come
 */
import { messageOf } from '../../core/errors.ts'
import { Alarm } from '../../core/time/alarm.ts'
import type { Batch, Sink } from '../../journal/index.ts'
import type { ConsumerRow } from '../../store/index.ts'
import { Cursor, type Filter, messageAt, PAGE_BYTES } from '../streams/index.ts'
import { ConsumerConnections, Member } from './connections.ts'
import { Encoded } from './encoded.ts'
import type { Stream } from './stream.ts'
import { Unacknowledged } from './unacknowledged.ts'

interface ConsumerParts {
  readonly stream: Stream
  readonly filter: Filter
  readonly row: ConsumerRow
  /** Called when its row is out of date. */
  readonly changed: () => void
  readonly trouble: (message: string) => void
  readonly now?: () => number
}

const FAULT_PAUSE_MS = 1_000 // after a failed read of the database; a retry loses nothing
const MAX_TIMER_MS = 2 ** 31 - 1

export class Consumer {
  readonly stream: Stream
  readonly filter: Filter
  ackWaitMs: number
  maxInFlight: number
  readonly #row: ConsumerRow
  readonly #changed: () => void
  readonly #trouble: (message: string) => void
  readonly #now: () => number
  readonly #deliveries: Unacknowledged
  readonly #connections = new ConsumerConnections()
  /** Only while somebody is connected: a connected consumer loses nothing, however slow. */
  #cursor: Cursor | undefined
  #seq: number
  #start: number
  #missed: number
  #activeAt: number
  #unfollow: (() => void) | undefined
  readonly #next = new Alarm(() => this.pumpSoon())
  readonly #read = () => this.#pump()

  constructor({ stream, filter, row, changed, trouble, now = Date.now }: ConsumerParts) {
    this.stream = stream
    this.filter = filter
    this.ackWaitMs = row.ackWaitMs
    this.maxInFlight = row.maxInFlight
    this.#row = row
    this.#changed = changed
    this.#trouble = trouble
    this.#now = now
    this.#deliveries = new Unacknowledged(row.pending)
    this.#seq = row.cursor
    this.#start = row.start
    this.#missed = row.missed
    this.#activeAt = row.activeAt
  }

  get name(): string {
    return this.#row.name
  }

  /** A consistent snapshot: everything up to the cursor is done except what is pending. */
  row(): ConsumerRow {
    return {
      ...this.#row,
      ackWaitMs: this.ackWaitMs,
      maxInFlight: this.maxInFlight,
      activeAt: this.#activeAt,
      cursor: this.#cursor?.seq ?? this.#seq,
      start: this.#start,
      pending: this.#deliveries.pending(),
      missed: this.#missed,
    }
  }

  /** For `bus consumers`. */
  async info() {
    const { pending: open, start: _, ...row } = this.row()
    const place = this.#cursor?.place ?? this.stream.after(row.cursor)
    const pending = await this.stream.count(place, this.filter)
    return {
      ...row,
      connections: this.#connections.size,
      /** Everything up to here is acknowledged. */
      ackFloor: Math.min(row.cursor, (this.#deliveries.first ?? Number.POSITIVE_INFINITY) - 1),
      inFlight: open.length,
      redelivered: this.#deliveries.again,
      pending,
      lag: pending + open.length,
    }
  }

  /** `stuck`: it acknowledges nothing. `left behind`: messages expire before it comes back. */
  get problem(): 'stuck' | 'left behind' | undefined {
    const { size, again } = this.#deliveries
    if (this.#connections.size > 0) return size >= this.maxInFlight && again === size ? 'stuck' : undefined
    return this.stream.hasLeft(this.#seq) ? 'left behind' : undefined
  }

  join(sink: Sink): Member {
    this.#cursor ??= this.#comeBack()
    this.#unfollow ??= this.stream.follow(this)
    const member = new Member(sink, this)
    this.#connections.add(member)
    this.#touch()
    return member
  }

  /** Its unacknowledged messages go to the other connections, or to the next one. */
  leave(member: Member): void {
    if (!this.#connections.remove(member)) return
    this.#deliveries.release(member, this.#now())
    this.#touch()
    if (this.#connections.size > 0) {
      this.pumpSoon()
      return
    }
    this.#seq = this.#cursor?.seq ?? this.#seq
    this.#cursor = undefined
    this.#unfollow?.()
    this.#unfollow = undefined
    this.#next.clear()
  }

  /** Acknowledged, or never to be delivered again. */
  settle(seqs: readonly number[]): void {
    for (const seq of seqs) this.#deliveries.settle(seq)
    this.#touch()
    this.pumpSoon()
  }

  /** To be redelivered, at once or after a delay. */
  refuse(seq: number, delayMs: number): void {
    this.#deliveries.put(seq, this.#now() + delayMs)
    this.#touch()
    this.pumpSoon()
  }

  push(batch: Batch<Encoded>): void {
    if (!this.#cursor || batch.last <= this.#cursor.seq) return
    for (const encoded of batch.items) {
      if (!this.#hasRoom || !this.#cursor.isNext(encoded.seq)) break // the pages have it, when there is room
      this.#cursor.moveTo(encoded.seq)
      if (this.filter.passes(encoded.message)) this.#give(encoded)
    }
    this.#sent()
    if (!this.#cursor.isAtEnd) this.pumpSoon()
  }

  pumpSoon(): void {
    this.stream.turns.soon(this.#read)
  }

  /** The consumer was deleted; its connections are told. */
  end(error: unknown): void {
    for (const member of this.#connections.all) {
      this.leave(member)
      member.fail(error)
    }
  }

  #pump(): void {
    if (!this.#cursor) return
    try {
      if (this.#giveAgain() || this.#givePage(this.#cursor)) this.pumpSoon()
    } catch (error) {
      this.#trouble(`the consumer "${this.name}" waits: ${messageOf(error)}`)
      this.#next.reset(FAULT_PAUSE_MS)
      return
    }
    this.#sent()
  }

  /** True if a page of redeliveries was sent and there may be more. */
  #giveAgain(): boolean {
    let left = PAGE_BYTES
    for (const seq of this.#deliveries.dueBy(this.#now())) {
      if (!this.#connections.hasRoom) return false
      if (left <= 0) return true
      const message = messageAt(this.stream.source, seq)
      left -= message?.data.length ?? 0
      if (message) this.#give(new Encoded(message))
      else if (this.#deliveries.settle(seq)) this.#missed += 1 // retention deleted it
    }
    return false
  }

  /** True if there may be more to deliver. */
  #givePage(cursor: Cursor): boolean {
    if (cursor.isAtEnd || !this.#hasRoom) return false
    for (const message of cursor.page(this.filter)) {
      this.#give(new Encoded(message))
      if (!this.#hasRoom) return false
    }
    return true
  }

  get #hasRoom(): boolean {
    return this.#deliveries.size < this.maxInFlight && this.#connections.hasRoom
  }

  /** Call only while there is room. */
  #give(encoded: Encoded): void {
    const member = this.#connections.next()
    const count = this.#deliveries.give(encoded.message.seq, this.#now() + this.ackWaitMs, member)
    member?.take(encoded.numbered(count))
  }

  /** After delivering: flushes the writes, marks the row as changed, and schedules the next look. */
  #sent(): void {
    for (const member of this.#connections.all) member.flush()
    this.#touch()
    const { nextDue } = this.#deliveries
    if (nextDue === Number.POSITIVE_INFINITY || !this.#connections.hasRoom) this.#next.clear()
    else this.#next.reset(Math.min(Math.max(0, nextDue - this.#now()), MAX_TIMER_MS))
  }

  #touch(): void {
    this.#activeAt = this.#now()
    this.#changed()
  }

  /** Messages that expired while it was away, and are not in the floor, count as missed. */
  #comeBack(): Cursor {
    const place = this.stream.after(this.#seq)
    const own = Math.max(place.after + 1, this.#start)
    if (place.start > own) this.#missed += place.start - own - place.floor.filter((seq) => seq >= own).length
    this.#start = Math.max(this.#start, place.start)
    return new Cursor(this.stream.source, place)
  }
}
