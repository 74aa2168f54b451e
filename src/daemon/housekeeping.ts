/**
 * Periodic work that must never delay a hook: checkpoints, retention, counters, a look at the spool. Each runs in
 * slices of a few milliseconds when no event waits.
 */
import { messageOf } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { Alarm } from '../core/time/alarm.ts'
import type { RetentionLimits, Store } from '../store/index.ts'

export interface HousekeepingOptions {
  readonly store: Store
  readonly log: Log
  readonly limits: () => RetentionLimits
  readonly now?: () => number
}

/** Periodic work of other services. */
export interface Chores {
  /** Writes the sessions that changed. */
  readonly sessions: () => void
  /** Forgets sessions that ended long ago. */
  readonly tidy: () => void
  /** Deletes one slice of expired messages from the streams; true if there is more. While hooks come, only if there are many. */
  readonly streams?: (isQuiet: boolean) => boolean
  /** Takes spooled frames that the folder watch missed. */
  readonly spool: () => void
  /** Moves most of the log into the database in another thread, while hooks go on. */
  readonly checkpointBeside?: () => Promise<void>
}

const QUIET_MS = 100 // no commit for this long: no agent waits
const CHECKPOINT_BYTES = 1024 * 1024 // worth a checkpoint when it is quiet
const CHECKPOINT_BESIDE_BYTES = 2 * 1024 * 1024 // under steady load it is never quiet
const CHECKPOINT_FORCED_BYTES = 6 * 1024 * 1024 // nobody else did it; hooks wait for it
const SETTLE_MS = 2_000 // after this long the log is checkpointed however short, since one file is safer than two
const SESSIONS_EVERY_MS = 2_000 // under steady load; at most this much is read again after a restart
const EVENTS_BETWEEN_COLLECTIONS = 5_000 // a collection takes 20 to 30 ms, so it runs rarely, and when nobody waits
const COLLECTION_EVERY_MS = 60_000 // under steady load, in which the heap would grow by a few megabytes a minute
const EVENTS_BEFORE_REST = 500 // for one after which probably nobody comes for a while
const RETENTION_EVERY_MS = 10 * 60_000
const FIRST_MS = 5_000 // after the start, which has enough to do
const SLICE_PAUSE_MS = 20
const BUSY_ROWS = 50 // events that retention deletes at a time while hooks come: about half a millisecond
const LOG_ROOM_AFTER_MS = 100 // the start comes first

