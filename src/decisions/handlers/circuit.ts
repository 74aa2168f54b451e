/**
 * What fails again and again is left alone for a while, longer each time; then one try decides whether it is back.
 * Takes the clock as an argument.
 */
import { doubled } from '../../core/time/waits.ts'

type CircuitState = 'closed' | 'open' | 'half-open'

const FAILURES_TO_OPEN = 3 // in a row
const RETRY_MS = 10_000
const MAX_RETRY_MS = 5 * 60_000

export class Circuit {
  readonly #retryMs: number
  #failures = 0
  #until: number | undefined
  #trying = false

  constructor(retryMs: number = RETRY_MS) {
    this.#retryMs = retryMs
  }

  /** When it is tried again, while it is open. */
  get retryAt(): number | undefined {
    return this.#until
  }

  state(now: number): CircuitState {
    if (this.#until === undefined) return 'closed'
    return this.#trying || now >= this.#until ? 'half-open' : 'open'
  }

  /** Whether it may run now. The one try of a half-open circuit is taken by this. */
  admits(now: number): boolean {
    if (this.#until === undefined) return true
    if (this.#trying || now < this.#until) return false
    this.#trying = true
    return true
  }

  succeeded(): void {
    this.#failures = 0
    this.#until = undefined
    this.#trying = false
  }

  failed(now: number): void {
    this.#failures += 1
    this.#trying = false
    if (this.#failures < FAILURES_TO_OPEN) return
    this.#until = now + doubled(this.#failures - FAILURES_TO_OPEN + 1, MAX_RETRY_MS, this.#retryMs)
  }
}
