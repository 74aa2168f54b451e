/**
 * The hook path inside the daemon: read, append, decide, commit, answer. All events that arrive in one turn of the
 * event loop share one durable commit; answers leave after it. So an answered event is never lost.
 *
 *   pipeline.take(arrival, (reply) => …)   // reply is undefined when the event could not be made durable
 */
import { agentFor } from '../agents/index.ts'
import {
  type Arrival,
  EMPTY_REPLY,
  type HookEvent,
  type HookReply,
  NO_VERDICT,
  type Transport,
  type Verdict,
} from '../events/index.ts'
import { isBusy, type Store } from '../store/index.ts'
import type { Log } from './log.ts'
import { readEvent, withoutSecrets } from './revive.ts'
import { Twins } from './twins.ts'

export interface PipelineOptions {
  readonly store: Store
  readonly log: Log
  readonly redaction: () => boolean
  readonly now?: () => number
  /** Asked once for each event whose agent waits for the answer; quick, and free of I/O. */
  readonly decide?: (event: HookEvent) => Verdict
  /** Inside the commit, for each new event that something was decided about. */
  readonly record?: (event: HookEvent, verdict: Verdict) => void
  /** Told after the answers have left. */
  readonly committed?: (events: readonly HookEvent[]) => void
}

/** `undefined`: nothing was stored; the sender keeps the event. */
export type Done = (reply: HookReply | undefined) => void

interface Waiting {
  event: HookEvent
  readonly done: Done
  /** By the clock that is never set back. */
  readonly takenAt: number
  verdict?: Verdict
  fresh: boolean
}

/** Roads at whose end an agent waits; whoever spooled an event has long gone on. */
const WAITS: ReadonlySet<Transport> = new Set<Transport>(['socket', 'http'])

const MAX_BATCH = 512 // bounds how long one commit can make the others wait
const BUSY_RETRY_MS = 5
const BUSY_LIMIT_MS = 200 // below the observers' deadline: the client still has time to spool

export class Pipeline {
  readonly #options: PipelineOptions
  readonly #now: () => number
  readonly #twins = new Twins()
  #queue: Waiting[] = []
  #scheduled = false
  #fault: string | undefined
  #idle: (() => void)[] = []
  #taken = 0
  #unstored = 0

  constructor(options: PipelineOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /** What keeps events from being stored right now, for `status` and `doctor`. */
  get fault(): string | undefined {
    return this.#fault
  }

  get taken(): number {
    return this.#taken
  }

  get unstored(): number {
    return this.#unstored
  }

  take(arrival: Arrival, done: Done): void {
    this.#taken += 1
    const event = this.#read(arrival)
    this.#queue.push({ event, done, takenAt: performance.now(), fresh: false })
    if (!this.#scheduled) this.#schedule()
  }

  /** Resolves when everything taken so far was answered. */
  drained(): Promise<void> {
    if (this.#queue.length === 0) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  #read(arrival: Arrival): HookEvent {
    const { counters } = this.#options.store
    const clean = this.#options.redaction() ? withoutSecrets(arrival.raw) : { raw: arrival.raw, count: 0 }
    if (clean.count > 0) counters.count('redacted', arrival.agent, arrival.receivedAt)
    return readEvent(clean.count > 0 ? { ...arrival, raw: clean.raw } : arrival)
  }

  #schedule(delayMs = 0): void {
    this.#scheduled = true
    if (delayMs > 0) setTimeout(() => this.#flush(), delayMs)
    else setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#scheduled = false
    const batch = this.#queue.splice(0, MAX_BATCH)
    if (batch.length === 0) return
    try {
      this.#commit(batch)
    } catch (error) {
      if (this.#retries(batch, error)) return
      this.#refuse(batch, error)
      this.#next()
      return
    }
    this.#fault = undefined
    for (const item of batch) this.#answer(item)
    this.#next()
    const fresh = batch.filter((item) => item.fresh).map((item) => item.event)
    try {
      this.#options.committed?.(fresh)
    } catch (error) {
      // The events are stored and answered; what follows from them must not end the daemon.
      this.#options.log.error(
        'pipeline',
        `after the commit: ${error instanceof Error ? error.stack : String(error)}`,
      )
    }
  }

  #commit(batch: Waiting[]): void {
    const { journal } = this.#options.store
    const now = this.#now()
    journal.commit(() => {
      for (const item of batch) {
        const seq = this.#twins.isTwin(item.event, now) ? 0 : journal.append(item.event)
        item.fresh = seq > 0
        if (item.fresh) item.event = Object.assign(item.event, { seq })
        item.verdict ??= this.#decide(item.event)
        if (item.fresh && item.verdict !== NO_VERDICT) this.#options.record?.(item.event, item.verdict)
      }
    })
    for (const item of batch) this.#note(item)
  }

  /** A decision that fails is none, and counted: an observer's mistake must not stop an agent. */
  #decide(event: HookEvent): Verdict {
    const { decide, store, log } = this.#options
    if (!decide || !WAITS.has(event.transport) || event.cutFrom !== undefined) return NO_VERDICT
    try {
      return decide(event)
    } catch (error) {
      log.error('policy', `no decision on ${event.native}: ${String(error)}`)
      store.counters.count('missed', `${event.agent} ${event.native}`, event.receivedAt)
      return NO_VERDICT
    }
  }

  #answer(item: Waiting): void {
    let reply = EMPTY_REPLY
    try {
      const answer = agentFor(item.event.agent).answer(item.event, item.verdict ?? NO_VERDICT)
      reply = answer.reply
      for (const word of answer.degraded ?? []) {
        const key = `${item.event.agent} ${item.event.native} ${word}`
        this.#options.store.counters.count('degraded', key, item.event.receivedAt)
      }
    } catch (error) {
      this.#options.log.error('pipeline', `answering ${item.event.native} failed: ${String(error)}`)
    }
    item.done(reply)
  }

  /** Counts what was odd about a stored event, for drift and doctor. */
  #note({ event, fresh }: Waiting): void {
    const { counters } = this.#options.store
    if (!fresh) {
      counters.count('duplicate', event.agent, event.receivedAt)
      return
    }
    if (event.cutFrom !== undefined) counters.count('cut', `${event.agent} ${event.native}`, event.receivedAt)
    if (event.unknown === undefined || event.transport === 'healer') return
    for (const name of event.unknown) {
      counters.count('unknown', `${event.agent} ${event.native} ${name}`, event.receivedAt)
    }
  }

  /** Somebody else holds the database: try again shortly, as long as the clients still wait. */
  #retries(batch: Waiting[], error: unknown): boolean {
    const oldest = batch[0]?.takenAt ?? 0
    if (!isBusy(error) || performance.now() - oldest > BUSY_LIMIT_MS) return false
    this.#twins.clear()
    this.#queue.unshift(...batch)
    this.#schedule(BUSY_RETRY_MS)
    return true
  }

  #refuse(batch: Waiting[], error: unknown): void {
    this.#twins.clear()
    this.#fault = error instanceof Error ? error.message : String(error)
    this.#unstored += batch.length
    this.#options.log.error('pipeline', `cannot store events: ${this.#fault}; their senders keep them`)
    for (const item of batch) item.done(undefined)
  }

  #next(): void {
    if (this.#queue.length > 0) this.#schedule()
    else for (const resolve of this.#idle.splice(0)) resolve()
  }
}
