/**
 * How much of the event loop publishing may take: all of it while nothing else happens, a small share of it while hooks
 * come. Publishers take turns of one slice each. On a machine that is busy slices take longer, and so do the rests.
 *
 *   rateLimit.soon(() => sendSome())   // true when it left something undone
 */
const HOOKS_MS = 10 // a commit so short ago: hooks are coming, and they go first
const REST_MS = 4 // after a slice while they come: some 3,000 messages a second
const REST_SLICES = 8 // or so many times as long as the slice took
const MAX_REST_MS = 20 // a slice that was held up by others says little about the next one; a backlog has to go out, too

export interface Slice {
  readonly messages: number
  readonly ms: number
}

const WHOLE: Slice = { messages: 64, ms: 2 }
const SMALL: Slice = { messages: 16, ms: 1 }

export class RateLimit {
  readonly #turns: (() => boolean)[] = []
  #hookAt = Number.NEGATIVE_INFINITY
  #restUntil = Number.NEGATIVE_INFINITY
  #isScheduled = false

  /** A commit, just now. */
  hooked(): void {
    this.#hookAt = performance.now()
  }

  /** As much as a turn may take now. */
  get slice(): Slice {
    return this.#givesWay ? SMALL : WHOLE
  }

  soon(turn: () => boolean): void {
    this.#turns.push(turn)
    this.#schedule()
  }

  get #givesWay(): boolean {
    return performance.now() - this.#hookAt < HOOKS_MS
  }

  #schedule(): void {
    if (this.#isScheduled || this.#turns.length === 0) return
    this.#isScheduled = true
    const rest = this.#restUntil - performance.now()
    if (rest > 0) setTimeout(() => this.#next(), Math.ceil(rest))
    else setImmediate(() => this.#next())
  }

  #next(): void {
    const begin = performance.now()
    const isBehind = this.#turns.shift()?.() === true
    const end = performance.now()
    const rest = Math.min(MAX_REST_MS, Math.max(REST_MS, REST_SLICES * (end - begin)))
    if (isBehind && this.#givesWay) this.#restUntil = end + rest
    this.#isScheduled = false
    this.#schedule()
  }
}