export class Housekeeping {
  readonly #options: HousekeepingOptions
  #chores: Chores | undefined
  readonly #timers = {
    first: new Alarm(() => this.#first()),
    periodic: new Alarm(() => this.#periodic()),
    quiet: new Alarm(() => this.#whenQuiet()),
    settled: new Alarm(() => this.#whenSettled()),
    retention: new Alarm(() => this.#retain()),
    logRoom: new Alarm(() => this.#growLog()),
    streams: new Alarm(() => this.#tidyStreams()),
  }
  #lastCommit = 0
  #collectedAt = 0
  #collectedMs = performance.now()
  #sessionsAt = 0
  #isMoving = false

  constructor(options: HousekeepingOptions) {
    this.#options = options
    this.#collectedAt = options.store.journal.lastSeq
  }

  start(chores: Chores): void {
    this.#chores = chores
    this.#timers.periodic.within(RETENTION_EVERY_MS)
    this.#timers.first.within(FIRST_MS)
    this.#timers.logRoom.within(LOG_ROOM_AFTER_MS)
    this.#timers.streams.within(LOG_ROOM_AFTER_MS)
  }

  /** Called after each commit, once the replies were sent. */
  committed(): void {
    const { store } = this.#options
    this.#lastCommit = performance.now()
    const unmoved = store.unmovedBytes()
    if (unmoved > CHECKPOINT_FORCED_BYTES) this.#checkpoint()
    else if (unmoved > CHECKPOINT_BESIDE_BYTES && !this.#isMoving) void this.#checkpointBeside()
    if (this.#lastCommit - this.#sessionsAt > SESSIONS_EVERY_MS) this.#writeSessions()
    if (this.#lastCommit - this.#collectedMs > COLLECTION_EVERY_MS) this.#collect(EVENTS_BETWEEN_COLLECTIONS)
    this.#timers.quiet.within(QUIET_MS)
  }

  /** Session rows are out of date, and possibly no commit follows. */
  touched(): void {
    this.#timers.quiet.within(QUIET_MS)
  }

  /** Applies the limits now; for a changed configuration and for tests. */
  retainNow(): void {
    this.#timers.retention.clear()
    this.#retain()
  }

  stop(): void {
    this.#writeCounters()
    this.#writeSessions()
    for (const timer of Object.values(this.#timers)) timer.clear()
  }

  #whenQuiet(): void {
    const since = performance.now() - this.#lastCommit
    if (since < QUIET_MS) {
      this.#timers.quiet.within(QUIET_MS - since)
      return
    }
    this.#writeCounters()
    this.#writeSessions()
    this.#collect(EVENTS_BETWEEN_COLLECTIONS)
    if (this.#options.store.unmovedBytes() > CHECKPOINT_BYTES) this.#checkpoint()
    this.#timers.settled.within(SETTLE_MS)
  }

  #whenSettled(): void {
    const since = performance.now() - this.#lastCommit
    if (since < SETTLE_MS) {
      this.#timers.settled.within(SETTLE_MS - since)
      return
    }
    if (this.#options.store.unmovedBytes() > 0) this.#checkpoint()
    this.#collect(EVENTS_BEFORE_REST)
  }

  get #isQuiet(): boolean {
    return performance.now() - this.#lastCommit >= QUIET_MS
  }

  /** The engine keeps a burst's memory until the next one; this returns it to the system. */
  #collect(leastEvents: number): void {
    const { lastSeq } = this.#options.store.journal
    if (lastSeq - this.#collectedAt <= leastEvents) return
    this.#collectedAt = lastSeq
    this.#collectedMs = performance.now()
    Bun.gc(true)
  }

  #checkpoint(): void {
    this.#safely('checkpoint', () => this.#options.store.checkpoint())
  }

  /** What was written meanwhile is moved here, which is little: the log can only restart if nothing is left in it. */
  async #checkpointBeside(): Promise<void> {
    this.#isMoving = true
    try {
      await this.#chores?.checkpointBeside?.()
      this.#checkpoint()
    } catch {
      // A thread that is busy or not there; the log is moved when it is long, or when it is quiet.
    }
    this.#isMoving = false
  }

  /** Work that the last daemon left. */
  #first(): void {
    this.#chores?.spool()
    this.#retain()
  }

  #periodic(): void {
    this.#timers.periodic.within(RETENTION_EVERY_MS)
    this.#chores?.spool()
    this.#writeCounters()
    this.#safely('sessions', () => this.#chores?.tidy())
    this.#retain()
  }

  #retain(): void {
    const { store, limits, now = Date.now } = this.#options
    let more = false
    this.#safely('retention', () => {
      more = store.retain(limits(), now(), this.#isQuiet ? undefined : BUSY_ROWS)
      // A long log would be one long wait later on.
      if (store.unmovedBytes() > CHECKPOINT_BYTES) store.checkpoint()
    })
    if (more) this.#timers.retention.within(SLICE_PAUSE_MS)
  }

  #growLog(): void {
    const { store } = this.#options
    let more = false
    this.#safely('room for the log', () => {
      more = store.growLog()
    })
    if (more) this.#timers.logRoom.within(SLICE_PAUSE_MS)
  }

  #writeSessions(): void {
    this.#sessionsAt = performance.now()
    this.#safely('sessions', () => this.#chores?.sessions())
    this.#timers.streams.within(SLICE_PAUSE_MS)
  }

  #tidyStreams(): void {
    let more = false
    this.#safely('streams', () => {
      more = this.#chores?.streams?.(this.#isQuiet) ?? false
    })
    if (more) this.#timers.streams.within(SLICE_PAUSE_MS)
  }

  #writeCounters(): void {
    const { store } = this.#options
    if (!store.counters.dirty) return
    this.#safely('counters', () => store.counters.write((work) => store.journal.commit(work)))
  }

  #safely(what: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#options.log.warn('store', `${what} postponed: ${messageOf(error)}`)
    }
  }
}
