/**
 * Publishes one stream, for as long as the daemon runs. Before it publishes, and after anything that went wrong, it
 * looks what the stream has: so each message is there once, and a stream that is gone is made and filled again.
 */
import { age } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import { backoff, pause } from '../../core/time/waits.ts'
import type { NatsStreamStatus } from '../../rpc/index.ts'
import type { FollowerStore, OutboxTarget } from '../../store/index.ts'
import { Lanes } from '../delivery/index.ts'
import {
  type BusLog,
  type BusProblem,
  type Connection,
  isDisconnect,
  type PublishForm,
  streamProblem,
} from '../nats/index.ts'
import type { BusMessage, Source, StreamName, Streams } from '../streams/index.ts'
import type { Acks } from './acks.ts'
import { differences, findStream } from './jetstream.ts'
import { copiesOf, type Sending, sendingOf, strike } from './message.ts'
import { PublishLoop } from './publish-loop.ts'
import type { RateLimit } from './rate-limit.ts'
import { type Findings, reconcile } from './reconcile.ts'
import { StreamCheckpoint } from './stream-checkpoint.ts'

export interface PublisherParts {
  readonly store: FollowerStore
  readonly sources: Streams
  readonly form: PublishForm
  readonly rateLimit: RateLimit
  readonly log: BusLog
  /** Throws while nothing may be published, for a disk that is full. */
  readonly room: () => void
  /** Told of every failure. */
  readonly failed: (error: unknown) => void
  /** Told how many messages went out when none is left. */
  readonly rested: (count: number) => void
}

/** Messages read ahead, over all sessions: so far apart may two be that are in flight at the same time. */
const WINDOW = 1_024
const WINDOW_BYTES = 8 * 1024 * 1024
const PAGE = 16 // rows read in one go: a tenth of a millisecond
const LAST_WAIT_MS = 60_000
const CLOSING_MS = 1_000 // requests end a moment before their connection does
const LOOK_AGAIN_MS = 200 // throttle: somebody may change a stream often
const WAS_GONE = 'it was gone, or is another one'

export class Publisher {
  readonly name: StreamName
  readonly #limit: number
  readonly #parts: PublisherParts
  readonly #source: Source
  readonly #checkpoint: StreamCheckpoint
  readonly #unlisten: () => void
  #lanes: Lanes<Sending>
  /** Ids that are in the stream already, for messages up to the last one there was when they were looked for. */
  #found: ReadonlySet<string> = new Set()
  #foundUpTo = 0
  #loop: PublishLoop | undefined
  #exists = false
  #differs: readonly string[] = []
  #messages = 0
  #missed = 0
  #problem: BusProblem | undefined
  #failures = 0
  #nextAttemptAt: number | null = null
  #incident: { readonly at: number; readonly outcome: string } | undefined
  /** While it waits after a failure. */
  #resting: AbortController | undefined

  /** `limit`: messages in flight. */
  constructor(name: StreamName, limit: number, parts: PublisherParts) {
    this.name = name
    this.#limit = limit
    this.#parts = parts
    this.#source = parts.sources.get(name)
    this.#checkpoint = new StreamCheckpoint(name, parts.store, parts.log, () => this.#lanes)
    this.#lanes = this.#lanesAfter(Math.min(this.#checkpoint.saved ?? 0, this.#source.lastSeq()))
    this.#unlisten = parts.sources.listen(name, (messages) => this.#loop?.wake(messages))
  }

  get problem(): BusProblem | undefined {
    return this.#problem
  }

  /** Publishes on this connection until it ends. */
  async run(connection: Connection, acks: Acks): Promise<void> {
    for (let failures = 0; !connection.ended.aborted; ) {
      let delivered = 0
      try {
        this.#parts.room()
        await this.#look(connection)
        const loop = this.#loopOn(connection, acks)
        this.#problem = undefined
        this.#nextAttemptAt = null
        this.#loop = loop
        try {
          if ((await loop.run()) === 'ended') return
        } finally {
          delivered = loop.delivered
          this.#loop = undefined
        }
        failures = 0
        this.#failures = 0
        await pause(LOOK_AGAIN_MS, connection.ended)
      } catch (error) {
        if (isDisconnect(error)) await pause(CLOSING_MS, connection.ended)
        if (connection.ended.aborted) return
        failures = delivered > 0 ? 1 : failures + 1
        this.#problem = streamProblem(error, this.name, connection.where)
        this.#parts.log.warn('nats', this.#problem.message)
        this.#parts.failed(error)
        const wait = backoff(failures, LAST_WAIT_MS)
        this.#failures = failures
        this.#nextAttemptAt = Math.round(Date.now() + wait)
        this.#parts.rested(0)
        await this.#rest(wait, connection.ended)
      }
    }
  }

  /** Somebody changed or deleted the stream, or dead letters got another chance. */
  lookAgain(): void {
    this.#loop?.break()
    this.#resting?.abort()
  }

  close(): void {
    this.#unlisten()
    this.#checkpoint.close()
  }

  async refresh({ jsm }: Connection): Promise<void> {
    this.#seen(await findStream(jsm, this.name))
  }

