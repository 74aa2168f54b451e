/**
 * How far a target has come with its stream, on the disk: a mark, and a letter for each message before it that did not get
 * through. A letter waits for its next attempt, or it is dead. Written without an fsync of its own: a power cut takes back a
 * moment, and the target gets that again.
 */
import { messageOf } from '../../core/errors.ts'
import { Alarm } from '../../core/time/alarm.ts'
import type { FollowerStore, Letter } from '../../store/index.ts'
import { KEPT } from '../../store/kept.ts'
import type { StreamName } from '../streams/index.ts'
import type { Entry } from './lanes.ts'

interface CheckpointOptions {
  readonly store: FollowerStore
  readonly target: string
  readonly stream: StreamName
  readonly now?: () => number
  readonly warn: (message: string) => void
  /** As it is now; undefined while there is nothing to save. */
  readonly mark: () => number | undefined
  /** Something else that is saved with the mark has changed. */
  readonly isStale?: () => boolean
  /** Inside a transaction. */
  readonly writeMark: (mark: number, at: number) => void
}

const RETRY_MS = 1_000

export class Checkpoint {
  readonly #options: CheckpointOptions
  readonly #saver = new Alarm(() => this.save())
  #saved: number | undefined

  constructor(options: CheckpointOptions) {
    this.#options = options
    this.#saved = options.store.deliveries.mark(options.target, options.stream)
  }

  /** The mark as it was written last; undefined before the first time. */
  get saved(): number | undefined {
    return this.#saved
  }

  /** A mark that was written with more than itself. */
  set saved(mark: number) {
    this.#saver.clear()
    this.#saved = mark
  }

  /** Once for all that happens until then. */
  saveWithin(ms: number): void {
    this.#saver.within(ms)
  }

  /** False when nothing was written. */
  save(): boolean {
    this.#saver.clear()
    const mark = this.#options.mark()
    if (mark === undefined || !this.#isChanged()) return false
    const isWritten = this.write(() => this.#options.writeMark(mark, this.#now()))
    if (isWritten) this.#saved = mark
    else this.#saver.within(RETRY_MS)
    return isWritten
  }

  close(): void {
    this.save()
    this.#saver.clear()
  }

  /** Deliveries that have attempts left, oldest first. */
  waiting(): Letter[] {
    const { store, target, stream } = this.#options
    return store.deliveries.waiting(target, stream)
  }

  /** It will be tried again. False when that could not be written. */
  keep(entry: Entry, error: string | undefined): boolean {
    return this.write(() => this.#put(entry, error, null))
  }

  /** It is dead. False when that could not be written. */
  giveUp(entry: Entry, error: string | undefined, firstSeq: () => number): boolean {
    const { store, target, stream } = this.#options
    return this.write(() => {
      this.#put(entry, error, this.#now())
      store.deliveries.trimDead(target, stream, KEPT.deadLetters, firstSeq())
    })
  }

  /** It needs no letter any more. */
  forget(seq: number): void {
    const { store, target, stream } = this.#options
    this.write(() => store.deliveries.remove(target, stream, seq))
  }

  write(work: () => void): boolean {
    const { store, warn } = this.#options
    try {
      store.journal.relaxed(work)
      return true
    } catch (error) {
      warn(`its mark cannot be written: ${messageOf(error)}`)
      return false
    }
  }

  #isChanged(): boolean {
    return this.#options.mark() !== this.#saved || this.#options.isStale?.() === true
  }

  #put(entry: Entry, error: string | undefined, deadAt: number | null): void {
    const { store, target, stream } = this.#options
    const { seq, id, session, attempts, dueAt } = entry
    store.deliveries.put({
      target,
      stream,
      seq,
      id,
      sessionId: session,
      attemptCount: deadAt === null ? attempts : Math.max(1, attempts),
      nextAttemptAt: deadAt ?? dueAt,
      lastError: error ?? null,
      deadAt,
    })
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now()
  }
}
