/**
 * The unacknowledged messages of one consumer. Knows nothing of streams and connections; the time is an argument.
 *
 *   const count = deliveries.give(17, now + ackWaitMs, member)   // 1 the first time
 *   deliveries.settle(17)                                        // acknowledged
 *   deliveries.dueBy(now)                                        // to be given again, oldest first
 */
interface Open {
  deliveries: number
  /** When it is redelivered, unless it is settled before. */
  due: number
  to: unknown
}

export class Unacknowledged {
  readonly #open = new Map<number, Open>()
  /** A lower bound of the next due time, so that most checks cost nothing. */
  #nextDue = Number.POSITIVE_INFINITY

  /** Restores a row: the former connections are gone, so all are due at once. */
  constructor(pending: readonly (readonly [seq: number, deliveries: number])[] = []) {
    for (const [seq, deliveries] of pending) this.#open.set(seq, { deliveries, due: 0, to: undefined })
    if (this.#open.size > 0) this.#nextDue = 0
  }

  get size(): number {
    return this.#open.size
  }

  /** Number of messages delivered more than once. */
  get again(): number {
    let count = 0
    for (const { deliveries } of this.#open.values()) if (deliveries > 1) count += 1
    return count
  }

  /** The oldest open message. */
  get first(): number | undefined {
    return this.#open.size === 0 ? undefined : Math.min(...this.#open.keys())
  }

  has(seq: number): boolean {
    return this.#open.has(seq)
  }

  /** Returns how often it was delivered, this time included. */
  give(seq: number, due: number, to: unknown): number {
    const deliveries = (this.#open.get(seq)?.deliveries ?? 0) + 1
    this.#open.set(seq, { deliveries, due, to })
    this.#nextDue = Math.min(this.#nextDue, due)
    return deliveries
  }

  /** Settles it for good. False if it was not open: acknowledged twice, or never delivered. */
  settle(seq: number): boolean {
    return this.#open.delete(seq)
  }

  /** Changes its due time. */
  put(seq: number, due: number): boolean {
    const open = this.#open.get(seq)
    if (!open) return false
    open.due = due
    this.#nextDue = Math.min(this.#nextDue, due)
    return true
  }

  /** Makes everything of a closed connection due. */
  release(from: unknown, due: number): void {
    for (const [seq, open] of this.#open) if (open.to === from) this.put(seq, due)
  }

  /** Oldest first. */
  dueBy(now: number): number[] {
    if (now < this.#nextDue) return []
    const due: number[] = []
    this.#nextDue = Number.POSITIVE_INFINITY
    for (const [seq, open] of this.#open) {
      if (open.due <= now) due.push(seq)
      this.#nextDue = Math.min(this.#nextDue, open.due)
    }
    return due.sort((a, b) => a - b)
  }

  /** When the next one may be due; infinite if none is open. */
  get nextDue(): number {
    return this.#open.size === 0 ? Number.POSITIVE_INFINITY : this.#nextDue
  }

  /** For the row: sequence and number of deliveries. */
  pending(): [seq: number, deliveries: number][] {
    return [...this.#open].map(([seq, { deliveries }]) => [seq, deliveries])
  }
}
