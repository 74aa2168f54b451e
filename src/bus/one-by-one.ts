/**
 * Reading for many readers, one short piece in each turn of the event loop: however many catch up at once, a hook
 * waits for one piece at most.
 *
 *   const pages = new OneByOne()
 *   pages.soon(() => …)      // a few milliseconds of work
 */
export class OneByOne {
  readonly #waiting: (() => void)[] = []

  soon(work: () => void): void {
    this.#waiting.push(work)
    if (this.#waiting.length === 1) setImmediate(() => this.#next())
  }

  #next(): void {
    const work = this.#waiting[0]
    try {
      work?.()
    } finally {
      this.#waiting.shift()
      if (this.#waiting.length > 0) setImmediate(() => this.#next())
    }
  }
}
