/**
 * Learns what payloads look like, off the hook path: a follower of the journal that learns from the events of each commit while
 * their payloads are at hand, and otherwise reads on. Shapes and the mark are written in one commit, so a crash loses nothing and
 * counts nothing twice; what is found to be different is in the journal before the mark has passed its cause, under an id that
 * follows from it.
 */
import { messageOf } from '../../core/errors.ts'
import { jsonIn } from '../../core/json.ts'
import type { Log } from '../../core/log.ts'
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { BackgroundFollower, takePayload } from '../../journal/index.ts'
import type { DriftRow, PayloadRow, Store } from '../../store/index.ts'
import type { SchemaRegistry } from './registry.ts'
import { isLearned, kindOf, MAX_LEARNED_BYTES, payloadRowOf } from './source.ts'

export interface SchemaLearnerOptions {
  readonly store: Store
  readonly log: Log
  readonly settings: () => { readonly enabled: boolean; readonly samples: boolean }
  /** Tells whether the event is on the disk. */
  readonly raise: (rawEvent: RawEvent, done: (isStored: boolean) => void) => void
  readonly now?: () => number
}

const MARK = 'schema'
const QUIET_MS = 100 // no commit for so long: nobody waits
const QUIET_SLICE_MS = 5
const BUSY_SLICE_MS = 1 // a hook may have to wait for all of it
const BUSY_PAUSE_MS = 10
const QUIET_PAUSE_MS = 1
const WRITE_MS = 10_000 // a shape is larger than an event; what a start has to learn again at most
const TELL_MS = 2_000 // no hurry: what an agent sends in one go stays in one piece in the journal
const RAISED_DEADLINE_MS = 1_000 // for whoever asks; a full disk must not keep them waiting
const PAGE = 500
const FLOOD_MS = 100
const FLOOD_EVENTS = 400 // in that time
const MAX_FRESH = 1_000 // in memory with their payloads; the journal has the others

export class SchemaLearner {
  readonly #options: SchemaLearnerOptions
  readonly #now: () => number
  readonly #follower: BackgroundFollower<HookEvent | PayloadRow>
  #book: SchemaRegistry | undefined
  #loading: Promise<SchemaRegistry> | undefined
  #lastCommit = 0
  #drifts: DriftRow[] = []
  /** Found, and not on the disk yet. */
  readonly #unraised = new Map<string, { readonly rawEvent: RawEvent; isOnItsWay: boolean }>()
  #isOff = false
  #countedAt = 0
  #counted = 0
  #wasFlood = false

  constructor(options: SchemaLearnerOptions) {
    const { store, log, settings } = options
    this.#options = options
    this.#now = options.now ?? Date.now
    const isQuiet = () => performance.now() - this.#lastCommit > QUIET_MS
    this.#follower = new BackgroundFollower<HookEvent | PayloadRow>({
      after: store.marks.get(MARK),
      lastSeq: () => store.journal.lastSeq,
      read: (after, limit) => store.payloads(after, limit, MAX_LEARNED_BYTES),
      enabled: () => settings().enabled,
      take: (item) => this.#take(item),
      flush: () => {
        if (this.#unraised.size > 0) this.#follower.saveWithin(TELL_MS)
      },
      slice: PAGE,
      queue: MAX_FRESH,
      budgetMs: () => (isQuiet() ? QUIET_SLICE_MS : BUSY_SLICE_MS),
      pauseMs: () => (isQuiet() ? QUIET_PAUSE_MS : BUSY_PAUSE_MS),
      save: (seq) => this.#save(seq),
      saveMs: WRITE_MS,
      failed: (error) => log.warn('schema', `learning put off: ${messageOf(error)}`),
    })
    setTimeout(() => this.#learn(0), QUIET_MS).unref() // what came while it was off, or was not written before a crash
  }

  /** After each commit, once its answers have left. */
  committed(events: readonly HookEvent[]): void {
    this.#lastCommit = performance.now()
    if (!this.#book || this.#isFlood(events.length)) {
      this.#learn(BUSY_PAUSE_MS)
      return
    }
    this.#follower.push(events, (event) => event)
    if (this.#follower.queued > 0) this.#follower.run()
    else this.#follower.wake(BUSY_PAUSE_MS)
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
  async book(): Promise<SchemaRegistry> {
    const book = await this.#load()
    while (this.#follower.readOn(QUIET_SLICE_MS)) await Bun.sleep(QUIET_PAUSE_MS)
    this.#sendAll()
    const end = performance.now() + RAISED_DEADLINE_MS
    while (this.#unraised.size > 0 && performance.now() < end) await Bun.sleep(QUIET_PAUSE_MS)
    this.#follower.save()
    return book
  }

  stop(): void {
    this.#isOff = true
    void this.#follower.close()
  }

  #learn(delayMs: number): void {
    if (this.#isOff) return
    if (!this.#options.settings().enabled) this.#follower.readOn(0)
    else if (this.#book) this.#follower.wake(delayMs)
    else
      this.#load().then(
        () => this.#follower.wake(0),
        (error) => this.#options.log.error('schema', `cannot be loaded: ${messageOf(error)}`),
      )
  }

  #load(): Promise<SchemaRegistry> {
    this.#loading ??= import('./registry.ts').then(({ openSchemaRegistry }) => {
      this.#book = openSchemaRegistry(this.#options.store, () => this.#options.settings().samples)
      return this.#book
    })
    this.#loading.catch(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  /** From what was just committed, no row is read and no payload parsed a second time. */
  #take(item: HookEvent | PayloadRow): void {
    const row = 'client' in item ? payloadRowOf(item) : item
    if (isLearned(row)) this.#see(row, 'client' in item ? takePayload(item) : undefined)
  }

  #see(row: PayloadRow, payload: unknown): void {
    const book = this.#book
    if (!book) return
    const { raw, receivedAt } = row
    const { drifts, change } = book.see(kindOf(row), () => payload ?? jsonIn(raw), receivedAt)
    if (change) this.#raise(book.changed(change, row, this.#now()))
    for (const drift of drifts) {
      const told = book.told(drift, row, this.#now())
      this.#drifts.push(told.row)
      this.#options.log.warn('schema', told.row.message)
      this.#raise(told.rawEvent)
    }
  }

  #raise(rawEvent: RawEvent): void {
    // Not sent from inside the loop over the journal's rows: nothing else may happen to the database there.
    this.#unraised.set(rawEvent.id, { rawEvent, isOnItsWay: false })
  }

  #sendAll(): void {
    for (const waiting of this.#unraised.values()) {
      if (waiting.isOnItsWay) continue
      waiting.isOnItsWay = true
      this.#send(waiting.rawEvent)
    }
  }

  #send(rawEvent: RawEvent): void {
    if (this.#isOff) return
    this.#options.raise(rawEvent, (isStored) => {
      if (isStored) this.#unraised.delete(rawEvent.id)
      else this.#unraised.set(rawEvent.id, { rawEvent, isOnItsWay: false })
    })
  }

  /** Not before all that was found is on the disk: what is written is never learned again. */
  #save(seq: number): boolean {
    this.#sendAll()
    if (this.#unraised.size > 0) return false
    const { journal, marks, schemas } = this.#options.store
    journal.relaxed(() => {
      this.#book?.write()
      for (const row of this.#drifts) schemas.putDrift(row)
      marks.set(MARK, seq)
    })
    this.#book?.written()
    this.#drifts = []
    return true
  }
}
