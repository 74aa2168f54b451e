/**
 * Follows the journal, or a stream derived from it, from its own position. Items are pushed with each commit while they are
 * the next ones and there is room. It reads the others later, one slice at a time. So it may fall behind, but misses
 * nothing.
 *
 *   const follower = new Follower({ after, lastSeq, read, take, hasRoom, slice: { rows: 100 } })
 *   follower.push(items)        // after each commit
 *   while (follower.readOn());  // true if there is more, and room for it
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
  /** The last completed item. */
  readonly after: number
  readonly lastSeq: () => number
  /** Oldest first; consumed at once, before any other use of the database. */
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

  /** The last item taken. */
  get at(): number {
    return this.#at
  }

  /** Items deleted before they were read. */
  get missed(): number {
    return this.#missed
  }

  get isBehind(): boolean {
    return this.#at < this.#options.lastSeq()
  }

  /** Continues from here: back to a failure, or past items nobody wants. */
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
      this.#missed += last - before // all of them were deleted
      this.#at = last
    }
    return this.#at < last && this.#hasRoom()
  }

  #hasRoom(): boolean {
    return this.#options.hasRoom?.() ?? true
  }

  /** An item that cannot be taken is skipped: it must not stop the follower forever. */
  #take(item: T): void {
    this.#at = item.seq
    this.#options.take(item)
  }
}
