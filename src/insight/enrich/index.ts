/**
 * Enrichment: what was around an event, found out after its commit and stored beside it. It follows the journal with a mark
 * of its own. Commits are pushed to it and wait in memory for a moment; when too many wait, or one could not be stored, it
 * goes on from the mark, page by page. So it may fall behind, and misses nothing.
 */

import type { Log } from '../../core/log.ts'
import { type EventContext, type HookEvent, isPast, sdkLine } from '../../events/index.ts'
import type { Git } from '../../git/index.ts'
import { reviveRow } from '../../journal/index.ts'
import { Before } from './before.ts'
import { type Brief, briefOf } from './brief.ts'
import { contextOf } from './event-context.ts'
import { type OriginParts, Origins } from './origins.ts'
import { Progress } from './progress.ts'
import { Repeats } from './repeats.ts'
import { SdkLog, type SdkLogSettings } from './sdk-log.ts'
import { Spans } from './spans.ts'
import { type Enriched, isOwn, lastOf, type Waiting } from './waiting.ts'

export interface EnricherParts extends OriginParts {
  readonly log: Log
  readonly git: Git
  readonly settings: () => {
    readonly enabled: boolean
    readonly git: boolean
    readonly sdkLog: SdkLogSettings | undefined
  }
}

const SETTLE_MS = 150 // hooks come in bursts, and many at once cost less
const ASKED_MS = 10 // when somebody waits for it
const BATCH = 40 // half a millisecond of work in one go, with hooks between two
const MAX_PENDING = 4_000
const MAX_PENDING_BYTES = 16 * 1024 * 1024
const GIT_WAIT_MS = 500 // for the first answer about a repository
const BUSY_PENDING = 500 // with more than this waiting, nothing is waited for
const YOUNG_MS = 60_000 // what git says now is not what it said when an older event came
const RETRY_MS = 1_000
const TIDY_PAUSE_MS = 20

export class Enricher {
  readonly #parts: EnricherParts
  readonly #before = new Before()
  readonly #repeats = new Repeats()
  readonly #spans: Spans
  readonly #origins: Origins
  readonly #progress: Progress
  readonly #sdkLog = new SdkLog()
  #pending: Waiting[] = []
  #pendingBytes = 0
  /** Reads from the journal instead of what is pushed. */
  #behind: boolean
  /** The last event that was pushed. */
  #seen = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #tidying: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | undefined
  #closed = false

