/**
 * Learns payload shapes off the hook path. It follows the journal: it learns from each commit while the payloads are in
 * memory, and otherwise reads from its mark. Shapes and mark are written in one transaction, so a crash loses nothing
 * and counts nothing twice. Drift is in the journal before the mark passes its cause, under an id derived from the
 * drift.
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
  /** Calls back with whether the event was stored. */
  readonly raise: (rawEvent: RawEvent, done: (isStored: boolean) => void) => void
  readonly now?: () => number
}

const MARK = 'schema'
const QUIET_MS = 100 // no commit for this long: no hook waits
const QUIET_SLICE_MS = 5
const BUSY_SLICE_MS = 1 // a hook may have to wait for the whole slice
const BUSY_PAUSE_MS = 10
const QUIET_PAUSE_MS = 1
const WRITE_MS = 10_000 // a shape is larger than an event; at most this much is learned again after a restart
const TELL_MS = 2_000 // no hurry: events that an agent sends together stay together in the journal
const RAISED_DEADLINE_MS = 1_000 // for callers; a full disk must not block them
const PAGE = 500
const FLOOD_MS = 100
const FLOOD_EVENTS = 400 // within that time
const MAX_FRESH = 1_000 // kept in memory with their payloads; the others are read from the journal

export class SchemaLearner {
  readonly #options: SchemaLearnerOptions
  readonly #now: () => number
  readonly #follower: BackgroundFollower<HookEvent | PayloadRow>
  #registry: SchemaRegistry | undefined
  #loading: Promise<SchemaRegistry> | undefined
  #lastCommit = 0
  #drifts: DriftRow[] = []
  /** Drift that is not stored yet. */
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
      failed: (error) => log.warn('schema', `learning postponed: ${messageOf(error)}`),
    })
    setTimeout(() => this.#learn(0), QUIET_MS).unref() // what arrived while it was off, or was lost in a crash
  }

  /** Called after each commit, once the replies were sent. */
  committed(events: readonly HookEvent[]): void {
    this.#lastCommit = performance.now()
    if (!this.#registry || this.#isFlood(events.length)) {
      this.#learn(BUSY_PAUSE_MS)
      return
    }
    this.#follower.push(events, (event) => event)
    if (this.#follower.queued > 0) this.#follower.run()
    else this.#follower.wake(BUSY_PAUSE_MS)
  }

  /** Under a flood, replies come first; the journal is read afterwards. */
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

  /** Includes everything in the journal and the rows up to now. */
  async registry(): Promise<SchemaRegistry> {
    const registry = await this.#load()
    while (this.#follower.readOn(QUIET_SLICE_MS)) await Bun.sleep(QUIET_PAUSE_MS)
    this.#sendAll()
    const end = performance.now() + RAISED_DEADLINE_MS
    while (this.#unraised.size > 0 && performance.now() < end) await Bun.sleep(QUIET_PAUSE_MS)
    this.#follower.save()
    return registry
  }

  stop(): void {
    this.#isOff = true
    void this.#follower.close()
  }

  #learn(delayMs: number): void {
    if (this.#isOff) return
    if (!this.#options.settings().enabled) this.#follower.readOn(0)
    else if (this.#registry) this.#follower.wake(delayMs)
    else
      this.#load().then(
        () => this.#follower.wake(0),
        (error) => this.#options.log.error('schema', `cannot be loaded: ${messageOf(error)}`),
      )
  }

  #load(): Promise<SchemaRegistry> {
    this.#loading ??= import('./registry.ts').then(({ openSchemaRegistry }) => {
      this.#registry = openSchemaRegistry(this.#options.store, () => this.#options.settings().samples)
      return this.#registry
    })
    this.#loading.catch(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  /** Events of the last commit are learned from memory: no row is read and no payload parsed twice. */
  #take(item: HookEvent | PayloadRow): void {
    const row = 'client' in item ? payloadRowOf(item) : item
    if (isLearned(row)) this.#see(row, 'client' in item ? takePayload(item) : undefined)
  }

  #see(row: PayloadRow, payload: unknown): void {
    const registry = this.#registry
    if (!registry) return
    const { raw, receivedAt } = row
    const { drifts, change } = registry.see(kindOf(row), () => payload ?? jsonIn(raw), receivedAt)
    if (change) this.#raise(registry.changed(change, row, this.#now()))
    for (const drift of drifts) {
      const told = registry.told(drift, row, this.#now())
      this.#drifts.push(told.row)
      this.#options.log.warn('schema', told.row.message)
      this.#raise(told.rawEvent)
    }
  }

  #raise(rawEvent: RawEvent): void {
    // Not raised inside the loop over the journal's rows: the database must not be used there.
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

  /** Waits until all drift found is stored, because a written payload is never learned again. */
  #save(seq: number): boolean {
    this.#sendAll()
    if (this.#unraised.size > 0) return false
    const { journal, marks, schemas } = this.#options.store
    journal.relaxed(() => {
      this.#registry?.write()
      for (const row of this.#drifts) schemas.putDrift(row)
      marks.set(MARK, seq)
    })
    this.#registry?.written()
    this.#drifts = []
    return true
  }
}
