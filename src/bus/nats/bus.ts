/**
 * The bus on NATS, as the configuration wants it, for as long as the daemon runs.
 *
 *   const nats = new NatsBus({ store, sources, log, dir, infoFile, token })
 *   nats.apply(() => natsPlan(…))   // again whenever the configuration changes
 *   await nats.status()             // { mode: 'managed', connected: true, … }
 *   await nats.stop()
 */
import { GantryError, messageOf } from '../../core/errors.ts'
import { removeInfo } from '../../core/nats-info.ts'
import { pause } from '../../core/time/waits.ts'
import type { NatsInfo } from '../../rpc/index.ts'
import type { OutboxTarget } from '../../store/index.ts'
import type { NatsPlan } from './options.ts'
import type { BusProblem } from './problem.ts'
import type { NatsRun, NatsRunParts, OnConnection } from './run.ts'
import type { NatsStatus } from './status.ts'

export type NatsBusParts = Omit<NatsRunParts, 'onConnection'>

export class NatsBus {
  readonly #parts: NatsBusParts
  readonly #onConnection = new Set<OnConnection>()
  #plan: NatsPlan = { mode: 'off', why: 'it is not planned yet' }
  #run: NatsRun | undefined
  #problem: BusProblem | undefined
  /** One change after the other. */
  #changes: Promise<void> = Promise.resolve()
  readonly #stopped = new AbortController()

  constructor(parts: NatsBusParts) {
    this.#parts = parts
  }

  /** Takes a plan over, at once or after a while; one that cannot be made leaves the bus off, and is reported. */
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

  /** The program that gantry runs as its own server; undefined where it runs none. */
  get ownServer(): string | undefined {
    return this.#plan.mode === 'managed' ? this.#plan.executable : undefined
  }

  /** Uses every connection there is from the next one on, besides the outbox. */
  onConnection(onConnection: OnConnection): void {
    this.#onConnection.add(onConnection)
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#changes
    await this.#run?.stop()
    this.#run = undefined
  }

  /** Writes nats-info.json again, for one that somebody removed. */
  tell(): void {
    this.#run?.tell()
  }

  requeued(): void {
    this.#run?.requeued()
  }

  /** Asks the server anew. */
  async refresh(): Promise<void> {
    await this.#run?.refresh()
  }

  async status(): Promise<NatsStatus> {
    await this.refresh()
    return this.glance()
  }

  /** What is known without asking. */
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

  /** Whom messages go to: nobody while it is off. */
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
    throw new GantryError('VALIDATION_ERROR', `${reason}. "gantry bus status" tells more.`)
  }

  async #change(plan: NatsPlan): Promise<void> {
    await this.#run?.stop()
    this.#run = undefined
    if (plan.mode === 'off') removeInfo(this.#parts.dir) // of a daemon that was killed
    if (plan.mode === 'off' || this.#stopped.signal.aborted) return
    const { NatsRun } = await import('./run.ts')
    this.#run = new NatsRun(plan, { ...this.#parts, onConnection: this.#onConnection })
    this.#run.start()
  }
}
