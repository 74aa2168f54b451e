/**
 * The hook path inside the daemon: parse, append, decide, commit, answer. All events that arrive in one turn of the event
 * loop share one durable commit, and answers leave after it, so an answered event is never lost. A decision that takes time
 * delays only its own agent: it is recorded in a separate commit, and answered then.
 *
 *   pipeline.take(rawEvent, (reply) => …)   // reply is undefined if the event could not be stored
 */
import { messageOf } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { type HookEvent, type HookReply, NO_VERDICT, type RawEvent, type Verdict } from '../events/index.ts'
import { isBusy, type Store } from '../store/index.ts'
import type { PeerPid } from './agent-process.ts'
import { Dedupe, WINDOW_MS } from './dedupe.ts'
import { isPending, type Pending, PendingDecisions } from './pending-decisions.ts'
import { decideOn, noteMissed, noteOddities, redactAndParse, replyTo, type Words } from './replies.ts'

export interface PipelineOptions extends PipelineSteps {
  readonly store: Store
  readonly log: Log
  readonly redaction: () => boolean
  readonly now?: () => number
  /** How long to wait for a decision if the client cannot be held. */
  readonly patienceMs?: number
}

/** The steps of an event, in order. */
export interface PipelineSteps {
  /** Called before an event is taken; events that it takes itself come first. */
  readonly first?: () => void
  /** The agent's process, if unknown so far; called while the sender waits, so it must be quick. */
  readonly locate?: (event: HookEvent, peer: PeerPid | undefined) => number | undefined
  /** Called once for each event whose agent waits for the answer; quick and without I/O. Slow decisions are pending. */
  readonly decide?: (event: HookEvent) => Verdict | Pending
  /** Inside the commit, for each new event that nobody waits for. */
  readonly observe?: (event: HookEvent) => void
  /** Inside a retried commit: the decision's writes in the failed one were rolled back. */
  readonly repeat?: (event: HookEvent) => void
  /** Inside a commit, for each new event with a decision. */
  readonly record?: (event: HookEvent, verdict: Verdict) => void
  /** After a commit with quick decisions: those that are made by now are settled when it returns, and answered then. */
  readonly hurry?: () => void
  /** After the commit, right before the answer: adapts the verdict. May write a file; does not throw. */
  readonly fit?: (event: HookEvent, verdict: Verdict) => Verdict
  /** Called for each new event with a verdict, after the answer has left. */
  readonly answered?: (event: HookEvent, verdict: Verdict) => void
  /** Called after each answer with how long it took; counts, and nothing else. */
  readonly took?: (event: HookEvent, verdict: Verdict, ms: number, wasAsked: boolean) => void
  /** Called after the answers have left. */
  readonly committed?: (events: readonly HookEvent[]) => void
}

/** `undefined`: nothing was stored; the sender keeps the event. */
export type Done = (reply: HookReply | undefined) => void

/** How the sender waits for its answer, if not as usual. */
export interface Waiter {
  /** Tells it to wait this long from now; `left` is called if it hangs up meanwhile. */
  readonly hold?: ((ms: number, left?: () => void) => void) | undefined
  /** The reply format it wants instead of the agent's. */
  readonly words?: Words | undefined
  readonly peer?: PeerPid | undefined
}

interface Waiting {
  event: HookEvent
  readonly done: Done
  readonly waiter: Waiter
  /** By the monotonic clock. */
  readonly takenAt: number
  decided?: Verdict | Pending
  /** What a quick decision comes to. */
  said?: Promise<Verdict>
  fresh: boolean
}

type Quick = Waiting & { readonly decided: Pending }

/** A slow decision that is made and must be recorded and answered. */
interface Settled {
  readonly item: Waiting
  readonly verdict: Verdict
  readonly at: number
}

const PATIENT: Waiter = {}

const MAX_BATCH = 512 // limits how long one commit can delay the others
const MAX_RECALLED = 5_000 // the agent of the first event waits while they are read
const BUSY_RETRY_MS = 5
const BUSY_LIMIT_MS = 200 // below the observers' deadline: the client still has time to spool

export class Pipeline {
  #options: PipelineOptions
  readonly #now: () => number
  readonly #dedupe = new Dedupe()
  #recalled = false
  readonly #held: PendingDecisions
  #queue: Waiting[] = []
  #settled: Settled[] = []
  #scheduled = false
  #fault: string | undefined
  #idle: (() => void)[] = []
  #taken = 0
  #unstored = 0

  constructor(options: PipelineOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#held = new PendingDecisions(options.patienceMs)
  }

