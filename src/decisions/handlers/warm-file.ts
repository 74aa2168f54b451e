/**
 * One file of warm handlers and its process. A new process replaces it when the file changes, the process ends or its event
 * loop is stuck; the old one answers until the new one is ready.
 */
import { statSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { messageOf } from '../../core/errors.ts'
import { backoff, pause, within } from '../../core/time/waits.ts'
import type { RunResult } from './run.ts'
import { type Loaded, type Question, type WarmPlace, WarmWorker } from './warm-worker.ts'

export interface WarmFileParts extends Omit<WarmPlace, 'stuck' | 'ended' | 'log'> {
  readonly log: (level: 'info' | 'warn' | 'error', message: string) => void
  /** Called when the handlers in force or the file's problem changed. */
  readonly changed: () => void
}

type Why = 'loaded' | 'stuck' | 'ended'

const NOTHING: Loaded = { handlers: [], files: [] }
const RESTART_MS = 100 // if a process ended soon after its start; doubles each time
const MAX_RESTART_MS = 30_000
const SOON_MS = 5_000
const STUCK_PAUSE_MS = 250 // on an overloaded machine any process looks stuck, and another one would not help

export class WarmFile {
  readonly file: string
  readonly #parts: WarmFileParts
  #worker: WarmWorker | undefined
  #next: Promise<WarmWorker | undefined> | undefined
  #loaded = NOTHING
  #signs = ''
  #problem: string | undefined
  #restarts = 0
  #startedAt = 0
  /** Events that waited in a process that ended are sent again one at a time, so that only the culprit ends another process. */
  #again: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(file: string, parts: WarmFileParts) {
    this.file = file
    this.#parts = parts
  }

  get handlers(): Loaded['handlers'] {
    return this.#loaded.handlers
  }

  /** Its source files. */
  get files(): Loaded['files'] {
    return this.#loaded.files.length === 0 ? [this.file] : this.#loaded.files
  }

  /** The file's error; the last good version stays in force. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Reloads it if one of its source files changed. */
  async refresh(): Promise<void> {
    const signs = this.#look()
    if (signs === this.#signs) return
    this.#signs = signs
    await this.#replace('loaded')
  }

  async ask(handler: number, question: Question, limitMs: number): Promise<RunResult> {
    const end = performance.now() + limitMs
    const result = await this.#askOnce(handler, question, end)
    if (result.kind !== 'ended') return result
    if (result.alone) return { kind: 'failed', error: result.how }
    const again = this.#again.then(() => this.#askOnce(handler, question, end))
    this.#again = again
    const second = await again
    return second.kind === 'ended' ? { kind: 'failed', error: second.how } : second
  }

  /** Takes what its process has said by now. */
  read(): void {
    this.#worker?.read()
  }

  close(): void {
    this.#closed = true
    this.#worker?.kill()
    void this.#next?.then((worker) => worker?.kill())
  }

  async #askOnce(handler: number, question: Question, end: number) {
    const worker = this.#worker ?? (await this.#nextWithin(end - performance.now()))
    const left = end - performance.now()
    if (!worker || left <= 0) return { kind: 'failed', error: 'its process is not ready' } as const
    return worker.ask(handler, question, left)
  }

  #nextWithin(ms: number): Promise<WarmWorker | undefined> {
    return ms > 0 && this.#next ? within(this.#next, ms) : Promise.resolve(undefined)
  }

  /** One at a time: a change during a load is loaded afterwards. */
  #replace(why: Why, waitMs = 0): Promise<WarmWorker | undefined> {
    const mine = (this.#next ?? Promise.resolve())
      .then(() => (waitMs > 0 ? pause(waitMs) : undefined))
      .then(() => this.#start(why))
    this.#next = mine
    void mine.finally(() => {
      if (this.#next === mine) this.#next = undefined
    })
    return mine
  }

  async #start(why: Why): Promise<WarmWorker | undefined> {
    if (this.#closed) return undefined
    if (why === 'stuck' && this.#worker?.isStuck === false) return this.#worker // it recovered
    const { log, changed, dir, env, will } = this.#parts
    this.#startedAt = performance.now()
    const before = signOf(this.file)
    const worker = new WarmWorker(this.file, {
      dir,
      env,
      ...(will ? { will } : {}),
      log: (text) => log('info', `${this.file}: ${text}`),
      stuck: () => {
        const waitMs = this.#startedAt + STUCK_PAUSE_MS - performance.now()
        if (this.#worker === worker && !this.#next) void this.#replace('stuck', waitMs)
      },
      ended: (how) => this.#ended(worker, how),
    })
    try {
      const loaded = await worker.loaded
      if (this.#closed) worker.kill()
      this.#worker?.retire()
      this.#worker = worker
      const isSame = why !== 'loaded' && isDeepStrictEqual(loaded.handlers, this.#loaded.handlers)
      this.#loaded = isSame ? { ...loaded, handlers: this.#loaded.handlers } : loaded
      this.#signs = signOf(this.file) === before ? this.#look() : ''
      if (isSame && this.#problem === undefined) return worker
      this.#problem = undefined
      log('info', `${this.file} in force: ${loaded.handlers.map(({ id }) => id).join(', ')}`)
      changed()
      return worker
    } catch (error) {
      worker.kill()
      this.#problem = messageOf(error)
      log(
        'error',
        `${this.#problem}; ${this.#loaded === NOTHING ? 'it is not in force' : 'the last good version stays in force'}`,
      )
      changed()
      if (!this.#worker && this.#loaded !== NOTHING) this.#restart()
      return this.#worker
    }
  }

  #ended(worker: WarmWorker, how: string): void {
    if (this.#worker !== worker || this.#closed) return
    this.#worker = undefined
    this.#parts.log('warn', `${this.file}: its process ${how}; a new one replaces it`)
    if (!this.#next) this.#restart()
  }

  #restart(): void {
    this.#restarts = performance.now() - this.#startedAt < SOON_MS ? this.#restarts + 1 : 0
    const waitMs = this.#restarts < 2 ? 0 : backoff(this.#restarts - 1, MAX_RESTART_MS, RESTART_MS)
    void this.#replace('ended', waitMs)
  }

  #look(): string {
    return this.files.map(signOf).join()
  }
}

function signOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : ''
}
