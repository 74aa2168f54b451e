/**
 * When the next line is due: as long after the one before as it was then, by the speed, and never longer than a person
 * waits. Against one clock, so that what is late once is not late for ever.
 */
export interface PaceOptions {
  /** 2 is twice as fast; Infinity waits for nothing. */
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

  /** Milliseconds to wait from `now` for a line of this time. */
  wait(at: number, now: number): number {
    const { speed, maxGapMs } = this.#options
    const gap = this.#before === undefined ? 0 : Math.max(0, at - this.#before)
    this.#before = at
    this.#due = Math.max(this.#due, now - maxGapMs) + Math.min(maxGapMs, gap / speed)
    return Math.max(0, this.#due - now)
  }
}
