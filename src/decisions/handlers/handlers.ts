/**
 * Runs the user's handlers: registered commands and warm handlers. A waiting agent is held while the handlers of its event
 * run, in ascending priority, until one blocks; for all other events they run afterwards and change nothing.
 *
 *   handlers.register({ id: 'guard', events: ['PreToolUse'], command: './guard.sh', priority: 50, createdAt: now })
 *   await handlers.ask(event, verdict)   // the rules' verdict, and what the handlers add to it
 */
import { drainMicrotasks } from 'bun:jsc'
import { GantryError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { within } from '../../core/time/waits.ts'
import { type HookEvent, isPast, type Verdict } from '../../events/index.ts'
import type { HandlerStatus } from '../../rpc/index.ts'
import type { HandlerRow, Store } from '../../store/index.ts'
import { isFinal, isStop } from '../verdicts.ts'
import { type HandlerOutput, NO_OUTPUT, withOutput } from './handler-output.ts'
import { ProcessReaper } from './process-reaper.ts'
import { HandlerRecord } from './record.ts'
import { type Run, type RunResult, runHandler } from './run.ts'
import { type SlotLimits, Slots } from './slots.ts'
import { WarmFolder, type WarmOne } from './warm-folder.ts'

interface HandlerLimits extends SlotLimits {
  readonly runMs: number
  /** All handlers of one event together, waiting included. */
  readonly chainMs: number
  /** How long a circuit stays open at first. */
  readonly retryMs?: number
}

export interface HandlersOptions {
  readonly store: Store
  /** Where commands run. */
  readonly dir: string
  readonly env: Readonly<Record<string, string>>
  readonly warn?: (message: string) => void
  /** The session as `sessions.get` returns it, for warm handlers. */
  readonly session?: (event: HookEvent) => object | undefined
  /** The same while the event is not stored yet. */
  readonly sessionAhead?: (event: HookEvent) => object | undefined
  readonly limits?: Partial<HandlerLimits>
}

const LIMITS: HandlerLimits = {
  runMs: 30_000,
  chainMs: 60_000, // two that hang; nobody waits longer for all of them
  running: 8, // commands are short; more of them would be slower on the few cores that agents share
  watching: 4,
  queued: 256,
  queuedBytes: 64 * 1024 * 1024,
}
const MAX_HANDLERS = 200
const READY_LIMIT_MS = 2_000
const PAST_MS = 5 * 60_000 // what happened before that is history, as in a spool that waited for days

export class Handlers {
  readonly #options: HandlersOptions
  readonly #limits: HandlerLimits
  readonly #slots: Slots
  readonly #running = new Set<Run>()
  readonly #will = new ProcessReaper()
  #folder: WarmFolder | undefined
  #records: readonly HandlerRecord[] = []
  #byType = new Map<string, readonly HandlerRecord[]>()
  #any: readonly HandlerRecord[] = []
  #closed = false

  constructor(options: HandlersOptions) {
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
    this.#slots = new Slots(this.#limits)
    this.#arrange(options.store.handlers.all().map((row) => new HandlerRecord(row, this.#limits.retryMs)))
  }

  /** How long an agent may have to wait for its handlers. */
  get chainMs(): number {
    return this.#limits.chainMs
  }

  list(): HandlerStatus[] {
    const now = Date.now()
    return this.#records.map((record) => record.status(now))
  }

  wants(event: HookEvent): boolean {
    return this.#for(event.type).some((record) => record.isAbout(event))
  }

  /** What cannot work in the files of warm handlers. */
  get warnings(): readonly string[] {
    return this.#folder?.warnings ?? []
  }

  /** Errors of the files of warm handlers. */
  get problems(): readonly string[] {
    return this.#folder?.problems ?? []
  }

  /** Loads the warm handlers of a folder; resolves when they are ready. */
  async open(dir: string, log: Log): Promise<void> {
    const { dir: cwd, env } = this.#options
    this.#folder = new WarmFolder(dir, {
      ...{ dir: cwd, env, will: this.#will },
      log: (level, message) => log[level]('handler', message),
      changed: () => this.#takeFiles(),
    })
    await within(this.#folder.load(), READY_LIMIT_MS) // a file that spins must not delay the start
    this.#folder.watch()
  }

  #takeFiles(): void {
    const warm = (this.#folder?.handlers ?? []).map((one) => {
      const { id, on: events, priority } = one.spec
      const same = this.#records.find(({ warm }) => warm?.file === one.file && warm.spec === one.spec)
      const row = { id, events, command: one.file.file, priority, createdAt: Date.now() }
      return same ?? new HandlerRecord(row, this.#limits.retryMs, one)
    })
    this.#arrange([...this.#records.filter((record) => !record.warm), ...warm])
  }

  /** Replaces a handler with the same id, whose counts start again. */
  register(row: HandlerRow): HandlerStatus {
    const others = this.#records.filter(({ row: other, warm }) => warm || other.id !== row.id)
    if (others.length >= MAX_HANDLERS) {
      const message = `There are ${MAX_HANDLERS} handlers already. Take one out with: gantry bus unregister <id>`
      throw new GantryError('VALIDATION_ERROR', message)
    }
    const { store } = this.#options
    store.journal.commit(() => store.handlers.put(row))
    const record = new HandlerRecord(row, this.#limits.retryMs)
    this.#arrange([...others, record])
    return record.status(row.createdAt)
  }

  /** False when there is none with this id. */
  unregister(id: string): boolean {
    const { store } = this.#options
    const found = store.journal.commit(() => store.handlers.delete(id))
    this.#arrange(this.#records.filter(({ row, warm }) => warm || row.id !== id))
    return found
  }

  /** Asks those of this event one after the other; gives the verdict with all that they said. */
  ask(event: HookEvent, verdict: Verdict): Promise<Verdict> {
    const end = performance.now() + this.#limits.chainMs
    const records = this.#about(event)
    if (records.every(({ warm }) => warm)) return this.#chain(records, event, verdict, end) // no process to start
    const said = this.#slots.take({
      bytes: event.raw.length,
      run: () => this.#chain(records, event, verdict, end),
    })
    return said ?? Promise.reject(new Error('too many handlers wait to be run'))
  }

  /**
   * Like `ask`, while the event is being stored: a warm handler works while the disk does. Undefined if that cannot be: its
   * first handler is a command, or its session is not known yet.
   */
  askAhead(event: HookEvent, verdict: Verdict): Promise<Verdict> | undefined {
    const records = this.#about(event)
    const session = records.every(({ warm }) => warm) ? this.#options.sessionAhead?.(event) : undefined
    if (session === undefined) return undefined
    return this.#chain(records, event, verdict, performance.now() + this.#limits.chainMs, session)
  }

  /** Takes what warm handlers have said by now, without a turn of the event loop; `askAhead` is settled by it. */
  hurry(): void {
    this.#folder?.read()
    drainMicrotasks()
  }

  /** Runs those of this event some time after its answer. */
  observe(event: HookEvent): void {
    const records = this.#about(event)
    if (records.length === 0 || event.cutFrom !== undefined || event.hidden !== undefined) return
    if (isPast(event) || Date.now() - event.at > PAST_MS) return
    const run = async () => {
      for (const record of records) await this.#run(record, event, this.#limits.runMs)
    }
    const session = `${event.agent}\n${event.sessionId}`
    if (this.#slots.take({ session, bytes: event.raw.length, run })) return
    for (const record of records) this.#skip(record, event, 'dropped')
  }

  /** Ends all that run. */
  close(): void {
    this.#closed = true
    this.#folder?.close()
    for (const run of this.#running) run.kill()
    this.#will.close()
  }

  async #chain(
    records: readonly HandlerRecord[],
    event: HookEvent,
    verdict: Verdict,
    end: number,
    session?: object,
  ): Promise<Verdict> {
    let merged = verdict
    for (const record of records) {
      const left = end - performance.now()
      const limitMs = Math.min(left, this.#limits.runMs)
      const result = left > 0 ? await this.#run(record, event, limitMs, session) : undefined
      if (result?.kind === 'said') merged = withOutput(merged, result.output, record.row.id, event.type)
      else {
        this.#skip(record, event, 'missed', result)
        if (record.warm?.spec.onFailure === 'closed' && !isStop(event.type))
          merged = withOutput(merged, refusalBy(record, result), record.row.id, event.type)
      }
      if (isFinal(merged)) break
    }
    return merged
  }

  /** Nothing when its circuit is open. */
  async #run(
    record: HandlerRecord,
    event: HookEvent,
    limitMs: number,
    session?: object,
  ): Promise<RunResult | undefined> {
    if (this.#closed || !record.circuit.admits(Date.now())) return undefined
    const began = performance.now()
    record.running += 1
    const result = await (record.warm
      ? this.#askWarm(record.warm, event, limitMs, session)
      : this.#start(record, event, limitMs))
    record.running -= 1
    if (this.#closed) return undefined // killed by us, which says nothing about it
    record.note(result, performance.now() - began, Date.now())
    if (result.kind === 'failed') this.#options.warn?.(`${record.row.id} on ${event.type}: ${result.error}`)
    else if (result.garbled) this.#count('garbled', record, event)
    return result
  }

  #askWarm(
    { file, at, spec }: WarmOne,
    event: HookEvent,
    limitMs: number,
    session = this.#options.session?.(event),
  ): Promise<RunResult> {
    const raw = typeof event.raw === 'string' ? event.raw : Buffer.from(event.raw).toString() // JSON has no bytes
    return file.ask(at, { event: { ...event, raw }, session }, Math.min(limitMs, spec.timeoutMs))
  }

  async #start({ row }: HandlerRecord, event: HookEvent, limitMs: number): Promise<RunResult> {
    const { dir, env } = this.#options
    const run = runHandler(row.command, event, { dir, env, limitMs, will: this.#will })
    this.#running.add(run)
    const result = await run.result
    this.#running.delete(run)
    return result
  }

  #skip(record: HandlerRecord, event: HookEvent, kind: 'missed' | 'dropped', result?: RunResult): void {
    if (!result) record.skipped += 1
    this.#count(kind, record, event, kind === 'missed' ? (result ? ' failed' : ' paused') : '')
  }

  #count(kind: string, { row }: HandlerRecord, event: HookEvent, why = ''): void {
    this.#options.store.counters.count(kind, `handler ${row.id}${why}`, event.receivedAt)
  }

  #about(event: HookEvent): readonly HandlerRecord[] {
    return this.#for(event.type).filter((record) => record.isAbout(event))
  }

  #for(type: string): readonly HandlerRecord[] {
    return this.#byType.get(type) ?? this.#any
  }

  #arrange(records: readonly HandlerRecord[]): void {
    this.#records = records.toSorted(
      ({ row: a }, { row: b }) =>
        a.priority - b.priority || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
    )
    const meant = (type: string) =>
      this.#records.filter(({ row }) => row.events.some((it) => it === type || it === '*'))
    this.#any = meant('*')
    this.#byType = new Map(this.#records.flatMap(({ row }) => row.events).map((type) => [type, meant(type)]))
  }
}

/** Not used at the end of a turn: a broken handler must not keep a turn going. */
function refusalBy({ row }: HandlerRecord, result: RunResult | undefined): HandlerOutput {
  const why = result?.kind === 'failed' ? result.error : 'it failed repeatedly and is paused'
  return {
    ...NO_OUTPUT,
    block: true,
    reason: `The handler ${row.id} failed, and its onFailure is closed: ${why}`,
  }
}