  /** Adds steps before the first event, for services that need the pipeline themselves. */
  wire(steps: PipelineSteps): void {
    this.#options = { ...this.#options, ...steps }
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

  /** Agents that wait for a slow decision. */
  get held(): number {
    return this.#held.size
  }

  take(rawEvent: RawEvent, done: Done, waiter: Waiter = PATIENT): void {
    this.#options.first?.()
    this.#taken += 1
    const takenAt = performance.now()
    const read = redactAndParse(rawEvent, this.#options.redaction(), this.#options.store.counters)
    const agentPid = this.#options.locate?.(read, waiter.peer)
    const event =
      agentPid === undefined ? read : Object.assign(read, { client: { ...read.client, agentPid } })
    this.#queue.push({ event, done, waiter, takenAt, fresh: false })
    if (!this.#scheduled) this.#schedule()
  }

  /** Whether it matches an event that was taken and is not committed yet. */
  isQueued(holds: (event: HookEvent) => boolean): boolean {
    return this.#queue.some(({ event }) => holds(event))
  }

  /** Resolves when everything taken so far was answered. */
  drained(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  /** Answers everyone who is held with the preliminary verdict; from now on nobody is held. */
  release(): void {
    this.#held.close()
  }

  #schedule(delayMs = 0): void {
    this.#scheduled = true
    if (delayMs > 0) setTimeout(() => this.#flush(), delayMs)
    else setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#scheduled = false
    const count = Math.min(this.#queue.length, MAX_BATCH) // not what answers raise now: it shares a commit with what comes next
    if (this.#settled.length > 0) {
      this.#conclude()
      this.#tell([])
    }
    const batch = this.#queue.splice(0, count)
    if (batch.length === 0) {
      this.#next()
      return
    }
    try {
      this.#commit(batch)
    } catch (error) {
      if (isWorthRetrying(error, batch[0]?.takenAt)) {
        this.#forget()
        this.#queue.unshift(...batch)
        this.#schedule(BUSY_RETRY_MS)
        return
      }
      this.#refuse(batch, error)
      this.#next()
      // If the disk could not be synced, they are stored all the same; their senders keep them, and their ids count once.
      const { lastSeq } = this.#options.store.journal
      const stored = freshIn(batch).filter(({ seq }) => seq <= lastSeq)
      if (stored.length > 0) this.#tell(stored)
      return
    }
    this.#fault = undefined
    const quick = batch.filter(isQuick)
    if (quick.length > 0) this.#hurry(quick)
    for (const item of batch) this.#answerOrHold(item)
    if (this.#settled.length > 0) this.#conclude()
    this.#next()
    this.#tell(freshIn(batch))
  }

  /** Warm handlers worked while the disk did: what most of them say is there by now. */
  #hurry(quick: readonly Quick[]): void {
    for (const item of quick) item.said = begin(item.decided)
    this.#safely(() => this.#options.hurry?.())
  }

  #tell(events: readonly HookEvent[]): void {
    this.#safely(() => this.#options.committed?.(events))
  }

  #safely(work: () => void): void {
    try {
      work()
    } catch (error) {
      // The events are stored; what fails afterwards must neither end the daemon nor cost an answer.
      const where = error instanceof Error ? error.stack : String(error)
      this.#options.log.error('pipeline', `failed after the commit: ${where}`)
    }
  }

  #commit(batch: Waiting[]): void {
    const { journal } = this.#options.store
    const now = this.#now()
    journal.commit(() => {
      if (!this.#recalled) this.#recall(now)
      for (const item of batch) {
        const stored = this.#dedupe.isDuplicate(item.event, now) ? 0 : journal.append(item.event)
        item.fresh = stored > 0
        if (item.fresh && item.event.transport === 'relay') this.#dedupe.relayed(item.event, stored, now)
        const seq = stored || this.#dedupe.unanswered(item.event, now)
        if (item.event.seq !== seq) item.event = Object.assign(item.event, { seq })
        item.decided = decideOn(item.event, this.#options, item.decided)
        if (item.fresh && item.decided !== NO_VERDICT && !isPending(item.decided))
          this.#options.record?.(item.event, item.decided)
      }
    })
    for (const { event, fresh } of batch) noteOddities(event, fresh, this.#options.store.counters)
  }

  /** Events that were not stored have no duplicates. */
  #forget(): void {
    this.#dedupe.clear()
    this.#recalled = false
  }

  /** Remembers recently stored events, perhaps by a killed daemon: their duplicates may still arrive. */
  #recall(now: number): void {
    this.#recalled = true
    const { store, log } = this.#options
    try {
      const after = Math.max(store.seqBefore(now - WINDOW_MS), store.journal.lastSeq - MAX_RECALLED)
      for (const row of store.oldest({ after }, MAX_RECALLED)) {
        this.#dedupe.isDuplicate(row, row.receivedAt)
        if (row.transport === 'relay') this.#dedupe.relayed(row, row.seq, row.receivedAt)
      }
    } catch (error) {
      log.warn('pipeline', `cannot read the last stored events: ${String(error)}`) // storing is more important
    }
  }

  #answerOrHold(item: Waiting): void {
    const decided = item.decided ?? NO_VERDICT
    if (decided === NO_VERDICT || !isPending(decided)) this.#answer(item, decided)
    // The same hook over another route waits already; its answer counts.
    else if (item.event.seq === 0) this.#answer(item, decided.now)
    else if (item.said && Bun.peek.status(item.said) === 'fulfilled')
      this.#settle(item, Bun.peek(item.said) as Verdict, undefined)
    else {
      const { said } = item
      this.#held.add({
        pending: said ? { ...decided, settle: () => said } : decided,
        bytes: item.event.raw.length,
        hold: item.waiter.hold,
        left: (problem) => noteMissed(item.event, problem, this.#options),
        finish: (verdict, problem) => this.#settle(item, verdict, problem),
      })
    }
  }

  #settle(item: Waiting, verdict: Verdict, problem: string | undefined): void {
    if (problem !== undefined) noteMissed(item.event, problem, this.#options)
    if (verdict === NO_VERDICT) {
      this.#answer(item, verdict) // there is nothing to record
      this.#next()
      return
    }
    this.#settled.push({ item, verdict, at: performance.now() })
    if (!this.#scheduled) this.#schedule()
  }

  /** Records slow decisions, then answers. An answer that cannot be recorded is still sent. */
  #conclude(): void {
    const settled = this.#settled.splice(0)
    const { journal } = this.#options.store
    const record = () => {
      for (const { item, verdict } of settled) this.#options.record?.(item.event, verdict)
    }
    try {
      if (settled.every(({ item }) => isQuick(item))) journal.relaxed(record)
      else journal.commit(record)
    } catch (error) {
      if (isWorthRetrying(error, settled[0]?.at)) {
        this.#settled.unshift(...settled)
        this.#schedule(BUSY_RETRY_MS)
        return
      }
      this.#options.log.error(
        'pipeline',
        `${settled.length} decisions could not be recorded: ${String(error)}`,
      )
    }
    for (const { item, verdict } of settled) this.#answer(item, verdict)
  }

