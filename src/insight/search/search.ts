/**
 * Search in the daemon. A separate process maintains the index and answers queries. It starts when there is work, is
 * killed when it hangs, and ends when idle. On the hook path this costs one look at a timer.
 *
 *   search.committed()
 *   await search.ask({ text: 'retry', order: 'newest', limit: 20 })
 */
import { type ErrorCode, GantryError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { LineProcess } from '../../core/processes/line-process.ts'
import { selfCommand } from '../../core/processes/self.ts'
import { Alarm } from '../../core/time/alarm.ts'
import { backoff } from '../../core/time/waits.ts'
import type { SearchAnswer, SearchQuery } from '../../rpc/index.ts'
import type { FromWorker, ToWorker, WorkerPlaces } from './worker.ts'

export interface SearchParts {
  readonly places: WorkerPlaces
  readonly log: Log
  readonly enabled: () => boolean
  readonly lastSeq: () => number
  /** How the process is started; tests replace it. */
  readonly command?: readonly string[]
  readonly limits?: Partial<Limits>
}

interface Limits {
  /** Delay after a commit, and throttle under steady load. */
  readonly tellMs: number
  /** The same while there is no process: a start costs as much as ten hooks, and whoever asks starts it at once. */
  readonly startMs: number
  /** After this silence an idle process ends to free its memory, and a busy one counts as stuck. */
  readonly idleMs: number
  /** For an answer, and before it for a process to start. */
  readonly askMs: number
}

const LIMITS: Limits = { tellMs: 1_000, startMs: 5_000, idleMs: 30_000, askMs: 10_000 }
const END_MS = 250 // to finish a slice; a killed slice is done again
const MAX_ASKED = 64
const MAX_PAUSE_MS = 60_000
const FAILURES_TO_TELL = 3

interface Asked {
  readonly resolve: (answer: SearchAnswer) => void
  readonly reject: (error: Error) => void
  readonly timer: ReturnType<typeof setTimeout>
}

export class Search {
  readonly #parts: SearchParts
  readonly #limits: Limits
  readonly #asked = new Map<number, Asked>()
  readonly #worker: LineProcess<ToWorker, FromWorker>
  readonly #tell = new Alarm(() => this.#grown())
  readonly #watch = new Alarm(() => this.#rest())
  /** Its process has said that it is ready. */
  #isUp = false
  #told = 0
  #at = 0
  #lastAsked = 0
  #failures = 0
  #notBefore = 0
  #trouble = ''
  #closed = false

  constructor(parts: SearchParts) {
    this.#parts = parts
    this.#limits = { ...LIMITS, ...parts.limits }
    this.#worker = new LineProcess({
      argv: parts.command ?? [...selfCommand(), 'search-worker'],
      open: () => this.#opened(),
      heard: (message) => this.#hear(message),
      failed: (why) => this.#fail(why),
    })
    if (parts.lastSeq() > 0) this.committed() // work left by the previous daemon
  }

  /** For doctor; set only after repeated failures. */
  get problem(): string | undefined {
    return this.#failures >= FAILURES_TO_TELL ? this.#trouble : undefined
  }

  /** The pid of its process, if it runs. */
  get pid(): number | undefined {
    return this.#worker.pid
  }

  /** The last sequence known to be indexed. */
  get at(): number {
    return this.#at
  }

  /** Called after each commit, once the replies were sent. */
  committed(): void {
    const { tellMs, startMs } = this.#limits
    if (!this.#tell.isSet) this.#tell.within(this.pid === undefined ? startMs : tellMs)
  }

  ask(query: SearchQuery): Promise<SearchAnswer> {
    if (!this.#parts.enabled()) {
      const message = 'Search is off. Set enabled = true under [search] in gantry.toml.'
      return Promise.reject(new GantryError('VALIDATION_ERROR', message))
    }
    if (this.#closed || this.#asked.size >= MAX_ASKED) {
      const message = this.#closed ? 'The daemon is stopping.' : 'Too many searches at once. Try again.'
      return Promise.reject(new GantryError('HANDLER_ERROR', message))
    }
    return new Promise((resolve, reject) => {
      const id = ++this.#lastAsked
      const timer = setTimeout(() => this.#tooLong(id), this.#limits.askMs)
      this.#asked.set(id, { resolve, reject, timer })
      this.#worker.say({ ask: id, query })
      this.#watchOver()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#tell.clear()
    this.#watch.clear()
    this.#refuse('The daemon is stopping.')
    await this.#worker.end(END_MS)
  }

  #opened(): ToWorker {
    this.#isUp = false
    this.#watch.reset(this.#limits.idleMs)
    return { open: this.#parts.places }
  }

  #grown(): void {
    if (this.#closed || !this.#parts.enabled()) return
    const restMs = this.#notBefore - performance.now()
    if (restMs > 0) {
      this.#tell.within(restMs)
      return
    }
    const isBusy = this.#at < this.#told // then only what it says is a sign of life: hooks may come every second
    this.#told = this.#parts.lastSeq()
    this.#worker.say({ grown: this.#told })
    if (!isBusy) this.#watchOver()
  }

  #hear(message: FromWorker): void {
    if ('ready' in message) this.#ready()
    else if ('answer' in message) this.#answered(message)
    else if ('trouble' in message) this.#note(message.trouble)
    else if ('at' in message) {
      this.#at = message.at
      if (message.at >= this.#told) this.#failures = 0
    }
    if (this.pid !== undefined) this.#watchOver()
  }

  /** The start of the process is no part of the time that an answer may take. */
  #ready(): void {
    this.#isUp = true
    for (const { timer } of this.#asked.values()) timer.refresh()
  }

  #answered(message: Extract<FromWorker, { answer: number }>): void {
    const asked = this.#asked.get(message.answer)
    if (!asked) return
    this.#asked.delete(message.answer)
    clearTimeout(asked.timer)
    if (message.ok) asked.resolve(message.data as SearchAnswer)
    else asked.reject(new GantryError(message.code as ErrorCode, message.message))
  }

  /** What it is told while it starts is no sign of life. */
  #watchOver(): void {
    if (!this.#closed && this.#isUp) this.#watch.reset(this.#limits.idleMs)
  }

  #rest(): void {
    if (this.pid === undefined) return
    if (this.#isUp && (this.#at >= this.#told || this.#failures > 0)) this.#worker.hangUp()
    else {
      this.#worker.kill()
      const did = this.#isUp ? 'did nothing for' : 'did not start within'
      this.#fail(`its process ${did} ${this.#limits.idleMs / 1000} s`)
    }
  }

  #tooLong(id: number): void {
    if (!this.#isUp) {
      // It goes on, so that the next search finds it started.
      this.#reject(id, 'Search is still starting. Try again in a moment.')
      return
    }
    this.#worker.kill()
    this.#reject(
      id,
      'The search took too long. Look for rarer words, or narrow it with --since or --session.',
    )
    this.#refuse('This search was stopped because one before it took too long. Try again.')
    if (this.#at < this.#told) this.committed()
  }

  #fail(trouble: string): void {
    this.#note(trouble)
    this.#refuse(`The search failed: ${trouble}. Try again; "gantry doctor" says more.`)
  }

  #note(trouble: string): void {
    this.#failures += 1
    this.#trouble = trouble
    this.#notBefore = performance.now() + backoff(this.#failures, MAX_PAUSE_MS)
    if (this.#failures <= FAILURES_TO_TELL) this.#parts.log.warn('search', trouble)
    if (!this.#closed) this.committed()
  }

  #refuse(message: string): void {
    for (const id of this.#asked.keys()) this.#reject(id, message)
  }

  #reject(id: number, message: string): void {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    clearTimeout(asked?.timer)
    asked?.reject(new GantryError('HANDLER_ERROR', message))
  }
}
