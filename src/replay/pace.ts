/**
 * When the next line is due: the recorded gap divided by the speed, up to a maximum. Measured against one clock, so
 * that a delay does not accumulate.
 */
interface PaceOptions {
  /** 2 is twice as fast; Infinity does not wait. */
  readonly speed: number
  readonly maxGapMs: number
}

export class Pace {
  readonly #options: PaceOptions
  #before: number | undefined
  #due: number

  constructor(options: PaceOptions, now: number) {
    this.#options = options
    this.#due = now
  }

  /** Milliseconds to wait from `now` for a line recorded at `at`. */
  wait(at: number, now: number): number {
    const { speed, maxGapMs } = this.#options
    const gap = this.#before === undefined ? 0 : Math.max(0, at - this.#before)
    this.#before = at
    this.#due = Math.max(this.#due, now - maxGapMs) + Math.min(maxGapMs, gap / speed)
    return Math.max(0, this.#due - now)
  }
}
