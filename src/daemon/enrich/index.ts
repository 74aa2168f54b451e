/**
 * Enrichment: what was around an event, found out after its commit and stored beside it. It follows the journal with a mark
 * of its own. Commits are pushed to it and wait in memory for a moment; when too many wait, or one could not be stored, it
 * goes on from the mark, page by page. So it may fall behind, and misses nothing.
 */
import type { EventContext, FileChange, HookEvent } from '../../events/index.ts'
import { sdkLine } from '../../events/index.ts'
import { OWN_AGENT } from '../../sessions/index.ts'
import type { ContextSpan } from '../../store/index.ts'
import type { Log } from '../log.ts'
import { reviveRow } from '../revive.ts'
import { Before } from './before.ts'
import { contextOf } from './event-context.ts'
import type { Git } from './git.ts'
import { type OriginParts, Origins } from './origins.ts'
import { SdkLog, type SdkLogSettings } from './sdk-log.ts'
import { Spans } from './spans.ts'

export { Git } from './git.ts'

export interface EnricherParts extends OriginParts {
  readonly log: Log
  readonly git: Git
  readonly settings: () => { readonly git: boolean; readonly sdkLog: SdkLogSettings | undefined }
}

interface Enriched {
  readonly event: HookEvent
  readonly span: ContextSpan
  readonly isNew: boolean
  readonly files: readonly FileChange[]
}

const MARK = 'context'
const SETTLE_MS = 20 // hooks come in bursts
const BATCH = 100 // about a millisecond of work in one go
const MAX_PENDING = 4_000
const MAX_PENDING_BYTES = 16 * 1024 * 1024
const MARK_EVERY_MS = 1_000 // what a start looks at again at most
const GIT_WAIT_MS = 500 // for the first answer about a repository
const BUSY_PENDING = 500 // with more than this waiting, nothing is waited for
const YOUNG_MS = 60_000 // what git says now is not what it said when an older event came
const RETRY_MS = 1_000
const MAX_HISTORY = 5_000
const TIDY_PAUSE_MS = 20

export class Enricher {
  readonly #parts: EnricherParts
  readonly #before = new Before()
  readonly #spans: Spans
  readonly #origins: Origins
  readonly #sdkLog = new SdkLog()
  #pending: HookEvent[] = []
  #pendingBytes = 0
  /** Reads from the journal instead of what is pushed. */
  #behind: boolean
  #mark: number
  #markedAt = 0
  #stored: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #marking: ReturnType<typeof setTimeout> | undefined
  #tidying: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | undefined
  #waiters: { seq: number; done: () => void }[] = []
  #closed = false

  constructor(parts: EnricherParts) {
    const { store } = parts
    this.#parts = parts
    this.#spans = new Spans(store)
    this.#origins = new Origins(parts)
    const mark = store.marks.get(MARK)
    // A long journal from before there were contexts is not gone through: what was around its events is forgotten.
    this.#mark = mark === 0 && store.journal.lastSeq > MAX_HISTORY ? store.journal.lastSeq : mark
    this.#stored = mark
    this.#behind = this.#mark < store.journal.lastSeq
    if (this.#behind) this.#wake()
  }

  get problem(): string | undefined {
    return this.#sdkLog.problem
  }

  /** After the answers have left. */
  committed(events: readonly HookEvent[]): void {
    if (events.length === 0) return
    for (const event of events) {
      if (event.type === 'PreToolUse' && event.transport !== 'replay') this.#before.look(event)
      if (this.#behind) continue
      this.#pending.push(event)
      this.#pendingBytes += event.raw.length
    }
    if (this.#pending.length > MAX_PENDING || this.#pendingBytes > MAX_PENDING_BYTES) this.#fallBehind()
    this.#wake()
  }

  /** Resolves when the events up to `seq` are enriched, at the latest after `ms`. */
  reached(seq: number, ms: number): Promise<void> {
    if (this.#mark >= seq || this.#closed) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#waiters.push({
        seq,
        done: () => {
          clearTimeout(timer)
          resolve()
        },
      })
    })
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
    clearTimeout(this.#marking)
    this.#parts.git.close()
    await this.#running
    this.#writeMark()
    for (const { done } of this.#waiters.splice(0)) done()
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
        this.#moveMark(batch.at(-1)?.seq ?? this.#mark)
        await new Promise(setImmediate)
      }
      this.#marking ??= setTimeout(() => this.#writeMark(), MARK_EVERY_MS)
    } catch (error) {
      this.#parts.log.warn('enrich', `put off: ${error instanceof Error ? error.message : String(error)}`)
      this.#fallBehind()
      this.#spans.forget()
      setTimeout(() => this.#wake(), RETRY_MS)
    }
  }

  #next(): HookEvent[] {
    if (!this.#behind) {
      const batch = this.#pending.splice(0, BATCH)
      for (const { raw } of batch) this.#pendingBytes -= raw.length
      return batch
    }
    const rows = [...this.#parts.store.oldest({ after: this.#mark }, BATCH)]
    // All there is: from here on, commits are pushed again.
    if (rows.length < BATCH) this.#behind = false
    return rows.map(reviveRow)
  }

  #fallBehind(): void {
    this.#behind = true
    this.#pending = []
    this.#pendingBytes = 0
  }

