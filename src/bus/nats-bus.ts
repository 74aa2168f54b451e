/**
 * The bus on NATS as configured, for the lifetime of the daemon.
 *
 *   const nats = new NatsBus({ store, sources, log, dir, infoFile, token })
 *   nats.apply(() => natsPlan(…))   // again whenever the configuration changes
 *   await nats.status()             // { mode: 'managed', connected: true, … }
 *   await nats.stop()
 */

import { removeInfo } from '../client/nats-info.ts'
import { GantryError, messageOf } from '../core/errors.ts'
import { pause } from '../core/time/waits.ts'
import type { NatsInfo, NatsStatus } from '../rpc/index.ts'
import type { OutboxTarget } from '../store/index.ts'
import type { OnConnection } from './nats/link.ts'
import type { NatsPlan } from './nats/options.ts'
import type { BusProblem } from './nats/problem.ts'
import type { NatsRun, NatsRunParts } from './nats-run.ts'

type NatsBusParts = Omit<NatsRunParts, 'listeners'>

export class NatsBus {
  readonly #parts: NatsBusParts
  readonly #listeners = new Set<OnConnection>()
  #plan: NatsPlan = { mode: 'off', why: 'it is not planned yet' }
  #run: NatsRun | undefined
  #problem: BusProblem | undefined
  /** Serializes changes. */
  #changes: Promise<void> = Promise.resolve()
  readonly #stopped = new AbortController()

  constructor(parts: NatsBusParts) {
    this.#parts = parts
  }

  /** Applies a plan, at once or after a delay. A plan that fails leaves the bus off and is reported. */
  apply(makePlan: () => NatsPlan, afterMs = 0): void {
    let plan: NatsPlan
    try {
      plan = makePlan()
      this.#problem = undefined
    } catch (error) {
      plan = { mode: 'off', why: messageOf(error) }
      this.#problem = { level: 'fail', message: messageOf(error) }
      this.#parts.log.error('nats', messageOf(error))
    }
    if (Bun.deepEquals(plan, this.#plan)) return
    this.#plan = plan
    this.#changes = this.#changes
      .then(() => pause(afterMs, this.#stopped.signal))
      .then(() => this.#change(plan))
      .catch((error) => {
        this.#problem = { level: 'fail', message: `NATS cannot be used: ${messageOf(error)}` }
        this.#parts.log.error('nats', messageOf(error))
      })
  }

  /** The nats-server executable that gantry runs itself; undefined if it runs none. */
  get ownServer(): string | undefined {
    return this.#plan.mode === 'managed' ? this.#plan.executable : undefined
  }

  /** Registers another user of every future connection, besides the outbox. */
  listen(onConnection: OnConnection): void {
    this.#listeners.add(onConnection)
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#changes
    await this.#run?.stop()
    this.#run = undefined
  }

  /** Writes nats-info.json again after somebody removed it. */
  writeInfoFile(): void {
    this.#run?.writeInfoFile()
  }

  requeued(): void {
    this.#run?.requeued()
  }

  /** Asks the server again. */
  async refresh(): Promise<void> {
    await this.#run?.refresh()
  }

  async status(): Promise<NatsStatus> {
    await this.refresh()
    return this.glance()
  }

  /** The last known status, without asking the server. */
  glance(): NatsStatus {
    if (this.#run) return this.#run.status()
    return {
      mode: this.#plan.mode,
      why: this.#plan.mode === 'off' ? this.#plan.why : 'it is just starting',
      connected: false,
      url: null,
      serverVersion: null,
      serverPid: null,
      problem: this.#problem?.message ?? null,
      streams: [],
    }
  }

  /** The outbox targets; empty while it is off. */
  targets(): OutboxTarget[] {
    return this.#run?.targets() ?? []
  }

  problems(): BusProblem[] {
    return [...(this.#problem ? [this.#problem] : []), ...(this.#run?.problems() ?? [])]
  }

  info(): NatsInfo {
    const info = this.#run?.info
    const { mode, why, problem, connected } = this.glance()
    if (info && connected) return info
    const reason =
      mode === 'off' ? `NATS is off: ${why}` : `NATS is not there yet: ${problem ?? why ?? 'it is starting'}`
    throw new GantryError('VALIDATION_ERROR', `${reason}. See: gantry bus status`)
  }

  async #change(plan: NatsPlan): Promise<void> {
    await this.#run?.stop()
    this.#run = undefined
    // A killed daemon may have left both.
    if (plan.mode === 'off') removeInfo(this.#parts.dir)
    if (plan.mode !== 'managed')
      await (await import('./nats/server-process.ts')).endLeftServer(this.#parts.dir, this.#parts.log)
    if (plan.mode === 'off' || this.#stopped.signal.aborted) return
    const { NatsRun } = await import('./nats-run.ts')
    this.#run = new NatsRun(plan, { ...this.#parts, listeners: this.#listeners })
    this.#run.start()
  }
}
