/**
 * Per-key throttle with one trailing call: the first call passes at once, later ones are combined into one after the
 * interval. Only the key is kept, so the trailing call reads the current state.
 */
export class Throttle {
  readonly #restMs: number
  readonly #pass: (key: string) => void
  /** Keys that passed recently, and whether each was requested again since. */
  readonly #resting = new Map<string, boolean>()

  constructor(restMs: number, pass: (key: string) => void) {
    this.#restMs = restMs
    this.#pass = pass
  }

  /** False if the call comes later through `pass`. */
  mayPass(key: string): boolean {
    if (this.#resting.has(key)) {
      this.#resting.set(key, true)
      return false
    }
    this.#rest(key)
    return true
  }

  #rest(key: string): void {
    this.#resting.set(key, false)
    setTimeout(() => this.#wake(key), this.#restMs).unref()
  }

  #wake(key: string): void {
    const hasNews = this.#resting.get(key) === true
    this.#resting.delete(key)
    if (!hasNews) return
    this.#rest(key)
    this.#pass(key)
  }
}
