/**
 * A follower goes through the journal, or a stream that is made of it, from a position of its own. Items are pushed with each
 * commit while they are the next ones and there is room. It reads the others later, one slice at a time. So it may fall behind,
 * and misses nothing.
 *
 *   const follower = new Follower({ after, lastSeq, read, take, hasRoom, slice: { rows: 100 } })
 *   follower.push(items)        // after each commit
 *   while (follower.readOn());  // true when there is more, and room for it
 */

export interface Sequenced {
  readonly seq: number
}

export interface Slice<T> {
  readonly rows: number
  readonly bytes?: number
  readonly sizeOf?: (item: T) => number
}

export interface FollowerOptions<T extends Sequenced> {
  /** The last item that is done. */
  readonly after: number
  readonly lastSeq: () => number
  /** Oldest first; it is read at once, before anything else happens to the database. */
  readonly read: (after: number, limit: number) => Iterable<T>
  readonly take: (item: T) => void
  readonly hasRoom?: () => boolean
  readonly slice: Slice<T>
}

export class Follower<T extends Sequenced> {
  readonly #options: FollowerOptions<T>
  #at: number
  #missed = 0

  constructor(options: FollowerOptions<T>) {
    this.#options = options
    this.#at = options.after
  }

  /** The last item that was taken. */
  get at(): number {
    return this.#at
  }

  /** Items that were deleted before they were read. */
  get missed(): number {
    return this.#missed
  }

  get isBehind(): boolean {
    return this.#at < this.#options.lastSeq()
  }

  /** Goes on from here: back to what failed, or past what nobody wants. */
  moveTo(seq: number): void {
    this.#at = seq
  }

  push(items: readonly T[]): void {
    for (const item of items) {
      if (item.seq !== this.#at + 1 || !this.#hasRoom()) return
      this.#take(item)
    }
  }

  readOn(): boolean {
    const { lastSeq, read, slice } = this.#options
    const last = lastSeq()
    const before = this.#at
    if (before >= last || !this.#hasRoom()) return false
    let bytes = 0
    for (const item of read(before, slice.rows)) {
      this.#missed += item.seq - this.#at - 1
      this.#take(item)
      bytes += slice.sizeOf?.(item) ?? 0
      if (bytes > (slice.bytes ?? Number.POSITIVE_INFINITY) || !this.#hasRoom()) break
    }
    if (this.#at === before) {
      this.#missed += last - before // nothing is left of it
      this.#at = last
    }
    return this.#at < last && this.#hasRoom()
  }

  #hasRoom(): boolean {
    return this.#options.hasRoom?.() ?? true
  }

  /** An item that cannot be taken is left out: it must not stop the follower for ever. */
  #take(item: T): void {
    this.#at = item.seq
    this.#options.take(item)
  }
}
