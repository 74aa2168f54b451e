/**
 * Learns payload shapes in the background: it reads the journal on from its mark. Shapes and mark are written in one
 * transaction, so a crash loses nothing and counts nothing twice. Drift is in the journal before the mark passes its cause,
 * under an id derived from the drift.
 */
import { messageOf } from '../../core/errors.ts'
import { jsonIn } from '../../core/json.ts'
import type { Log } from '../../core/log.ts'
import { until } from '../../core/time/waits.ts'
import type { RawEvent } from '../../events/index.ts'
import { BackgroundFollower } from '../../journal/index.ts'
import type { DriftRow, FollowerStore, PayloadRow } from '../../store/index.ts'
import type { SchemaRegistry } from './registry.ts'
import { isLearned, kindOf, MAX_LEARNED_BYTES } from './source.ts'

export interface SchemaLearnerOptions {
  readonly store: FollowerStore
  readonly log: Log
  readonly settings: () => { readonly enabled: boolean; readonly samples: boolean }
  /** Calls back with whether the event was stored. */
  readonly raise: (rawEvent: RawEvent, done: (isStored: boolean) => void) => void
  /** Resolves when everything that was written is in the database. */
  readonly flushed?: () => Promise<void>
  readonly now?: () => number
}

const MARK = 'schema'
const FIRST_MS = 100
const SLICE_MS = 5 // messages go out on the same thread
const PAUSE_MS = 5
const DELAY_MS = 100 // events that come together are learned together
const WRITE_MS = 10_000 // a shape is larger than an event; at most this much is learned again after a restart
const TELL_MS = 2_000 // no hurry: events that an agent sends together stay together in the journal
const RAISED_DEADLINE_MS = 1_000 // for callers; a full disk must not block them
const PAGE = 500
const QUEUE = 1_000

export class SchemaLearner {
  readonly #options: SchemaLearnerOptions
  readonly #now: () => number
  readonly #follower: BackgroundFollower<PayloadRow>
  #registry: SchemaRegistry | undefined
  #loading: Promise<SchemaRegistry> | undefined
  #drifts: DriftRow[] = []
  /** Drift that is not stored yet. */
  readonly #unraised = new Map<string, { readonly rawEvent: RawEvent; isOnItsWay: boolean }>()
  #isOff = false

  constructor(options: SchemaLearnerOptions) {
    const { store, log, settings } = options
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#follower = new BackgroundFollower<PayloadRow>({
      after: store.marks.get(MARK),
      lastSeq: () => store.journal.lastSeq,
      read: (after, limit) => store.payloads(after, limit, MAX_LEARNED_BYTES),
      enabled: () => settings().enabled,
      take: (row) => {
        if (isLearned(row)) this.#see(row)
      },
      flush: () => {
        if (this.#unraised.size > 0) this.#follower.saveWithin(TELL_MS)
      },
      slice: PAGE,
      queue: QUEUE,
      budgetMs: () => SLICE_MS,
      pauseMs: () => PAUSE_MS,
      save: (seq) => this.#save(seq),
      saveMs: WRITE_MS,
      failed: (error) => log.warn('schema', `learning postponed: ${messageOf(error)}`),
    })
    setTimeout(() => this.#learn(0), FIRST_MS).unref() // what arrived while it was off, or was lost in a crash
  }

  /** There are new events. */
  committed(): void {
    this.#learn(DELAY_MS)
  }

  /** Includes everything in the journal and the rows up to now. */
  async registry(): Promise<SchemaRegistry> {
    const registry = await this.#load()
    while (this.#follower.readOn(SLICE_MS)) await Bun.sleep(1)
    this.#sendAll()
    await until(() => this.#unraised.size === 0, RAISED_DEADLINE_MS, 1)
    this.#follower.save()
    await this.#options.flushed?.()
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

  #see(row: PayloadRow): void {
    const registry = this.#registry
    if (!registry) return
    const { raw, receivedAt } = row
    const { drifts, change } = registry.see(kindOf(row), () => jsonIn(raw), receivedAt)
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
