/** A value shown on a screen. Changes from the daemon are batched per frame, changes from a key are shown at once. */

export const FRAME_MS = 50 // nobody reads faster; two frames of a slow SSH line

export class Live<T> {
  #value: T
  readonly #listeners = new Set<() => void>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(value: T) {
    this.#value = value
  }

  readonly get = (): T => this.#value

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Shown at once. */
  readonly set = (change: (value: T) => T): void => {
    const next = change(this.#value)
    if (next === this.#value) return
    this.#value = next
    this.#tell()
  }

  /** Shown with the next frame. */
  readonly later = (change: (value: T) => T): void => {
    const next = change(this.#value)
    if (next === this.#value) return
    this.#value = next
    this.#timer ??= setTimeout(() => this.#tell(), FRAME_MS)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#listeners.clear()
  }

  #tell(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const listener of this.#listeners) listener()
  }
}
