/**
 * Looks at files that may never answer: by the threads of the runtime, one at a time. A mount that hangs takes one of these
 * threads and no more, since everybody else needs them, too; as long as it does, nobody waits for another look.
 */
const MAX_WAITING = 64
const STUCK_MS = 1_000 // a server that answers at all has done so by then

export class FarLane {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #since: number | undefined

  /** A look has been under way for so long that more are not worth waiting for. */
  get isStuck(): boolean {
    return this.#since !== undefined && performance.now() - this.#since > STUCK_MS
  }

  /** Nothing when it failed, or there was no room for it. */
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

/** The threads are there once for the whole process. */
export const farLane = new FarLane()
