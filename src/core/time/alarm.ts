/** A timer that can be set many times and fires once. */
export class Alarm {
  readonly #work: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #due = 0

  constructor(work: () => void) {
    this.#work = work
  }

  get isSet(): boolean {
    return this.#timer !== undefined
  }

  /** At the earliest requested time. */
  within(ms: number): void {
    if (this.#timer === undefined || performance.now() + ms < this.#due) this.reset(ms)
  }

  /** At this time, whatever was requested before. */
  reset(ms: number): void {
    clearTimeout(this.#timer)
    this.#due = performance.now() + ms
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#work()
    }, ms)
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
