/**
 * Learns what payloads look like, off the hook path: a cursor on the journal, moved on in slices of a millisecond or a
 * few, by the events of each commit while their payloads are at hand, else by reading on. Shapes and the mark are written in one commit, so a crash loses nothing and counts nothing twice; what is found
 * to be different is in the journal before the mark has passed its cause, under an id that follows from it.
 */
import { messageOf } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import type { Arrival, HookEvent } from '../../events/index.ts'
import { takePayload } from '../../journal/index.ts'
import type { DriftRow, PayloadRow, Store } from '../../store/index.ts'
import type { SchemaBook } from './registry.ts'
import { isLearned, kindOf, MAX_LEARNED_BYTES, payloadOf, payloadRowOf } from './source.ts'

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
const FLOOD_MS = 100
const FLOOD_EVENTS = 400 // in that time
const MAX_FRESH = 1_000 // in memory with their payloads; the journal has the others

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
  /** Committed just now, and not looked at yet. */
  #fresh: HookEvent[] = []
  #freshTimer: ReturnType<typeof setImmediate> | undefined
  #countedAt = 0
  #counted = 0
  #wasFlood = false

  constructor(options: SchemaKeeperOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#mark = options.store.marks.get(MARK)
    this.#cursor = this.#mark
    this.#later(QUIET_MS) // what came while it was off, or was not written before a crash
  }

  /** After each commit, once its answers have left. */
  committed(events: readonly HookEvent[]): void {
    this.#lastCommit = performance.now()
    const next = (this.#fresh.at(-1)?.seq ?? this.#cursor) + 1
    const hasRoom = this.#fresh.length + events.length <= MAX_FRESH && !this.#isFlood(events.length)
    if (this.#book && events[0]?.seq === next && hasRoom) {
      this.#fresh.push(...events)
      if (!this.#freshTimer) this.#learnFresh(this.#book)
      return
    }
    if (events.length > 0) this.#fresh = [] // the journal has them
    if (!this.#timer) this.#later(BUSY_PAUSE_MS)
  }

  /** More than anybody's agents send: every moment goes to answers, and the journal is read when it is over. */
  #isFlood(count: number): boolean {
    const passed = this.#lastCommit - this.#countedAt
    if (passed > FLOOD_MS) {
      this.#countedAt = this.#lastCommit
      this.#wasFlood = passed < 2 * FLOOD_MS && this.#counted > FLOOD_EVENTS
      this.#counted = 0
    }
    this.#counted += count
    return this.#wasFlood || this.#counted > FLOOD_EVENTS
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
    clearImmediate(this.#freshTimer)
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
      if (!this.#loading) void this.#loadThenLearn()
      return
    }
    const isQuiet = performance.now() - this.#lastCommit > QUIET_MS
    const hasMore = this.#learn(this.#book, isQuiet ? QUIET_SLICE_MS : BUSY_SLICE_MS)
    this.#writeInTime(this.#book)
    if (hasMore) this.#later(isQuiet ? QUIET_PAUSE_MS : BUSY_PAUSE_MS)
  }

  /** From what was just committed: no row is read, and no payload parsed, a second time. */
  #learnFresh(book: SchemaBook): void {
    this.#freshTimer = undefined
    const end = performance.now() + BUSY_SLICE_MS
    const { enabled } = this.#options.settings()
    let done = 0
    for (const event of this.#fresh) {
      done += 1
      if (event.seq <= this.#cursor) continue // somebody asked meanwhile, and all of the journal was read
      this.#cursor = event.seq
      const row = payloadRowOf(event)
      if (enabled && isLearned(row)) this.#safely(() => this.#see(book, row, takePayload(event)))
      if (performance.now() > end) break
    }
    this.#fresh.splice(0, done)
    if (enabled) this.#writeInTime(book)
    // Hooks that came meanwhile are first.
    if (this.#fresh.length > 0 && !this.#isOff) this.#freshTimer = setImmediate(() => this.#learnFresh(book))
  }

  #writeInTime(book: SchemaBook): void {
    if (this.#unraised.size > 0) this.#writeLater(TELL_MS)
    else if (performance.now() - this.#writtenAt > WRITE_EVERY_MS) this.#write(book)
    else if (this.#cursor !== this.#mark) this.#writeLater(WRITE_EVERY_MS)
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

  async #loadThenLearn(): Promise<void> {
    this.#loading = true
    const problem = await this.#load().then(() => undefined, messageOf)
    if (problem !== undefined) this.#options.log.error('schema', `cannot be loaded: ${problem}`)
    this.#loading = false
    this.#later(problem === undefined ? 0 : WRITE_EVERY_MS)
  }

  async #load(): Promise<SchemaBook> {
    const { openSchemaBook } = await import('./registry.ts') // the start comes first
    this.#book ??= openSchemaBook(this.#options.store, () => this.#options.settings().samples)
    return this.#book
  }

  /** Reads on until the time is up; true when there is more. */
  #learn(book: SchemaBook, sliceMs: number): boolean {
    const end = performance.now() + sliceMs
    const before = this.#cursor
    const isFine = this.#safely(() => {
      for (const row of this.#options.store.payloads(this.#cursor, PAGE, MAX_LEARNED_BYTES)) {
        this.#cursor = row.seq
        if (isLearned(row)) this.#see(book, row)
        if (performance.now() > end) break
      }
    })
    return isFine && this.#cursor < this.#options.store.journal.lastSeq && this.#cursor > before
  }

  #safely(work: () => void): boolean {
    try {
      work()
      return true
    } catch (error) {
      this.#options.log.warn('schema', `learning put off: ${messageOf(error)}`)
      return false
    }
  }

  #see(book: SchemaBook, row: PayloadRow, payload?: unknown): void {
    const { raw, receivedAt } = row
    const { drifts, change } = book.see(kindOf(row), () => payload ?? payloadOf(raw), receivedAt)
    if (change) this.#raise(book.changed(change, row, this.#now()))
    for (const drift of drifts) {
      const told = book.told(drift, row, this.#now())
      this.#drifts.push(told.row)
      this.#options.log.warn('schema', told.row.message)
      this.#raise(told.arrival)
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