  #answer({ event, fresh, waiter, done, takenAt, decided }: Waiting, verdict: Verdict): void {
    const said = verdict.context ? (this.#options.fit?.(event, verdict) ?? verdict) : verdict
    done(replyTo(event, said, waiter.words, this.#options))
    this.#options.took?.(
      event,
      verdict,
      performance.now() - takenAt,
      decided !== undefined && isPending(decided),
    )
    if (fresh && verdict !== NO_VERDICT) this.#options.answered?.(event, verdict)
  }

  #refuse(batch: Waiting[], error: unknown): void {
    this.#forget()
    this.#fault = messageOf(error)
    this.#unstored += batch.length
    this.#options.log.error('pipeline', `cannot store events: ${this.#fault}; their senders keep them`)
    for (const item of batch) item.done(undefined)
  }

  #next(): void {
    if (this.#queue.length > 0) {
      if (!this.#scheduled) this.#schedule()
    } else if (this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve()
  }

  #isIdle(): boolean {
    return this.#queue.length === 0 && this.#settled.length === 0 && this.#held.size === 0
  }
}

function freshIn(batch: readonly Waiting[]): HookEvent[] {
  return batch.filter(({ fresh }) => fresh).map(({ event }) => event)
}

/** The event is safe on the disk; that a handler refused it may be lost with the power, and the agent with it. */
function isQuick(item: Waiting): item is Quick {
  const { decided } = item
  return decided !== undefined && isPending(decided) && decided.isQuick === true
}

function begin(pending: Pending): Promise<Verdict> {
  const said = pending.settle(pending.holdMs)
  said.catch(() => {}) // if it fails, it is held, and that is handled there
  return said
}

/** Another process holds the database: worth a retry, as long as the clients still wait. */
function isWorthRetrying(error: unknown, since = 0): boolean {
  return isBusy(error) && performance.now() - since <= BUSY_LIMIT_MS
}
