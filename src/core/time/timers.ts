/**
 * Timers of which each fires once: one for each key, or any number without. After `close` none fires, and none can be set.
 *
 *   timers.set(session.key, 5_000, () => giveUp(session.key))   // replaces the one of this key
 */
export class Timers {
  readonly #timers = new Map<unknown, ReturnType<typeof setTimeout>>()
  #closed = false

  get size(): number {
    return this.#timers.size
  }

  has(key: unknown): boolean {
    return this.#timers.has(key)
  }

  set(key: unknown, ms: number, work: () => void): void {
    this.clear(key)
    if (this.#closed) return
    const timer = setTimeout(() => {
      this.#timers.delete(key)
      work()
    }, ms)
    this.#timers.set(key, timer)
  }

  add(ms: number, work: () => void): void {
    this.set(Symbol(), ms, work)
  }

  clear(key: unknown): void {
    clearTimeout(this.#timers.get(key))
    this.#timers.delete(key)
  }

  close(): void {
    this.#closed = true
    for (const key of this.#timers.keys()) this.clear(key)
  }
}
