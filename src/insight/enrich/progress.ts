/** How far enrichment has come: a mark in memory, one in the database a moment later, and those who wait for it. */
import type { Store } from '../../store/index.ts'

const MARK = 'context'
const WRITE_MS = 1_000 // what a start looks at again at most
const MAX_HISTORY = 5_000

export class Progress {
  readonly #store: Store
  #mark: number
  #stored: number
  #writing: ReturnType<typeof setTimeout> | undefined
  #waiters: { readonly seq: number; readonly done: () => void }[] = []

  constructor(store: Store) {
    this.#store = store
    this.#stored = store.marks.get(MARK)
    const { lastSeq } = store.journal
    // A long journal from before there were contexts is not gone through: what was around its events is forgotten.
    this.#mark = this.#stored === 0 && lastSeq > MAX_HISTORY ? lastSeq : this.#stored
  }

  get mark(): number {
    return this.#mark
  }

  move(seq: number): void {
    if (seq <= this.#mark) return
    this.#mark = seq
    const reached = this.#waiters.filter((waiter) => waiter.seq <= seq)
    if (reached.length > 0) this.#waiters = this.#waiters.filter((waiter) => waiter.seq > seq)
    for (const { done } of reached) done()
    this.#writing ??= setTimeout(() => this.#write(), WRITE_MS)
  }

  /** Resolves when the mark is there, at the latest after `ms`. */
  wait(seq: number, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const waiter = { seq, done: () => finish() }
      const finish = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiters = this.#waiters.filter((one) => one !== waiter)
        resolve()
      }, ms)
      this.#waiters.push(waiter)
    })
  }

  close(): void {
    this.#write()
    for (const { done } of this.#waiters.splice(0)) done()
  }

  #write(): void {
    clearTimeout(this.#writing)
    this.#writing = undefined
    if (this.#stored === this.#mark) return
    const { journal, marks } = this.#store
    try {
      journal.relaxed(() => marks.set(MARK, this.#mark))
      this.#stored = this.#mark
    } catch {
      // Somebody else holds the database; a later one says it, too.
    }
  }
}
