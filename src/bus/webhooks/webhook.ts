/**
 * One webhook: a cursor on a stream that sends what it finds, in order for each session, at least once. Nothing is
 * copied and nothing queued: the stream keeps the messages, this keeps a place in it and a few that are on their way.
 * When the other side is away, the cursor stays where it is.
 */
import { messageOf } from '../../core/errors.ts'
import { Alarm } from '../../core/time/alarm.ts'
import { type Backoff, backoff, within } from '../../core/time/waits.ts'
import type { WebhookOutcome, WebhookStatus } from '../../rpc/index.ts'
import { Checkpoint, type Entry, entryOf, Lanes } from '../delivery/index.ts'
import { type BusMessage, messageAt, type Source } from '../streams/index.ts'
import { targetOf } from './first-mark.ts'
import { Health } from './health.ts'
import { bodyOf, post } from './request.ts'
import type { WebhookParts, WebhookSpec } from './spec.ts'

export const MAX_ATTEMPTS = 10
const MAX_IN_FLIGHT = 4 // 40 events a second for an endpoint 100 ms away, and no flood for a small one
const MAX_BYTES_IN_FLIGHT = 8 * 1024 * 1024 // a payload may be that large; then it goes alone
const MAX_WAITING = 64 // messages that wait for another attempt; with more than that, the cursor waits as well
const STORE_RETRY_MS = 5_000
const SAVE_EVERY_MS = 200 // after a crash, the messages since the last saved mark are sent again
const WINDOW = 500 // messages looked ahead, so that a session that is stuck does not hold up others
const SLICE_MESSAGES = 100 // of a backlog read in one turn: a millisecond or two
const SLICE_BYTES = 2 * 1024 * 1024

export class Webhook {
  readonly #spec: WebhookSpec
  readonly #parts: WebhookParts
  readonly #source: Source
  /** Without payloads: those are read when they are sent. */
  readonly #lanes: Lanes<Entry>
  readonly #checkpoint: Checkpoint
  readonly #health: Health
  readonly #now: () => number
  readonly #backoff: Backoff
  readonly #abort = new AbortController()
  readonly #unlisten: () => void
  readonly #counts = { delivered: 0, rejected: 0, failed: 0 }
  #last: (WebhookOutcome & { at: number }) | undefined
  /** Those up to here may have been tried by a daemon that was killed before it saved the mark. */
  readonly #lastAtStart: number
  /** Messages that were deleted from the stream while they waited. */
  #gone = 0
  #scheduled = false
  readonly #due = new Alarm(() => this.#soon())
  #ending = false
  #closed = false
  #idle: (() => void) | undefined

