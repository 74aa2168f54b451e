/**
 * Learns what payloads look like, off the hook path: a cursor on the journal, moved on in slices of a millisecond or a
 * few. Shapes and the mark are written in one commit, so a crash loses nothing and counts nothing twice; what is found
 * to be different is in the journal before the mark has passed its cause, under an id that follows from it.
 */
import { messageOf } from '../errors.ts'
import type { Arrival } from '../events/index.ts'
import type { DriftRow, PayloadRow, Store } from '../store/index.ts'
import type { Log } from './log.ts'
import type { SchemaBook } from './schema-book.ts'
import { isLearned, kindOf, MAX_LEARNED_BYTES, payloadOf } from './schema-source.ts'

export interface SchemaKeeperOptions {
  readonly store: Store
  readonly log: Log
  readonly settings: () => { readonly enabled: boolean; readonly samples: boolean }
  /** Tells whether the event is on the disk. */
  readonly raise: (arrival: Arrival, done: (isStored: boolean) => void) => void
  readonly now?: () => number
}

const MARK = 'schema'
const QUIET_MS = 100 // no commit for so long: nobody waits
const QUIET_SLICE_MS = 5
const BUSY_SLICE_MS = 1 // a hook may have to wait for all of it
const BUSY_PAUSE_MS = 10
const QUIET_PAUSE_MS = 1
const WRITE_EVERY_MS = 10_000 // under steady load; what a start has to learn again at most
const TELL_MS = 2_000 // no hurry: what an agent sends in one go stays in one piece in the journal
const RAISED_DEADLINE_MS = 1_000 // for whoever asks; a full disk must not keep them waiting
const AGAIN_MS = 500 // for an event that could not be stored
const PAGE = 500

export class SchemaKeeper {
  readonly #options: SchemaKeeperOptions
  readonly #now: () => number
  #book: SchemaBook | undefined
  #loading = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #writeTimer: ReturnType<typeof setTimeout> | undefined
  #writeDue = 0
  #cursor: number
  #mark: number
  #lastCommit = 0
  #writtenAt = performance.now()
  #drifts: DriftRow[] = []
  /** Found, and not on the disk yet. */
  readonly #unraised = new Map<string, { readonly arrival: Arrival; isOnItsWay: boolean }>()
  #isOff = false

  constructor(options: SchemaKeeperOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#mark = options.store.marks.get(MARK)
    this.#cursor = this.#mark
    this.#later(QUIET_MS) // what came while it was off, or was not written before a crash
  }

