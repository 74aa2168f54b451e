/** Limits restarts: an agent that fills its context at once would be restarted forever. */
export const MAX_RESTARTS = 5
export const RESTART_SPAN_MS = 10 * 60_000

export class RestartLimit {
  readonly #now: () => number
  #times: number[] = []

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  note(): void {
    this.#times.push(this.#now())
  }

  /** No more restarts for now. */
  get reached(): boolean {
    const since = this.#now() - RESTART_SPAN_MS
    this.#times = this.#times.filter((at) => at > since)
    return this.#times.length >= MAX_RESTARTS
  }
}
