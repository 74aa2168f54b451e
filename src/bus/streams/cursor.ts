/**
 * A position in a stream, and reading on from it: first the older messages in the floor, then the window and everything
 * after it, in sequence order.
 */
import type { Filter } from './filter.ts'
import type { BusMessage } from './message.ts'
import type { Source } from './sources.ts'

export interface StreamPosition {
  /** Everything up to this message is already read. */
  readonly after: number
  /** Older messages that come first, ascending; then those from `start` on. */
  readonly floor: readonly number[]
  readonly start: number
}

const PAGE_SEQS = 500 // sequences per page, so that a rare filter never blocks the event loop
const FLOOR_SEQS = 100 // these are looked up one by one
export const PAGE_BYTES = 128 * 1024 // payloads read at once: below a millisecond, since hooks may come meanwhile

export class Cursor {
  readonly #source: Source
  readonly #start: number
  readonly #floor: readonly number[]
  #floorAt = 0
  #seq: number

  constructor(source: Source, { after, floor, start }: StreamPosition) {
    this.#source = source
    this.#floor = floor
    this.#start = start
    this.#seq = after
    this.#leaveFloor()
  }

  /** Everything up to here was examined. */
  get seq(): number {
    return this.#seq
  }

  get isAtEnd(): boolean {
    return !this.#onFloor && this.#seq >= this.#source.lastSeq()
  }

  /** The position, for counting what is left. */
  get place(): StreamPosition {
    return { after: this.#seq, floor: this.#floor.slice(this.#floorAt), start: this.#start }
  }

  /** The last sequence of the next page. */
  get pageEnd(): number {
    return this.#onFloor ? this.#seq : Math.min(this.#seq + PAGE_SEQS, this.#source.lastSeq())
  }

  /** Yields one page. A caller that stops early continues after the last message it got. */
  *page(filter: Filter, except?: ReadonlySet<number>): Generator<BusMessage> {
    const end = this.pageEnd
    let left = PAGE_BYTES
    for (const message of this.#onFloor ? this.#fromFloor() : this.#fromWindow(end, filter)) {
      this.#seq = message.seq
      this.#leaveFloor()
      left -= message.data.length
      if (filter.passes(message) && !except?.has(message.seq)) yield message
      if (left <= 0) return
    }
    this.#seq = Math.max(this.#seq, end)
  }

  /** Otherwise there are others to read before it. */
  isNext(seq: number): boolean {
    return !this.#onFloor && seq === this.#seq + 1
  }

  /** Past messages that were just committed. */
  moveTo(seq: number): void {
    this.#seq = seq
  }

  get #onFloor(): boolean {
    return this.#floorAt < this.#floor.length
  }

  #leaveFloor(): void {
    if (!this.#onFloor) this.#seq = Math.max(this.#seq, this.#start - 1)
  }

  *#fromWindow(end: number, { type }: Filter): Generator<BusMessage> {
    const only = { before: end + 1, ...(type === undefined ? {} : { type }) }
    for (const message of this.#source.read(this.#seq, PAGE_SEQS, only)) {
      if (message.seq > end) return
      yield message
    }
  }

  *#fromFloor(): Generator<BusMessage> {
    const end = Math.min(this.#floorAt + FLOOR_SEQS, this.#floor.length)
    while (this.#floorAt < end) {
      const message = messageAt(this.#source, this.#floor[this.#floorAt] ?? 0)
      this.#floorAt += 1
      if (message) yield message
    }
    this.#leaveFloor()
  }
}

/** One message by its sequence, if it still exists. */
export function messageAt(source: Source, seq: number): BusMessage | undefined {
  for (const message of source.read(seq - 1, 1)) return message.seq === seq ? message : undefined
  return undefined
}