  /** Whom its messages go to, and how that goes. */
  get target(): OutboxTarget {
    const locked = this.#lanes.entries().filter(({ state }) => state === 'in-flight')
    return {
      target: 'jetstream',
      stream: this.name,
      attempts: this.#problem ? this.#failures : 0,
      nextAttemptAt: this.#nextAttemptAt,
      lastError: this.#problem?.message ?? null,
      lockedAt: locked.length === 0 ? null : Math.min(...locked.map(({ sentAt }) => sentAt)),
      locked: locked.map(({ seq }) => seq),
    }
  }

  status(now: number): NatsStreamStatus {
    const { mark, oldest } = this.#lanes
    const delivered = this.#lanes.entries().filter(({ state }) => state === 'done').length
    const backlog = Math.max(0, this.#source.lastSeq() - mark - delivered)
    const since = backlog === 0 ? now : (oldest?.message ?? [...this.#source.read(mark, 1)][0])?.at
    return {
      name: this.name,
      exists: this.#exists,
      differs: this.#differs,
      messages: this.#messages,
      backlog,
      lagMs: Math.max(0, now - (typeof since === 'number' ? since : now)),
      deadLetters: this.#parts.store.outbox.countDead(this.name),
      missed: this.#missed + this.#lanes.missed,
      lastError: this.#problem?.message ?? null,
      note: this.#incident
        ? `${WAS_GONE} ${age(now - this.#incident.at)} ago; ${this.#incident.outcome}`
        : null,
    }
  }

  /** After a failure; not longer than until somebody changes something, which may be the remedy. */
  async #rest(ms: number, ended: AbortSignal): Promise<void> {
    this.#resting = new AbortController()
    await pause(ms, AbortSignal.any([ended, this.#resting.signal]))
    this.#resting = undefined
    await pause(LOOK_AGAIN_MS, ended)
  }

  /** What the stream has, and so what is left to send. */
  async #look(connection: Connection): Promise<void> {
    const { form, log } = this.#parts
    const checkpoint = this.#checkpoint
    const parts = { connection, source: this.#source, replicas: form.replicas, log, spread: WINDOW }
    const mark = checkpoint.saved === undefined ? undefined : this.#lanes.mark
    const { info, state, found, start } = await reconcile(parts, checkpoint.state(), mark)
    this.#seen(info)
    if (start === undefined) checkpoint.resume(state)
    else {
      if (mark !== undefined) this.#tellOfStart(start)
      this.#missed += this.#lanes.missed
      this.#lanes = this.#lanesAfter(start)
      checkpoint.startOver(start, state)
    }
    for (const sending of this.#lanes.entries()) {
      if (sending.state === 'waiting' && strike(sending, found)) {
        if (sending.kept) checkpoint.forget(sending.seq)
        this.#lanes.settle(sending)
      }
    }
    for (const message of checkpoint.requeued(this.#source)) {
      if (this.#lanes.hasKept(message.seq)) continue
      const sending = sendingOf(message, copiesOf(message, form))
      if (strike(sending, found)) checkpoint.forget(message.seq)
      else this.#lanes.takeUp(sending)
    }
    this.#found = found
    this.#foundUpTo = this.#source.lastSeq()
    this.#checkFound(this.#lanes.cursor)
  }

  #lanesAfter(after: number): Lanes<Sending> {
    return new Lanes({
      source: this.#source,
      after,
      window: WINDOW,
      windowBytes: WINDOW_BYTES,
      countsDone: true,
      slice: { rows: PAGE },
      admit: (message) => this.#admit(message),
    })
  }

  #admit(message: BusMessage): Sending {
    const copies = copiesOf(message, this.#parts.form)
    const left = this.#found.size > 0 ? copies.filter(({ id }) => !this.#found.has(id)) : copies
    const floor = left.length === copies.length ? undefined : this.#checkpoint.scanned
    this.#checkFound(message.seq)
    return sendingOf(message, left, floor)
  }

  #checkFound(cursor: number): void {
    if (this.#found.size > 0 && cursor < this.#foundUpTo) return
    this.#found = new Set()
    this.#checkpoint.release()
  }

  #loopOn(connection: Connection, acks: Acks): PublishLoop {
    const { form, rateLimit, log, room, rested } = this.#parts
    const [source, lanes, checkpoint, limit] = [this.#source, this.#lanes, this.#checkpoint, this.#limit]
    return new PublishLoop({
      connection,
      acks,
      rateLimit,
      source,
      lanes,
      checkpoint,
      form,
      limit,
      log,
      room,
      rested,
    })
  }

  #seen(info: Findings['info'] | undefined): void {
    this.#exists = info !== undefined
    this.#messages = info?.state.messages ?? 0
    this.#differs = info ? differences(info.config, this.name, this.#parts.form.replicas) : []
  }

  #tellOfStart(start: number): void {
    const count = this.#source.lastSeq() - start
    const outcome =
      count === 0
        ? 'nothing had to be published to it again'
        : `${counted(count, 'message')} published to it again`
    this.#incident = { at: Date.now(), outcome }
    this.#parts.log.warn('nats', `${this.name}: ${WAS_GONE}; ${outcome}`)
  }
}