  constructor(spec: WebhookSpec, parts: WebhookParts) {
    const { name, stream, enabled } = spec
    const target = targetOf(name)
    this.#spec = spec
    this.#parts = parts
    this.#now = parts.now ?? Date.now
    this.#backoff = parts.backoff ?? backoff
    this.#source = parts.sources.get(stream)
    this.#lastAtStart = this.#source.lastSeq()
    this.#health = new Health(this.#now, this.#backoff)
    this.#checkpoint = new Checkpoint({
      store: parts.store,
      target,
      stream,
      now: this.#now,
      warn: (message) => this.#warn(message),
      mark: () => this.#lanes.mark,
      writeMark: (mark, at) => parts.store.deliveries.setMark(target, stream, mark, at),
    })
    this.#lanes = new Lanes({
      source: this.#source,
      after: this.#begin(target),
      window: WINDOW,
      slice: { rows: SLICE_MESSAGES, bytes: SLICE_BYTES, sizeOf: ({ data }) => data.length },
      admit: (message) => (this.#wants(message) ? entryOf(message) : undefined),
    })
    const heard = (messages: readonly BusMessage[]) => {
      this.#lanes.push(messages)
      this.#soon()
    }
    this.#unlisten = enabled ? parts.sources.listen(stream, heard) : () => {}
    this.requeued()
  }

  /** Takes up the messages that have attempts left: at the start, and when dead ones got another chance. */
  requeued(): void {
    for (const { seq, attemptCount, nextAttemptAt } of this.#checkpoint.waiting()) {
      if (this.#lanes.hasKept(seq)) continue
      const message = messageAt(this.#source, seq)
      if (message && attemptCount === 0 && !this.#wants(message)) this.#checkpoint.forget(seq)
      else if (message)
        this.#lanes.takeUp({ ...entryOf(message), attempts: attemptCount, dueAt: nextAttemptAt })
      else this.#lose(seq)
    }
    this.#soon()
  }

  /** Sends one message of somebody else's making; nothing is kept of it. */
  async send(id: string, body: string): Promise<WebhookOutcome> {
    return post(this.#spec.endpoint(), id, body, this.#abort.signal)
  }

  status(): WebhookStatus {
    const { name, shownUrl, stream, filters } = this.#spec
    return {
      name,
      url: shownUrl,
      stream,
      filter: filters.map(({ pattern }) => pattern),
      state: this.#state(),
      problem: this.#problem(),
      lastStatus: this.#last?.status ?? null,
      lastError: this.#last?.error ?? null,
      lastAt: this.#last?.at ?? null,
      failingSince: this.#health.failingSince ?? null,
      nextAttemptAt: this.#nextAt() ?? null,
      backlog: Math.max(0, this.#source.lastSeq() - this.#lanes.mark),
      waiting: this.#lanes.keptCount,
      dead: this.#parts.store.deliveries.countDead(targetOf(name)),
      ...this.#counts,
      missed: this.#lanes.missed + this.#gone,
    }
  }

  /** Requests under way get this long to end by themselves; what is cut off is sent again at the next start, and nothing else. */
  async close(graceMs = 0): Promise<void> {
    this.#ending = true
    this.#unlisten()
    this.#due.clear()
    if (this.#lanes.inFlight > 0 && graceMs > 0) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#idle = resolve
      await within(promise, graceMs)
    }
    this.#closed = true
    this.#abort.abort()
    for (const entry of this.#lanes.overtaken())
      if (this.#checkpoint.keep(entry, undefined)) this.#lanes.keep(entry)
    this.#checkpoint.close()
  }

  /** Not in the turn in which hooks are answered. */
  #soon(): void {
    if (this.#scheduled || this.#ending || !this.#spec.enabled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      if (!this.#ending) this.#run()
    })
  }

  #run(): void {
    try {
      if (this.#lanes.readOn()) this.#soon()
      for (let entry = this.#next(); entry; entry = this.#next()) {
        const message = this.#messageOf(entry)
        if (message) void this.#deliver(entry, message)
      }
    } catch (error) {
      this.#warn(messageOf(error)) // the database cannot be read just now
      this.#health.pause(STORE_RETRY_MS)
    }
    const at = this.#nextAt()
    if (at === undefined) this.#due.clear()
    else this.#due.reset(Math.max(1, at - this.#now()))
    this.#checkpoint.saveWithin(SAVE_EVERY_MS)
  }

  /** Where it was; a new one begins with what comes next, never with the whole journal. */
  #begin(target: string): number {
    const { journal, deliveries } = this.#parts.store
    const last = this.#source.lastSeq()
    if (this.#checkpoint.saved !== undefined) return Math.min(this.#checkpoint.saved, last)
    try {
      journal.commit(() => deliveries.setMark(target, this.#spec.stream, last, this.#now()))
      this.#checkpoint.saved = last
    } catch (error) {
      this.#warn(`its mark cannot be written: ${messageOf(error)}`)
    }
    return last
  }

  #wants({ type, isAside }: BusMessage): boolean {
    const { filters } = this.#spec
    return !isAside && (filters.length === 0 || filters.some((filter) => filter.matches(type)))
  }

  #next(): Entry | undefined {
    if (this.#health.pausedUntil !== undefined) return undefined
    const { inFlight, bytesInFlight, keptCount } = this.#lanes
    const isFull = keptCount >= MAX_WAITING && this.#lanes.retriedCount >= MAX_WAITING
    const most = this.#health.isSuspect ? 1 : MAX_IN_FLIGHT
    const isBusy = inFlight >= most || bytesInFlight >= MAX_BYTES_IN_FLIGHT
    if (isBusy && inFlight > 0) return undefined
    return this.#lanes.next(this.#now(), isFull)
  }

  #nextAt(): number | undefined {
    const isIdle = this.#lanes.size === 0
    return isIdle ? undefined : (this.#health.pausedUntil ?? this.#lanes.nextDueAt(this.#now()))
  }

  /** Undefined when the stream no longer has it, and then that is settled. */
  #messageOf(entry: Entry): BusMessage | undefined {
    try {
      const message = messageAt(this.#source, entry.seq)
      if (message) return message
    } catch (error) {
      this.#lanes.retry(entry)
      throw error
    }
    this.#lose(entry.seq)
    this.#lanes.settle(entry)
    return undefined
  }

  #lose(seq: number): void {
    this.#gone += 1
    this.#checkpoint.forget(seq)
  }

  async #deliver(entry: Entry, message: BusMessage): Promise<void> {
    const sentAt = performance.now()
    const outcome = await this.#attempt(message)
    if (this.#closed) return
    this.#judge(entry, outcome, sentAt)
    if (this.#lanes.inFlight === 0) this.#idle?.()
    this.#soon()
  }

  async #attempt(message: BusMessage): Promise<WebhookOutcome> {
    try {
      return await post(this.#spec.endpoint(), message.id, bodyOf(message), this.#abort.signal)
    } catch (error) {
      return { kind: 'unreachable', error: messageOf(error), answer: '', tookMs: 0 } // no secret
    }
  }

  #judge(entry: Entry, outcome: WebhookOutcome, sentAt: number): void {
    const { kind, error, retryAfterMs } = outcome
    this.#last = { ...outcome, at: this.#now() }
    if (kind === 'delivered' || kind === 'rejected') {
      this.#counts[kind] += 1
      if (this.#health.answered()) this.#warn('it answers again')
      if (kind === 'delivered') this.#delivered(entry)
      else this.#giveUp(entry, error)
      return
    }
    this.#counts.failed += 1
    if (this.#health.failed(sentAt)) this.#warn(`${error}; what is not delivered waits`)
    if (kind === 'unreachable' || this.#health.isSuspect) this.#health.pause()
    if (retryAfterMs !== undefined) this.#health.pause(retryAfterMs)
    if (kind === 'failed') this.#tryAgain(entry, error, retryAfterMs ?? 0)
    else this.#lanes.retry(entry, entry.dueAt)
  }

  #delivered(entry: Entry): void {
    if (entry.kept || entry.seq <= this.#lastAtStart) this.#checkpoint.forget(entry.seq)
    this.#lanes.settle(entry)
  }

  #tryAgain(entry: Entry, error: string | undefined, leastMs: number): void {
    entry.attempts += 1
    if (entry.attempts >= MAX_ATTEMPTS) {
      this.#giveUp(entry, error)
      return
    }
    this.#lanes.retry(entry, this.#now() + Math.max(leastMs, this.#backoff(entry.attempts)))
    if (this.#checkpoint.keep(entry, error)) this.#lanes.keep(entry)
  }

  #giveUp(entry: Entry, error: string | undefined): void {
    if (this.#checkpoint.giveUp(entry, error, () => this.#source.firstSeq())) this.#lanes.settle(entry)
    else this.#lanes.retry(entry, this.#now() + STORE_RETRY_MS) // not without a trace: rather once more
  }

  #state(): WebhookStatus['state'] {
    if (!this.#spec.enabled) return 'off'
    if (this.#health.isFailing) return 'failing'
    return this.#lanes.keptCount > 0 ? 'retrying' : 'ok'
  }

  #problem(): string | null {
    try {
      this.#spec.endpoint()
      return null
    } catch (error) {
      return messageOf(error)
    }
  }

  #warn(message: string): void {
    this.#parts.warn(`${this.#spec.name}: ${message}`)
  }
}