  /** After each commit, once its answers have left. */
  committed(): void {
    this.#lastCommit = performance.now()
    if (!this.#timer) this.#later(BUSY_PAUSE_MS)
  }

  /** With everything in it that is in the journal by now, and in the rows. */
  async book(): Promise<SchemaBook> {
    const book = await this.#load()
    const { settings } = this.#options
    while (settings().enabled && this.#learn(book, QUIET_SLICE_MS)) await Bun.sleep(QUIET_PAUSE_MS)
    this.#sendAll()
    const end = performance.now() + RAISED_DEADLINE_MS
    while (this.#unraised.size > 0 && performance.now() < end) await Bun.sleep(QUIET_PAUSE_MS)
    this.#write(book)
    return book
  }

  stop(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#writeTimer)
    this.#isOff = true
    if (this.#book) this.#write(this.#book)
  }

  #later(ms: number): void {
    if (!this.#isOff) this.#timer = setTimeout(() => this.#slice(), ms)
  }

  #slice(): void {
    this.#timer = undefined
    if (!this.#options.settings().enabled) {
      this.#cursor = this.#options.store.journal.lastSeq
      return
    }
    if (!this.#book) {
      if (!this.#loading) this.#loadThenLearn()
      return
    }
    const isQuiet = performance.now() - this.#lastCommit > QUIET_MS
    const hasMore = this.#learn(this.#book, isQuiet ? QUIET_SLICE_MS : BUSY_SLICE_MS)
    if (this.#unraised.size > 0) this.#writeLater(TELL_MS)
    else if (performance.now() - this.#writtenAt > WRITE_EVERY_MS) this.#write(this.#book)
    else if (this.#cursor !== this.#mark) this.#writeLater(WRITE_EVERY_MS)
    if (hasMore) this.#later(isQuiet ? QUIET_PAUSE_MS : BUSY_PAUSE_MS)
  }

  /** A shape is larger than an event, so it is not written for every one. But whoever asks shall hear of a difference. */
  #writeLater(ms: number): void {
    const due = performance.now() + ms
    if (this.#isOff || (this.#writeTimer && this.#writeDue <= due)) return
    clearTimeout(this.#writeTimer)
    this.#writeDue = due
    this.#writeTimer = setTimeout(() => {
      this.#writeTimer = undefined
      if (this.#book) this.#write(this.#book)
      if (this.#unraised.size > 0) this.#writeLater(AGAIN_MS)
    }, ms)
  }

  #loadThenLearn(): void {
    this.#loading = true
    const done = (ms: number) => {
      this.#loading = false
      this.#later(ms)
    }
    this.#load().then(
      () => done(0),
      (error) => {
        this.#options.log.error('schema', `cannot be loaded: ${messageOf(error)}`)
        done(WRITE_EVERY_MS)
      },
    )
  }

  async #load(): Promise<SchemaBook> {
    const { openSchemaBook } = await import('./schema-book.ts') // the start comes first
    this.#book ??= openSchemaBook(this.#options.store, () => this.#options.settings().samples)
    return this.#book
  }

  /** Reads on until the time is up; true when there is more. */
  #learn(book: SchemaBook, sliceMs: number): boolean {
    const end = performance.now() + sliceMs
    const before = this.#cursor
    try {
      for (const row of this.#options.store.payloads(this.#cursor, PAGE, MAX_LEARNED_BYTES)) {
        this.#cursor = row.seq
        if (isLearned(row)) this.#see(book, row)
        if (performance.now() > end) break
      }
    } catch (error) {
      this.#options.log.warn('schema', `learning put off: ${messageOf(error)}`)
      return false
    }
    return this.#cursor < this.#options.store.journal.lastSeq && this.#cursor > before
  }

  #see(book: SchemaBook, { raw, id, receivedAt, ...row }: PayloadRow): void {
    const { drifts, change } = book.see(kindOf(row), () => payloadOf(raw), receivedAt)
    if (change) this.#raise(book.changed(change, id, this.#now()))
    for (const drift of drifts) {
      const { row, arrival } = book.told(drift, id, this.#now())
      this.#drifts.push(row)
      this.#options.log.warn('schema', row.message)
      this.#raise(arrival)
    }
  }

  #raise(arrival: Arrival): void {
    // Not sent from inside the loop over the journal's rows: nothing else may happen to the database there.
    this.#unraised.set(arrival.id, { arrival, isOnItsWay: false })
  }

  #sendAll(): void {
    for (const waiting of this.#unraised.values()) {
      if (waiting.isOnItsWay) continue
      waiting.isOnItsWay = true
      this.#send(waiting.arrival)
    }
  }

  #send(arrival: Arrival): void {
    if (this.#isOff) return
    this.#options.raise(arrival, (isStored) => {
      if (isStored) this.#unraised.delete(arrival.id)
      else this.#unraised.set(arrival.id, { arrival, isOnItsWay: false })
    })
  }

  /** Not before all that was found is on the disk: what is written is never learned again. */
  #write(book: SchemaBook): void {
    this.#sendAll()
    if (this.#unraised.size > 0) return
    this.#writtenAt = performance.now()
    if (this.#cursor === this.#mark) return
    const { journal, marks, schemas } = this.#options.store
    try {
      journal.relaxed(() => {
        book.write()
        for (const row of this.#drifts) schemas.putDrift(row)
        marks.set(MARK, this.#cursor)
      })
      book.written()
      this.#mark = this.#cursor
      this.#drifts = []
    } catch (error) {
      this.#options.log.warn('schema', `writing put off: ${messageOf(error)}`)
    }
  }
}
