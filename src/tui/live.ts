/** A value shown on a screen. Changes from the daemon are batched per frame, changes from a key are shown at once. */
import { Alarm } from '../core/time/alarm.ts'

export const FRAME_MS = 50 // nobody reads faster; two frames of a slow SSH line

export class Live<T> {
  #value: T
  readonly #listeners = new Set<() => void>()
  readonly #next = new Alarm(() => this.#tell())

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
    this.#next.within(FRAME_MS)
  }

  close(): void {
    this.#next.clear()
    this.#listeners.clear()
  }

  #tell(): void {
    this.#next.clear()
    for (const listener of this.#listeners) listener()
  }
}
