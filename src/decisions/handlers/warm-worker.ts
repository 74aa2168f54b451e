/**
 * The daemon's side of the process that runs one file of warm handlers. A process, not a thread: a thread that calls
 * process.abort() or exhausts the memory ends the daemon, too. None of its failures throws in the daemon.
 *
 *   const worker = new WarmWorker('/…/handlers/no-push.ts', place)
 *   const { handlers } = await worker.loaded        // rejects with the file's error and its line
 *   await worker.ask(0, { event, session }, 1_000)  // { kind: 'said', output }, or the failure
 */
import { ChildLines, LINES_FD } from '../../core/processes/child-lines.ts'
import { killGroup } from '../../core/processes/exec.ts'
import { statOf } from '../../core/processes/proc.ts'
import { selfCommand } from '../../core/processes/self.ts'
import type { HookEvent } from '../../events/index.ts'
import { outputIn } from './handler-output.ts'
import { type ProcessReaper, SIGN_IN } from './process-reaper.ts'
import type { RunResult } from './run.ts'

/** A handler's options, with defaults. */
export interface WarmSpec {
  readonly id: string
  readonly on: readonly string[]
  readonly tool?: readonly string[]
  readonly agent?: readonly string[]
  readonly priority: number
  readonly timeoutMs: number
  readonly onFailure: 'open' | 'closed'
  /** Options that there are not. */
  readonly strange?: readonly string[]
}

export interface Loaded {
  readonly handlers: readonly WarmSpec[]
  /** The user's source files, without packages: a change of one reloads the file. */
  readonly files: readonly string[]
}

export interface Question {
  readonly event: HookEvent
  /** As `sessions.get` gives it. */
  readonly session: object | undefined
}

export type ToWorker =
  | { readonly ask: number; readonly handler: number; readonly limitMs: number; readonly question: Question }
  | { readonly ping: number }

export type FromWorker =
  | { readonly loaded: Loaded }
  /** The file's error, with file and line. */
  | { readonly refused: string }
  | { readonly said: number; readonly output: Readonly<Record<string, unknown>> }
  | { readonly failed: number; readonly error: string }
  | { readonly log: string }
  | { readonly pong: number }

export interface WarmPlace {
  /** The working folder; not in a repository, whose files could take precedence. */
  readonly dir: string
  readonly env: Readonly<Record<string, string>>
  readonly log: (text: string) => void
  /** Kills it if the daemon cannot. */
  readonly will?: ProcessReaper
  /** Called when its event loop is stuck. */
  readonly stuck?: () => void
  /** Called when it ended by itself, or was stuck until a timeout. */
  readonly ended?: (how: string) => void
}

/** `ended`: its process ended meanwhile; `alone`: nothing else was running, so this event is the cause. */
type WarmResult = RunResult | { readonly kind: 'ended'; readonly how: string; readonly alone: boolean }

interface Asked {
  readonly resolve: (result: WarmResult) => void
  readonly limitMs: number
  readonly end: number
}

const LOAD_LIMIT_MS = 5_000
const LOOK_MS = 20 // while an event waits
const STUCK_MS = 40 // a running event loop answers sooner
const BUSY_TICKS = 2 // of 10 ms; a pong takes a fraction of one
const MEMORY_KB = 1024 * 1024 // of data; the kernel kills a process that needs more
const MAX_STDERR_CHARS = 4_000
/** Bun can report crashes to its vendor; nothing may leave the machine. */
const QUIET = { DO_NOT_TRACK: '1', BUN_ENABLE_CRASH_REPORTING: '0' }
/** If memory is short, the kernel kills it before any agent. */
const START = `${SIGN_IN}ulimit -d ${MEMORY_KB}; echo 1000 2>/dev/null >/proc/self/oom_score_adj; exec "$0" "$@"`

export class WarmWorker {
  readonly file: string
  readonly loaded: Promise<Loaded>
  readonly #place: WarmPlace
  readonly #child: Bun.Subprocess<'ignore', 'ignore', 'pipe'>
  readonly #lines: ChildLines
  readonly #asked = new Map<number, Asked>()
  readonly #loading = Promise.withResolvers<Loaded>()
  #last = 0
  #look: ReturnType<typeof setInterval> | undefined
  /** When a ping was sent that has no answer yet. */
  #pinged: number | undefined
  /** The processor time it had used by then. */
  #ticks = 0
  #looked = 0
  #stuck = false
  #isRetired = false
  #isOver = false
  #stderr = ''

