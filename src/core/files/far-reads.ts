/**
 * Reads files that may never answer, one at a time, on the runtime's thread pool. Everyone shares those threads, so a hung
 * mount may block only one of them. While it does, further reads fail at once.
 */
const MAX_WAITING = 64
const STUCK_MS = 1_000 // a server that answers at all does so within this time

class FarReads {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #since: number | undefined

  /** A read has been under way for so long that waiting for more is pointless. */
  get isStuck(): boolean {
    return this.#since !== undefined && performance.now() - this.#since > STUCK_MS
  }

  /** Resolves to undefined if the read failed or the queue is full. */
  look<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.isStuck || this.#waiting >= MAX_WAITING) return Promise.resolve(undefined)
    this.#waiting += 1
    const mine = this.#last.then(async () => {
      this.#since = performance.now()
      try {
        return await work()
      } catch {
        return undefined
      } finally {
        this.#since = undefined
        this.#waiting -= 1
      }
    })
    this.#last = mine
    return mine
  }
}

/** One for the process, because the thread pool is shared. */
export const farLane = new FarReads()
