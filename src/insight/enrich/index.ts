/**
 * Enrichment: a follower of the journal that finds the context of each event after its commit and stores it beside the
 * event.
 */
import { messageOf } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { type EventContext, type HookEvent, isPast, sdkLine } from '../../events/index.ts'
import type { Git } from '../../git/index.ts'
import { BackgroundFollower, parseRow } from '../../journal/index.ts'
import type { Store } from '../../store/index.ts'
import { Spans } from './context-spans.ts'
import { Repeats } from './dedupe.ts'
import { contextOf } from './event-context.ts'
import { type Enriched, type EventSummary, isOwn, summaryOf, type Waiting } from './event-summary.ts'
import { FileSnapshots, type FinishedCall } from './file-snapshots.ts'
import { type OriginParts, Origins } from './origins.ts'
import { SdkLog, type SdkLogSettings } from './sdk-log.ts'

interface EnricherParts extends OriginParts {
  readonly log: Log
  readonly git: Git
  readonly settings: () => {
    readonly enabled: boolean
    readonly git: boolean
    readonly sdkLog: SdkLogSettings | undefined
  }
}

const SETTLE_MS = 150 // debounce: hooks come in bursts, and batches cost less
const ASKED_MS = 10 // debounce while a caller waits
const BATCH = 40 // half a millisecond of work, then hooks get their turn
const MAX_PENDING = 4_000
const MAX_PENDING_BYTES = 16 * 1024 * 1024
const GIT_WAIT_MS = 500 // for the first answer about a repository
const BUSY_PENDING = 500 // with more events queued than this, nothing waits for git
const YOUNG_MS = 60_000 // for an older event, git's current answer is not what it was then
const MARK = 'context'
const SAVE_MS = 1_000 // at most this much is done again after a restart
const MAX_HISTORY = 5_000

export class Enricher {
  readonly #parts: EnricherParts
  readonly #snapshots = new FileSnapshots()
  readonly #repeats = new Repeats()
  readonly #spans: Spans
  readonly #origins: Origins
  readonly #sdkLog = new SdkLog()
  readonly #follower: BackgroundFollower<Waiting>
  #batch: Waiting[] = []
  #closed = false

  constructor(parts: EnricherParts) {
    const { store, log } = parts
    this.#parts = parts
    this.#spans = new Spans(store)
    this.#origins = new Origins(parts)
    this.#follower = new BackgroundFollower<Waiting>({
      after: startOf(store),
      lastSeq: () => store.journal.lastSeq,
      read: (after, limit) =>
        Array.from(store.oldest({ after }, limit), (row) => this.#waitingOf(parseRow(row))),
      enabled: () => this.#isOn(),
      take: (waiting) => this.#batch.push(waiting),
      flush: () => this.#flush(),
      slice: BATCH,
      queue: MAX_PENDING,
      sizeOf: ({ event }) => event?.raw.length ?? 0,
      queueBytes: MAX_PENDING_BYTES,
      save: (seq) => {
        store.journal.relaxed(() => store.marks.set(MARK, seq))
        return true
      },
      saveMs: SAVE_MS,
      failed: (error) => {
        log.warn('enrich', `postponed: ${messageOf(error)}`)
        this.#repeats.forget()
        this.#spans.forget()
      },
    })
    if (this.#follower.isBehind) this.#follower.wake(SETTLE_MS)
  }

  get problem(): string | undefined {
    return this.#sdkLog.problem
  }

  /** Called after the replies were sent. */
  committed(events: readonly HookEvent[]): void {
    if (events.length === 0) return
    const now = Date.now()
    const isOn = this.#isOn()
    const isLogged = this.#parts.settings().sdkLog !== undefined
    for (const event of events)
      if (isOn && event.type === 'PreToolUse' && !isPast(event)) this.#snapshots.look(event)
    this.#follower.push(events, (event) => {
      const call = this.#finishedCall(event)
      if (!isLogged && !call && (isOwn(event) || this.#repeats.isRepeat(event, now))) return undefined
      return this.#waitingOf(event, call)
    })
    this.#follower.wake(SETTLE_MS)
  }

