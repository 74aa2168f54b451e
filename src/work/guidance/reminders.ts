/**
 * What each window was told, and what is queued for it: some agents cannot be told anything before a tool call, and
 * none should be told twice. Kept in memory, so a reminder may repeat after a restart. What must survive a restart
 * follows from the rows (recovery.ts).
 */
const MAX_KEPT = 5_000 // of each kind; the oldest are dropped first
const MAX_WORDS = 20 // per window: the queue of an agent that never gets an answer must not grow

export class Reminders {
  readonly #said = new Map<string, number>()
  readonly #waiting = new Map<number, string[]>()
  /** Tool calls of a window; a log does not reset them. */
  readonly #calls = new Map<number, number>()

  once(what: string): boolean {
    if (this.#said.has(what)) return false
    remember(this.#said, what, 0)
    return true
  }

  count(window: number): void {
    remember(this.#calls, window, (this.#calls.get(window) ?? 0) + 1)
  }

  /** True the first time, and again after every `every` calls of the window; without `every`, only once. */
  again(what: string, window: number, every = Number.POSITIVE_INFINITY): boolean {
    const calls = this.#calls.get(window) ?? 0
    const last = this.#said.get(what)
    if (last !== undefined && calls - last < every) return false
    remember(this.#said, what, calls)
    return true
  }

  forget(things: readonly string[]): void {
    for (const what of things) this.#said.delete(what)
  }

  /** Queues words for the window's next answer. */
  keep(window: number, words: readonly string[]): void {
    if (words.length === 0) return
    remember(this.#waiting, window, [...(this.#waiting.get(window) ?? []), ...words].slice(-MAX_WORDS))
  }

  take(window: number): readonly string[] {
    const words = this.#waiting.get(window)
    if (!words) return []
    this.#waiting.delete(window)
    return words
  }
}

function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= MAX_KEPT) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}
