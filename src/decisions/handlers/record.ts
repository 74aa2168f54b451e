/** One handler, a registered command or a warm handler, and its statistics since the daemon started. */
import type { HookEvent } from '../../events/index.ts'
import type { HandlerStatus } from '../../rpc/index.ts'
import type { HandlerRow } from '../../store/index.ts'
import { Circuit } from './circuit.ts'
import type { RunResult } from './run.ts'
import { isAbout, type WarmOne } from './warm-folder.ts'

const REMEMBERED_RUNS = 200 // how long the last ones took

export class HandlerRecord {
  readonly row: HandlerRow
  /** Set for a warm handler. */
  readonly warm: WarmOne | undefined
  readonly circuit: Circuit
  running = 0
  skipped = 0
  #runs = 0
  #failures = 0
  #blocks = 0
  #garbled = 0
  #lastRunAt: number | null = null
  #lastError: { message: string; at: number } | undefined
  #took: number[] = []

  constructor(row: HandlerRow, retryMs?: number, warm?: WarmOne) {
    this.row = row
    this.warm = warm
    this.circuit = new Circuit(retryMs)
  }

  isAbout(event: HookEvent): boolean {
    return !this.warm || isAbout(this.warm.spec, event)
  }

  note(result: RunResult, tookMs: number, now: number): void {
    this.#runs += 1
    this.#lastRunAt = now
    this.#took.push(Math.round(tookMs * 1000) / 1000)
    if (this.#took.length > REMEMBERED_RUNS) this.#took.shift()
    if (result.kind === 'failed') {
      this.#failures += 1
      this.#lastError = { message: result.error, at: now }
      this.circuit.failed(now)
      return
    }
    this.circuit.succeeded()
    if (result.output.block) this.#blocks += 1
    if (!result.garbled) return
    this.#garbled += 1
    this.#lastError = { message: 'its output is not an answer that gantry understands', at: now }
  }

  status(now: number): HandlerStatus {
    const sorted = this.#took.toSorted((a, b) => a - b)
    const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? null
    return {
      ...this.row,
      kind: this.warm ? 'file' : 'command',
      circuit: this.circuit.state(now),
      retryAt: this.circuit.retryAt ?? null,
      running: this.running,
      runs: this.#runs,
      failures: this.#failures,
      blocks: this.#blocks,
      garbled: this.#garbled,
      skipped: this.skipped,
      lastRunAt: this.#lastRunAt,
      lastError: this.#lastError?.message ?? null,
      lastErrorAt: this.#lastError?.at ?? null,
      p50Ms: at(0.5),
      p95Ms: at(0.95),
      p99Ms: at(0.99),
    }
  }
}
