/**
 * What each window was told, and what is queued for it: some agents cannot be told anything before a tool call, and
 * none should be told twice. Kept in memory, so a reminder may repeat after a restart. What must survive a restart
 * follows from the rows (recovery.ts).
 */
import { RecentMap } from '../../core/recent-map.ts'

const MIN_KEPT = 2_500 // of each kind
const MAX_WORDS = 20 // per window: the queue of an agent that never gets an answer must not grow

export class Reminders {
  readonly #said = new RecentMap<string, number>(MIN_KEPT)
  readonly #waiting = new RecentMap<number, string[]>(MIN_KEPT)
  /** Tool calls of a window; a log does not reset them. */
  readonly #calls = new RecentMap<number, number>(MIN_KEPT)

  once(what: string): boolean {
    if (this.#said.has(what)) return false
    this.#said.set(what, 0)
    return true
  }

  count(window: number): void {
    this.#calls.set(window, (this.#calls.get(window) ?? 0) + 1)
  }

  /** True the first time, and again after every `every` calls of the window; without `every`, only once. */
  again(what: string, window: number, every = Number.POSITIVE_INFINITY): boolean {
    const calls = this.#calls.get(window) ?? 0
    const last = this.#said.get(what)
    if (last !== undefined && calls - last < every) return false
    this.#said.set(what, calls)
    return true
  }

  forget(things: readonly string[]): void {
    for (const what of things) this.#said.delete(what)
  }

  /** Queues words for the window's next answer. */
  keep(window: number, words: readonly string[]): void {
    if (words.length === 0) return
    this.#waiting.set(window, [...(this.#waiting.get(window) ?? []), ...words].slice(-MAX_WORDS))
  }

  take(window: number): readonly string[] {
    const words = this.#waiting.get(window)
    if (!words) return []
    this.#waiting.delete(window)
    return words
  }
}