  constructor(parts: EnricherParts) {
    const { store } = parts
    this.#parts = parts
    this.#spans = new Spans(store)
    this.#origins = new Origins(parts)
    this.#progress = new Progress(store)
    this.#behind = this.#progress.mark < store.journal.lastSeq
    if (this.#behind) this.#wake()
  }

  get problem(): string | undefined {
    return this.#sdkLog.problem
  }

  /** After the answers have left. */
  committed(events: readonly HookEvent[]): void {
    if (events.length === 0) return
    const now = Date.now()
    const isOn = this.#isOn()
    const isLogged = this.#parts.settings().sdkLog !== undefined
    for (const event of events) {
      if (isOn && event.type === 'PreToolUse' && !isPast(event)) this.#before.look(event)
      if (this.#behind) continue
      this.#seen = event.seq
      if (!isOn) continue
      const over = event.type === 'PostToolUse' ? this.#before.over(event) : undefined
      if (!isLogged && !over && (isOwn(event) || this.#repeats.isRepeat(event, now))) continue
      this.#pending.push({ brief: briefOf(event), over, event: isLogged ? event : undefined })
      if (isLogged) this.#pendingBytes += event.raw.length
    }
    if (this.#pending.length > MAX_PENDING || this.#pendingBytes > MAX_PENDING_BYTES) this.#fallBehind()
    this.#wake()
  }

  /** Reads from its mark what it may not have been told. */
  lookAgain(): void {
    this.#fallBehind()
    this.#wake()
  }

  /** Resolves when the events up to `seq` are enriched, at the latest after `ms`: soon, or in its own time. */
  reached(seq: number, ms: number, soon = true): Promise<void> {
    if (this.#progress.mark >= seq || this.#closed) return Promise.resolve()
    if (soon) {
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#wake(ASKED_MS)
    }
    return this.#progress.wait(seq, ms)
  }

  contextOf(event: HookEvent): EventContext {
    return contextOf(event, this.#parts)
  }

  /** Lets go of what belongs to events that are gone, a slice at a time. */
  tidy(): void {
    clearTimeout(this.#tidying)
    if (this.#closed) return
    const { journal, contexts, fileChanges, firstSeq } = this.#parts.store
    const first = firstSeq()
    let more = false
    journal.relaxed(() => {
      more = [contexts.deleteBefore(first), fileChanges.deleteBefore(first)].includes(true)
    })
    if (more) this.#tidying = setTimeout(() => this.tidy(), TIDY_PAUSE_MS)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#tidying)
    this.#parts.git.close()
    await this.#running
    this.#progress.close()
    await this.#sdkLog.close()
  }

  #wake(delayMs = SETTLE_MS): void {
    if (this.#closed || this.#running || this.#timer) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#running = this.#run().finally(() => {
        this.#running = undefined
        if (this.#pending.length > 0) this.#wake()
      })
    }, delayMs)
  }

  async #run(): Promise<void> {
    try {
      for (let batch = this.#next(); batch.length > 0 && !this.#closed; batch = this.#next()) {
        const enriched = await this.#enrich(batch)
        if (this.#closed) return
        this.#store(enriched)
        await this.#toLog(enriched)
        this.#progress.move(this.#isDone() ? Math.max(this.#seen, lastOf(batch)) : lastOf(batch))
        await new Promise(setImmediate)
      }
      if (this.#isDone()) this.#progress.move(this.#seen)
    } catch (error) {
      this.#parts.log.warn('enrich', `put off: ${error instanceof Error ? error.message : String(error)}`)
      this.#fallBehind()
      this.#spans.forget()
      setTimeout(() => this.#wake(), RETRY_MS)
    }
  }

  #waitingOf(event: HookEvent): Waiting {
    const isLogged = this.#parts.settings().sdkLog !== undefined
    return {
      brief: briefOf(event),
      over: event.type === 'PostToolUse' ? this.#before.over(event) : undefined,
      event: isLogged ? event : undefined,
    }
  }

  /** The log has the contexts in it. */
  #isOn(): boolean {
    const { enabled, sdkLog } = this.#parts.settings()
    return enabled || sdkLog !== undefined
  }

  /** All that was pushed so far is looked at, or needs no look. */
  #isDone(): boolean {
    return !this.#behind && this.#pending.length === 0
  }

  #next(): Waiting[] {
    if (!this.#behind) {
      const batch = this.#pending.splice(0, BATCH)
      for (const { event } of batch) this.#pendingBytes -= event?.raw.length ?? 0
      return batch
    }
    if (!this.#isOn()) {
      this.#behind = false
      this.#seen = this.#parts.store.journal.lastSeq
      return []
    }
    const rows = [...this.#parts.store.oldest({ after: this.#progress.mark }, BATCH)]
    // All there is: from here on, commits are pushed again.
    if (rows.length < BATCH) this.#behind = false
    return rows.map((row) => this.#waitingOf(reviveRow(row)))
  }

  #fallBehind(): void {
    this.#behind = true
    this.#repeats.forget()
    this.#pending = []
    this.#pendingBytes = 0
  }

  async #enrich(batch: readonly Waiting[]): Promise<Enriched[]> {
    const own = batch.filter(({ brief }) => !isOwn(brief))
    const folders = own.flatMap(({ brief }) => (this.#looksAtGit(brief) && brief.cwd ? [brief.cwd] : []))
    const waitMs = this.#pending.length > BUSY_PENDING || this.#behind ? 0 : GIT_WAIT_MS
    if (folders.length > 0) await this.#parts.git.look(folders, waitMs)
    const files = await Promise.all(own.map(({ over }) => (over ? this.#before.changes(over) : [])))
    return own.map((waiting, n) => {
      const { brief } = waiting
      const git = this.#looksAtGit(brief) && brief.cwd ? this.#parts.git.get(brief.cwd) : undefined
      if (!isPast(brief)) this.#origins.see(brief)
      return { ...waiting, files: files[n] ?? [], ...this.#spans.take(brief, git) }
    })
  }

  #looksAtGit({ transport, at }: Brief): boolean {
    return !isPast({ transport }) && Date.now() - at < YOUNG_MS && this.#parts.settings().git
  }

  #store(enriched: readonly Enriched[]): void {
    const { journal, contexts, fileChanges } = this.#parts.store
    if (!enriched.some(({ isNew, files }) => isNew || files.length > 0)) return
    journal.relaxed(() => {
      for (const { brief, span, isNew, files } of enriched) {
        if (isNew) contexts.put(span)
        const { seq, agent, sessionId, agentId = '' } = brief
        for (const { path, change } of files)
          fileChanges.put({ seq, path, agent, sessionId, agentId, change })
      }
    })
  }

  async #toLog(enriched: readonly Enriched[]): Promise<void> {
    const settings = this.#parts.settings().sdkLog
    if (!settings) return
    const entries = enriched.flatMap(({ event, span, files }) => {
      if (!event) return [] // it came before the log was switched on
      return [{ seq: event.seq, line: sdkLine(event, contextOf(event, this.#parts, span, files)) }]
    })
    if (entries.length > 0) await this.#sdkLog.write(entries, settings)
  }
}
