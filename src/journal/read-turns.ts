/**
 * Readers of pages take turns: subscriptions that catch up, consumers that reconnect, however many. One short page at a
 * time, round robin. Hooks come first: no page is read while one waits, and while hooks arrive, reading gets a fifth of the
 * thread.
 */
const BUSY_MS = 100 // an agent that sent a hook sends the next one soon
const REST = 4 // pause, as a multiple of the page's time, while hooks arrive
const STARVED_MS = 20 // a reader makes progress even if hooks never pause

export class ReadTurns {
  /** Number of hooks so far. */
  readonly #hooks: () => number
  readonly #waiting = new Set<() => void>()
  #scheduled = false
  #seen = 0
  #busyUntil = Number.NEGATIVE_INFINITY
  #readAt = Number.NEGATIVE_INFINITY
  #notBefore = Number.NEGATIVE_INFINITY

  constructor(hooks: () => number = () => 0) {
    this.#hooks = hooks
  }

  /** Reads one page when it is its turn. The same `read` waits once. */
  soon(read: () => void): void {
    this.#waiting.add(read)
    if (!this.#scheduled) this.#schedule()
  }

  /** The same for a part of an answer: whatever `work` returns or throws. */
  take<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) =>
      this.soon(() => {
        try {
          resolve(work())
        } catch (error) {
          reject(error)
        }
      }),
    )
  }

  #schedule(): void {
    this.#scheduled = true
    const now = performance.now()
    if (now < Math.min(this.#busyUntil, this.#notBefore))
      setTimeout(() => this.#next(), this.#notBefore - now)
    else setImmediate(() => this.#next())
  }

  #next(): void {
    const start = performance.now()
    if (this.#hooksCame()) {
      this.#busyUntil = start + BUSY_MS
      // They are committed and answered in this turn of the loop.
      if (start - this.#readAt < STARVED_MS) {
        setImmediate(() => this.#next())
        return
      }
    }
    const [read] = this.#waiting
    try {
      if (!read) return
      this.#waiting.delete(read)
      read()
    } finally {
      this.#readAt = performance.now()
      this.#notBefore = this.#readAt + REST * (this.#readAt - start)
      this.#scheduled = false
      if (this.#waiting.size > 0) this.#schedule()
    }
  }

  #hooksCame(): boolean {
    const hooks = this.#hooks()
    const came = hooks !== this.#seen
    this.#seen = hooks
    return came
  }
}
