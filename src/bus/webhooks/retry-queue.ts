/**
 * How far a target has come with its stream, on the disk: a mark, and a letter for each message before it that did not
 * get through. Written without an fsync of its own: what a power cut takes back is sent again.
 */
import { messageOf } from '../../core/errors.ts'
import type { Letter, Store } from '../../store/index.ts'
import type { StreamName } from '../streams/index.ts'
import type { Item } from './session-lanes.ts'

export interface LetterboxParts {
  readonly store: Store
  readonly target: string
  readonly stream: StreamName
  readonly now: () => number
  readonly warn: (message: string) => void
}

const SAVE_EVERY_MS = 200 // what is sent twice after a crash, at most
const MAX_DEAD = 1_000 // dead letters that are kept

export class RetryQueue {
  readonly #parts: LetterboxParts
  #saved: number | undefined
  #saver: ReturnType<typeof setTimeout> | undefined

  constructor(parts: LetterboxParts) {
    this.#parts = parts
  }

  /** Where it was; who is new begins with what comes next, never with the whole journal. */
  open(last: number): number {
    const { store, target, stream, now } = this.#parts
    this.#saved = store.letters.mark(target, stream)
    if (this.#saved !== undefined) return Math.min(this.#saved, last)
    const set = () => store.letters.setMark(target, stream, last, now())
    if (this.#safely(() => store.journal.commit(set))) this.#saved = last
    return last
  }

  waiting(): Letter[] {
    return this.#parts.store.letters.waiting(this.#parts.target, this.#parts.stream)
  }

  countDead(): number {
    return this.#parts.store.letters.countDead(this.#parts.target)
  }

  /** It will be tried again. False when that could not be written. */
  keep(item: Item, error: string | undefined): boolean {
    return this.#write(() => this.#put(item, error, null))
  }

  giveUp(item: Item, error: string | undefined, firstSeq: () => number): boolean {
    const { store, target, stream, now } = this.#parts
    return this.#write(() => {
      this.#put(item, error, now())
      store.letters.trimDead(target, stream, MAX_DEAD, firstSeq())
    })
  }

  forget(item: Item): void {
    const { store, target, stream } = this.#parts
    if (item.kept) this.#write(() => store.letters.remove(target, stream, item.seq))
  }

  /** Soon, once for all that happens until then. */
  saveSoon(mark: () => number): void {
    if (this.#saver !== undefined || mark() === this.#saved) return
    this.#saver = setTimeout(() => {
      this.#saver = undefined
      this.save(mark())
    }, SAVE_EVERY_MS)
  }

  save(mark: number): void {
    const { store, target, stream, now } = this.#parts
    if (mark === this.#saved) return
    if (this.#write(() => store.letters.setMark(target, stream, mark, now()))) this.#saved = mark
  }

  /** With the last word on where it is. */
  close(mark: number): void {
    clearTimeout(this.#saver)
    this.save(mark)
  }

  #put(item: Item, error: string | undefined, deadAt: number | null): void {
    const { store, target, stream } = this.#parts
    const { seq, id, session, attempts, dueAt } = item
    store.letters.put({
      target,
      stream,
      seq,
      id,
      sessionId: session,
      attemptCount: attempts,
      nextAttemptAt: dueAt,
      lastError: error ?? null,
      deadAt,
    })
  }

  #write(work: () => void): boolean {
    return this.#safely(() => this.#parts.store.journal.relaxed(work))
  }

  #safely(work: () => void): boolean {
    try {
      work()
      return true
    } catch (error) {
      this.#parts.warn(`its place cannot be written: ${messageOf(error)}`)
      return false
    }
  }
}
