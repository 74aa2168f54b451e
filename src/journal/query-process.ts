/**
 * Runs long queries on the journal and on transcripts, each in a separate read-only process at low priority. A few run at
 * once, some wait in a queue, the rest is refused. A caller that hangs up ends its query.
 *
 *   const answer = await new ReadProcesses(database).ask({ sql: 'SELECT 1', limit: 10 }, signal)
 */
import type { EventQuery, PageQuery, TimelineEffort, TimelineView, TranscriptView } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import { selfCommand } from '../core/processes/self.ts'
import { EncodedAnswer } from '../rpc/index.ts'

export type ReadTask =
  | { readonly sql: string; readonly limit: number }
  | { readonly events: EventQuery; readonly limit: number }
  | { readonly transcript: TranscriptTask; readonly limit: number }
  | { readonly page: PageQuery }
  | { readonly changes: ChangesTask }
  | { readonly insights: { readonly since: number; readonly until: number } }
  | { readonly why: string; readonly places: Places }
  | { readonly rehearse: RehearseTask; readonly places: Places }
  | { readonly timeline: TimelineTask; readonly limit: number }

export interface RehearseTask {
  readonly text: string
  readonly since?: number | undefined
  readonly after?: number | undefined
}

export interface ChangesTask {
  readonly agent: string
  readonly id: string
  readonly cwd?: string
  /** The repository around the folder. */
  readonly root?: string
  /** It is a replay: its paths are of another machine or time. */
  readonly replayed?: boolean
}

export interface TimelineTask {
  readonly session: TimelineView['session']
  readonly efforts: readonly TimelineEffort[]
}

export interface TranscriptTask {
  readonly session: TranscriptView['session'] & { readonly transcriptPath?: string }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly redaction: boolean
  /** The error if there is no transcript. */
  readonly missing: string
}

export interface ReadLimits {
  readonly atOnce: number
  readonly inLine: number
  /** Together they stay below the 30 s that a caller waits for an answer. */
  readonly lineMs: number
  readonly runMs: number
}

const LIMITS: ReadLimits = { atOnce: 2, inLine: 16, lineMs: 8_000, runMs: 20_000 }
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024
const CPU_LIMIT_S = 25
export const TEMPORARY_MB = 64
export const MEMORY_MB = 1024
// Limited by the kernel, too: a killed daemon must not leave an endless query behind. SQLite's temporary files have no
// limit of their own, nor has its memory in Bun 1.4.4 (PRAGMA hard_heap_limit has no effect); the worker reports which
// limit was hit. Files in blocks of 512 bytes, memory in KB.
const BOUNDED = `ulimit -t "$0"; ulimit -f ${TEMPORARY_MB * 2048}; ulimit -d ${MEMORY_MB * 1024}; exec "$@"`

export class ReadProcesses {
  readonly #database: string
  readonly #limits: ReadLimits
  readonly #line: (() => void)[] = []
  #running = 0

  constructor(database: string, limits: Partial<ReadLimits> = {}) {
    this.#database = database
    this.#limits = { ...LIMITS, ...limits }
  }

  /** The answer as the process wrote it, without parsing megabytes only to write them again. */
  async ask(task: ReadTask, signal: AbortSignal | undefined): Promise<EncodedAnswer> {
    await this.#turn(signal)
    try {
      return await this.#run(task, signal)
    } finally {
      const next = this.#line.shift()
      if (next) next()
      else this.#running -= 1
    }
  }

  async #run(task: ReadTask, signal: AbortSignal | undefined): Promise<EncodedAnswer> {
    if (signal?.aborted) throw hungUp()
    const { runMs } = this.#limits
    const child = Bun.spawn(['sh', '-c', BOUNDED, String(CPU_LIMIT_S), ...selfCommand(), 'read-worker'], {
      cwd: '/',
      env: process.env,
      stdin: Buffer.from(JSON.stringify({ database: this.#database, ...task })),
      stdout: 'pipe',
      stderr: 'ignore',
      timeout: runMs,
      killSignal: 'SIGKILL',
      maxBuffer: OUTPUT_LIMIT_BYTES,
    })
    const end = () => child.kill('SIGKILL')
    signal?.addEventListener('abort', end)
    try {
      const bytes = Buffer.from(await new Response(child.stdout).arrayBuffer())
      await child.exited
      if (child.exitCode === 0 && bytes.at(-1) === NEWLINE) return new EncodedAnswer(bytes)
    } finally {
      signal?.removeEventListener('abort', end)
    }
    throw signal?.aborted ? hungUp() : tooMuch(task, runMs)
  }

  /** Resolves when a slot is free. */
  async #turn(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) throw hungUp()
    const { atOnce, inLine, lineMs } = this.#limits
    if (this.#running < atOnce) {
      this.#running += 1
      return
    }
    if (this.#line.length >= inLine) throw busy(`${atOnce} run and ${inLine} wait`)
    await this.#wait(signal, lineMs)
  }

  #wait(signal: AbortSignal | undefined, lineMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (error: GantryError) => {
      const at = this.#line.indexOf(resolve)
      if (at >= 0) this.#line.splice(at, 1)
      reject(error)
    }
    const hangUp = () => leave(hungUp())
    const timer = setTimeout(() => leave(busy(`this one waited ${lineMs / 1000} s`)), lineMs)
    this.#line.push(resolve)
    signal?.addEventListener('abort', hangUp)
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', hangUp)
    })
  }
}

const NEWLINE = 10

function busy(how: string): GantryError {
  return new GantryError('BUSY', `Too many queries at once: ${how}. Try again in a moment.`)
}

function hungUp(): GantryError {
  return new GantryError('HANDLER_ERROR', 'The caller hung up. Try again.')
}

function tooMuch(task: ReadTask, runMs: number): GantryError {
  const how =
    'sql' in task ? 'add a WHERE on seq, or a LIMIT' : 'ask for fewer with "limit", or "since" a time'
  return new GantryError(
    'DEADLINE',
    `The query took over ${runMs / 1000} s or returned too much. Narrow it: ${how}.`,
  )
}