  async #enrich(batch: readonly HookEvent[]): Promise<Enriched[]> {
    const own = batch.filter(({ agent, sessionId }) => agent !== OWN_AGENT && sessionId !== '')
    const folders = own.flatMap((event) => (this.#looksAtGit(event) && event.cwd ? [event.cwd] : []))
    const waitMs = this.#pending.length > BUSY_PENDING || this.#behind ? 0 : GIT_WAIT_MS
    if (folders.length > 0) await this.#parts.git.look(folders, waitMs)
    const files = await Promise.all(own.map((event) => this.#filesOf(event)))
    return own.map((event, n) => {
      const git = this.#looksAtGit(event) && event.cwd ? this.#parts.git.get(event.cwd) : undefined
      this.#see(event)
      return { event, files: files[n] ?? [], ...this.#spans.take(event, git) }
    })
  }

  #looksAtGit({ transport, at }: HookEvent): boolean {
    return transport !== 'replay' && Date.now() - at < YOUNG_MS && this.#parts.settings().git
  }

  #see(event: HookEvent): void {
    if (event.transport !== 'replay') this.#origins.see(event)
  }

  #filesOf(event: HookEvent): Promise<FileChange[]> | [] {
    return event.type === 'PostToolUse' ? this.#before.changes(event) : []
  }

  #store(enriched: readonly Enriched[]): void {
    const { journal, contexts, fileChanges } = this.#parts.store
    if (!enriched.some(({ isNew, files }) => isNew || files.length > 0)) return
    journal.relaxed(() => {
      for (const { event, span, isNew, files } of enriched) {
        if (isNew) contexts.put(span)
        const { seq, agent, sessionId, agentId = '' } = event
        for (const { path, change } of files)
          fileChanges.put({ seq, path, agent, sessionId, agentId, change })
      }
    })
  }

  async #toLog(enriched: readonly Enriched[]): Promise<void> {
    const settings = this.#parts.settings().sdkLog
    if (!settings) return
    const entries = enriched.map(({ event, span, files }) => ({
      seq: event.seq,
      line: sdkLine(event, contextOf(event, this.#parts, span, files)),
    }))
    if (entries.length > 0) await this.#sdkLog.write(entries, settings)
  }

  #moveMark(seq: number): void {
    this.#mark = seq
    const reached = this.#waiters.filter((waiter) => waiter.seq <= seq)
    this.#waiters = this.#waiters.filter((waiter) => waiter.seq > seq)
    for (const { done } of reached) done()
    if (Date.now() - this.#markedAt > MARK_EVERY_MS) this.#writeMark()
  }

  #writeMark(): void {
    clearTimeout(this.#marking)
    this.#marking = undefined
    if (this.#stored === this.#mark) return
    const { journal, marks } = this.#parts.store
    try {
      journal.relaxed(() => marks.set(MARK, this.#mark))
      this.#stored = this.#mark
      this.#markedAt = Date.now()
    } catch {
      // Somebody else holds the database; a later one says it, too.
    }
  }
}
