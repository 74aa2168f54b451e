/**
 * One webhook: a cursor on a stream that sends what it finds, in order for each session, at least once. Nothing is
 * copied and nothing queued: the stream keeps the messages, this keeps a place in it and a few that are on their way.
 * When the other side is away, the cursor stays where it is.
 */
import { messageOf } from '../../core/errors.ts'
import { type Backoff, backoff } from '../../core/waits.ts'
import type { WebhookOutcome, WebhookStatus } from '../../rpc/index.ts'
import type { BusMessage, Source } from '../streams/index.ts'
import { Ahead } from './backlog.ts'
import { Health } from './health.ts'
import { bodyOf, post } from './request.ts'
import { RetryQueue } from './retry-queue.ts'
import type { Item } from './session-lanes.ts'
import type { WebhookParts, WebhookSpec } from './spec.ts'

export const MAX_ATTEMPTS = 10
const MAX_IN_FLIGHT = 4 // 40 events a second for an endpoint 100 ms away, and no flood for a small one
const MAX_BYTES_IN_FLIGHT = 8 * 1024 * 1024 // a payload may be that large; then it goes alone
const MAX_WAITING = 64 // messages that wait for another attempt; with more than that, the cursor waits as well
const STORE_RETRY_MS = 5_000

export class Webhook {
  readonly #spec: WebhookSpec
  readonly #parts: WebhookParts
  readonly #source: Source
  readonly #ahead: Ahead
  readonly #letterbox: RetryQueue
  readonly #health: Health
  readonly #now: () => number
  readonly #backoff: Backoff
  readonly #abort = new AbortController()
  readonly #unlisten: () => void
  readonly #counts = { delivered: 0, rejected: 0, failed: 0 }
  #last: (WebhookOutcome & { at: number }) | undefined
  #inFlight = 0
  #bytesInFlight = 0
  #scheduled = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #ending = false
  #closed = false
  #idle: (() => void) | undefined