  constructor(file: string, place: WarmPlace) {
    this.file = file
    this.#place = place
    this.loaded = this.#loading.promise
    this.loaded.catch(() => {}) // the caller may await it later
    const line = place.will?.line()
    const argv = [...selfCommand(), 'handler-worker', file]
    this.#child = Bun.spawn(line === undefined ? argv : ['/bin/sh', '-c', START, ...argv], {
      cwd: place.dir,
      env: { ...place.env, ...QUIET, GANTRY_HANDLER: '1' },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', line ?? 'ignore', 'pipe'],
      serialization: 'json', // quicker than `advanced`: npm run bench -- handler
      ipc: () => {}, // only for questions
    })
    this.#child.unref()
    this.#lines = new ChildLines(this.#child.stdio[LINES_FD] as number, (message) =>
      this.#hear(message as FromWorker),
    )
    place.will?.add(this.#child.pid)
    void this.#listen()
    const limit = setTimeout(() => {
      this.#loading.reject(new Error(`${file}: is not loaded after ${LOAD_LIMIT_MS / 1000} s`))
      this.kill()
    }, LOAD_LIMIT_MS)
    void this.loaded.catch(() => {}).finally(() => clearTimeout(limit))
  }

  get isStuck(): boolean {
    return this.#stuck
  }

  get pid(): number {
    return this.#child.pid
  }

  /** Resolves no later than the limit. */
  ask(handler: number, question: Question, limitMs: number): Promise<WarmResult> {
    if (this.#isOver) return Promise.resolve({ kind: 'ended', how: 'it was ended', alone: false })
    return new Promise((resolve) => {
      const id = ++this.#last
      this.#asked.set(id, { resolve, limitMs, end: performance.now() + limitMs })
      this.#look ??= setInterval(() => this.#watch(), LOOK_MS)
      this.#say({ ask: id, handler, limitMs: Math.ceil(limitMs), question })
    })
  }

  /** Takes what it has said by now. */
  read(): void {
    if (this.#asked.size > 0) this.#lines.read()
  }

  /** Ends after its pending answers. If it is stuck, events behind the first are handed back. */
  retire(): void {
    this.#isRetired = true
    const waiting = this.#stuck ? [...this.#asked.keys()].slice(1) : []
    for (const id of waiting) this.#settle(id, { kind: 'ended', how: 'its process is stuck', alone: false })
    this.#rest()
  }

  kill(): void {
    this.#over('its process was ended', false)
  }

  #say(message: ToWorker): void {
    try {
      this.#child.send(message)
    } catch {
      // It has ended; `#listen` handles that.
    }
  }

  #hear(message: FromWorker): void {
    if ('pong' in message) {
      this.#pinged = undefined
      this.#stuck = false
    } else if ('log' in message) this.#place.log(message.log)
    else if ('loaded' in message) this.#loading.resolve(message.loaded)
    else if ('refused' in message) this.#loading.reject(new Error(message.refused))
    else if ('said' in message) {
      const output = outputIn(message.output)
      const failed = { kind: 'failed', error: 'gantry does not understand its answer' } as const
      const approve = message.output.approve === true ? ({ approve: true } as const) : {}
      this.#settle(
        message.said,
        output ? { kind: 'said', output: { ...output, ...approve }, garbled: false } : failed,
      )
    } else this.#settle(message.failed, { kind: 'failed', error: message.error })
  }

  #settle(id: number, result: WarmResult): void {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    asked?.resolve(result)
    this.#rest()
  }

  /** Stops the timer if nothing is pending. */
  #rest(): void {
    if (this.#asked.size > 0) return
    if (this.#isRetired) this.kill()
    else if (this.#pinged !== undefined) return // an event timed out: is the loop still running?
    clearInterval(this.#look)
    this.#look = undefined
  }

  #watch(): void {
    const now = performance.now()
    const isLate = now - this.#looked > 2 * LOOK_MS // this process stood still, and a pong may wait to be read
    this.#looked = now
    if (this.#pinged === undefined) {
      if (this.#asked.size > 0) {
        this.#pinged = now
        this.#ticks = statOf(this.pid)?.ticks ?? 0
        this.#say({ ping: 0 })
      }
    } else if (now - this.#pinged > STUCK_MS && !this.#stuck && !isLate && !this.#isStarved()) {
      this.#stuck = true
      this.#place.stuck?.()
    }
    const late = [...this.#asked].filter(([, { end }]) => now >= end)
    for (const [id, { limitMs }] of late)
      this.#settle(id, { kind: 'failed', error: `did not answer within ${Math.round(limitMs)} ms` })
    if (late.length > 0 && this.#stuck) {
      this.kill()
      this.#place.ended?.('was stuck and was killed')
    } else this.#rest()
  }

  /** It could run and does not get the processor: on a busy machine that is not its fault. */
  #isStarved(): boolean {
    const stat = statOf(this.pid)
    return stat?.state === 'R' && stat.ticks - this.#ticks < BUSY_TICKS
  }

  async #listen(): Promise<void> {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of this.#child.stderr)
        this.#stderr = (this.#stderr + decoder.decode(chunk, { stream: true })).slice(-MAX_STDERR_CHARS)
    } catch {
      // its end is handled below
    }
    await this.#child.exited
    this.#ended()
  }

  #ended(): void {
    this.#lines.read() // its last words
    if (this.#isOver) return
    const { signalCode, exitCode } = this.#child
    const how = signalCode ? `was ended by ${signalCode}` : `ended with exit code ${exitCode}`
    const lines = this.#stderr.split('\n').filter((line) => /\w/.test(line))
    const why = lines.find((line) => /panic|error|assert|memory/i.test(line)) ?? lines.at(0) ?? ''
    this.#over(`its process ${how}${why === '' ? '' : `: ${why.slice(0, 300)}`}`, this.#asked.size === 1)
    this.#place.ended?.(how)
  }

  /** `alone`: it ended by itself with one pending event, which is the cause. */
  #over(how: string, alone: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#look)
    killGroup(this.pid)
    this.#place.will?.delete(this.pid)
    this.#loading.reject(new Error(`${this.file}: ${how}, while it was loaded`))
    for (const { resolve } of this.#asked.values()) resolve({ kind: 'ended', how, alone })
    this.#asked.clear()
  }
}
