/** A timer that can be set many times and fires once, at the earliest requested time. */
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

  within(ms: number): void {
    const due = performance.now() + ms
    if (this.#timer !== undefined && this.#due <= due) return
    clearTimeout(this.#timer)
    this.#due = due
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