  constructor(spec: WebhookSpec, parts: WebhookParts) {
    const { name, stream, filters, enabled } = spec
    this.#spec = spec
    this.#parts = parts
    this.#now = parts.now ?? Date.now
    this.#backoff = parts.backoff ?? backoff
    this.#source = parts.sources.get(stream)
    this.#health = new Health(this.#now, this.#backoff)
    this.#letterbox = new RetryQueue({
      store: parts.store,
      target: `webhook:${name}`,
      stream,
      now: this.#now,
      warn: (message) => this.#warn(message),
    })
    this.#ahead = new Ahead(this.#source, filters, this.#letterbox.open(this.#source.lastSeq()))
    const heard = (messages: readonly BusMessage[]) => {
      this.#ahead.heard(messages)
      this.#soon()
    }
    this.#unlisten = enabled ? parts.sources.listen(stream, heard) : () => {}
    this.requeued()
  }

  /** Takes up the letters that have attempts left: at the start, and when dead ones got another chance. */
  requeued(): void {
    for (const { seq, id, sessionId, attemptCount, nextAttemptAt } of this.#letterbox.waiting()) {
      this.#ahead.takeUp({ seq, id, session: sessionId, attempts: attemptCount, dueAt: nextAttemptAt })
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
      backlog: this.#ahead.backlog,
      waiting: this.#ahead.lanes.keptCount,
      dead: this.#letterbox.countDead(),
      ...this.#counts,
      missed: this.#ahead.missed,
    }
  }

  /** Requests under way get this long to end by themselves; what is cut off is sent again at the next start. */
  async close(graceMs = 0): Promise<void> {
    this.#ending = true
    this.#unlisten()
    clearTimeout(this.#timer)
    if (this.#inFlight > 0 && graceMs > 0) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#idle = resolve
      const timer = setTimeout(resolve, graceMs)
      await promise
      clearTimeout(timer)
    }
    this.#closed = true
    this.#abort.abort()
    this.#letterbox.close(this.#ahead.mark)
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
      if (this.#ahead.readOn()) this.#soon()
      for (let item = this.#next(); item; item = this.#next()) {
        const message = this.#ahead.message(item)
        if (message) void this.#deliver(item, message)
        else this.#settled(item)
      }
    } catch (error) {
      this.#warn(messageOf(error)) // the database cannot be read just now
      this.#health.pause(STORE_RETRY_MS)
    }
    clearTimeout(this.#timer)
    const at = this.#nextAt()
    if (at !== undefined) this.#timer = setTimeout(() => this.#soon(), Math.max(1, at - this.#now()))
    this.#letterbox.saveSoon(() => this.#ahead.mark)
  }

  #next(): Item | undefined {
    if (this.#health.pausedUntil !== undefined) return undefined
    const most = this.#health.isSuspect ? 1 : MAX_IN_FLIGHT
    const isBusy = this.#inFlight >= most || this.#bytesInFlight >= MAX_BYTES_IN_FLIGHT
    if (isBusy && this.#inFlight > 0) return undefined
    const { lanes } = this.#ahead
    return lanes.next(this.#now(), lanes.keptCount >= MAX_WAITING)
  }

  #nextAt(): number | undefined {
    const { lanes } = this.#ahead
    return lanes.size === 0 ? undefined : (this.#health.pausedUntil ?? lanes.nextDueAt(this.#now()))
  }

  async #deliver(item: Item, message: BusMessage): Promise<void> {
    const bytes = message.data.length
    const sentAt = performance.now()
    item.inFlight = true
    this.#inFlight += 1
    this.#bytesInFlight += bytes
    const outcome = await this.#attempt(message)
    item.inFlight = false
    this.#inFlight -= 1
    this.#bytesInFlight -= bytes
    if (this.#closed) return
    this.#judge(item, outcome, sentAt)
    if (this.#inFlight === 0) this.#idle?.()
    this.#soon()
  }

  async #attempt(message: BusMessage): Promise<WebhookOutcome> {
    try {
      return await post(this.#spec.endpoint(), message.id, bodyOf(message), this.#abort.signal)
    } catch (error) {
      return { kind: 'unreachable', error: messageOf(error), answer: '', tookMs: 0 } // no secret
    }
  }

  #judge(item: Item, outcome: WebhookOutcome, sentAt: number): void {
    const { kind, error, retryAfterMs } = outcome
    this.#last = { ...outcome, at: this.#now() }
    if (kind === 'delivered' || kind === 'rejected') {
      this.#counts[kind] += 1
      if (this.#health.answered()) this.#warn('it answers again')
      if (kind === 'delivered') this.#settled(item)
      else this.#giveUp(item, error)
      return
    }
    this.#counts.failed += 1
    if (this.#health.failed(sentAt)) this.#warn(`${error}; what is not delivered waits`)
    if (kind === 'unreachable' || this.#health.isSuspect) this.#health.pause()
    if (retryAfterMs !== undefined) this.#health.pause(retryAfterMs)
    if (kind === 'failed') this.#tryAgain(item, error, retryAfterMs ?? 0)
  }

  #tryAgain(item: Item, error: string | undefined, leastMs: number): void {
    item.attempts += 1
    if (item.attempts >= MAX_ATTEMPTS) {
      this.#giveUp(item, error)
      return
    }
    item.dueAt = this.#now() + Math.max(leastMs, this.#backoff(item.attempts))
    if (this.#letterbox.keep(item, error)) item.kept = true
  }

  #giveUp(item: Item, error: string | undefined): void {
    if (this.#letterbox.giveUp(item, error, () => this.#source.firstSeq())) this.#ahead.lanes.remove(item)
    else item.dueAt = this.#now() + STORE_RETRY_MS // not without a trace: rather once more
  }

  #settled(item: Item): void {
    this.#letterbox.forget(item)
    this.#ahead.lanes.remove(item)
  }

  #state(): WebhookStatus['state'] {
    if (!this.#spec.enabled) return 'off'
    if (this.#health.isFailing) return 'failing'
    return this.#ahead.lanes.keptCount > 0 ? 'retrying' : 'ok'
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
