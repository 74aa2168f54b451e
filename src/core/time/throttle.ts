/**
 * Lets what repeats pass at once, then at most once in a while. What was held back passes when the while is over, and
 * nothing is kept of it but its name: whoever is told then reads what is true then.
 */
export class Throttle {
  readonly #restMs: number
  readonly #pass: (key: string) => void
  /** What passed lately, and whether it has come again since. */
  readonly #resting = new Map<string, boolean>()

  constructor(restMs: number, pass: (key: string) => void) {
    this.#restMs = restMs
    this.#pass = pass
  }

  /** False when it is told later. */
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