  /** Reads from the mark on: after a failed commit, events may have been missed. */
  lookAgain(): void {
    this.#repeats.forget()
    this.#follower.rewind()
    this.#follower.wake(SETTLE_MS)
  }

  /** Resolves when the events up to `seq` are enriched, at the latest after `ms`. `soon` shortens the debounce. */
  reached(seq: number, ms: number, soon = true): Promise<void> {
    if (soon && this.#follower.mark < seq) this.#follower.wake(ASKED_MS)
    return this.#follower.reached(seq, ms)
  }

  contextOf(event: HookEvent): EventContext {
    return contextOf(event, this.#parts)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#parts.git.close()
    await this.#follower.close()
    await this.#sdkLog.close()
  }

  #flush(): void | Promise<void> {
    const batch = this.#batch
    this.#batch = []
    if (batch.length > 0) return this.#work(batch)
  }

  async #work(batch: readonly Waiting[]): Promise<void> {
    const enriched = await this.#enrich(batch)
    if (this.#closed) throw new Error('it is closed') // the next start handles them
    this.#store(enriched)
    await this.#toLog(enriched)
  }

  #finishedCall(event: HookEvent): FinishedCall | undefined {
    return event.type === 'PostToolUse' ? this.#snapshots.finish(event) : undefined
  }

  #waitingOf(event: HookEvent, call = this.#finishedCall(event)): Waiting {
    const isLogged = this.#parts.settings().sdkLog !== undefined
    return {
      seq: event.seq,
      summary: summaryOf(event),
      call,
      event: isLogged ? event : undefined,
    }
  }

  /** The log contains contexts, so enrichment is on if either is. */
  #isOn(): boolean {
    const { enabled, sdkLog } = this.#parts.settings()
    return enabled || sdkLog !== undefined
  }

  async #enrich(batch: readonly Waiting[]): Promise<Enriched[]> {
    const own = batch.filter(({ summary }) => !isOwn(summary))
    const folders = own.flatMap(({ summary }) =>
      this.#looksAtGit(summary) && summary.cwd ? [summary.cwd] : [],
    )
    const isBusy = this.#follower.queued > BUSY_PENDING || this.#follower.isBehind
    const waitMs = isBusy ? 0 : GIT_WAIT_MS
    if (folders.length > 0) await this.#parts.git.look(folders, waitMs)
    const files = await Promise.all(own.map(({ call }) => (call ? this.#snapshots.changes(call) : [])))
    return own.map((waiting, n) => {
      const { summary } = waiting
      const git = this.#looksAtGit(summary) && summary.cwd ? this.#parts.git.get(summary.cwd) : undefined
      if (!isPast(summary)) this.#origins.see(summary)
      return { ...waiting, files: files[n] ?? [], ...this.#spans.take(summary, git) }
    })
  }

  #looksAtGit({ transport, at }: EventSummary): boolean {
    return !isPast({ transport }) && Date.now() - at < YOUNG_MS && this.#parts.settings().git
  }

  #store(enriched: readonly Enriched[]): void {
    const { journal, contexts, fileChanges } = this.#parts.store
    if (!enriched.some(({ isNew, files }) => isNew || files.length > 0)) return
    journal.relaxed(() => {
      for (const { summary, span, isNew, files } of enriched) {
        if (isNew) contexts.put(span)
        const { seq, agent, sessionId, agentId = '' } = summary
        for (const { path, change } of files)
          fileChanges.put({ seq, path, agent, sessionId, agentId, change })
      }
    })
  }

  async #toLog(enriched: readonly Enriched[]): Promise<void> {
    const settings = this.#parts.settings().sdkLog
    if (!settings) return
    const entries = enriched.flatMap(({ event, span, files }) => {
      if (!event) return [] // it came before the log was enabled
      return [{ seq: event.seq, line: sdkLine(event, contextOf(event, this.#parts, span, files)) }]
    })
    if (entries.length > 0) await this.#sdkLog.write(entries, settings)
  }
}

/** A long journal from before contexts existed is skipped: the surroundings of its events are lost. */
function startOf({ marks, journal }: Store): number {
  const mark = marks.get(MARK)
  return mark === 0 && journal.lastSeq > MAX_HISTORY ? journal.lastSeq : mark
}
