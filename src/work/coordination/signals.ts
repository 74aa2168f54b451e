/**
 * Signals for coordinators: a child is done or stuck, or there is new work. A signal that nobody waits for is stored,
 * also across restarts, so the next wait returns at once.
 */
import { within } from '../../core/time/waits.ts'
import type { SignalRows, SignalScope } from '../../store/index.ts'

export interface Signal {
  readonly kind: 'CHILD' | 'WORK'
  /** The agent or the effort it is about. */
  readonly about: string
  readonly detail?: string
  /** The effort it comes from. */
  readonly effort?: number
  readonly at: number
}

interface SentSignal extends Signal {
  /** Increases with every signal, also across restarts. */
  readonly n: number
}

type Awaited = { readonly result: 'CHILD' | 'WORK'; readonly signals: readonly SentSignal[] } | Timeout
interface Timeout {
  readonly result: 'TIMEOUT'
  readonly signals: readonly []
}

export class Signals {
  readonly #rows: SignalRows
  readonly #relaxed: (work: () => void) => void
  readonly #waiting = new Set<() => void>()

  /** Delivered signals are deleted in a relaxed transaction: after a power loss a signal may be delivered twice. */
  constructor(rows: SignalRows, relaxed: (work: () => void) => void) {
    this.#rows = rows
    this.#relaxed = relaxed
  }

  /** Runs inside the transaction of the change that it signals. Waiters look after that transaction ends. */
  send({ detail, effort, ...signal }: Signal): void {
    this.#rows.add({ ...signal, detail: detail ?? null, effortId: effort ?? null })
    for (const wake of this.#waiting) wake()
  }

  /** The signals of `scope` since the last wait, or a timeout. With `keep` they stay until they are acknowledged. */
  async wait(timeoutMs: number, keep = false, scope: SignalScope = {}): Promise<Awaited> {
    const end = performance.now() + timeoutMs
    for (;;) {
      const signals = this.#rows.all(scope).map(sentSignal)
      if (signals.length > 0) {
        if (!keep) this.heard(signals.at(-1)?.n ?? 0, scope)
        return { result: signals.some(({ kind }) => kind === 'CHILD') ? 'CHILD' : 'WORK', signals }
      }
      const left = end - performance.now()
      if (left <= 0) return { result: 'TIMEOUT', signals: [] }
      await this.#next(left) // another waiter may have taken the signal
    }
  }

  heard(upTo: number, scope: SignalScope = {}): void {
    this.#relaxed(() => this.#rows.forget(upTo, scope))
  }

  async #next(timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    await within(promise, timeoutMs)
    this.#waiting.delete(resolve)
  }
}

function sentSignal({ detail, effortId, ...row }: ReturnType<SignalRows['all']>[number]): SentSignal {
  return {
    ...row,
    ...(detail === null ? {} : { detail }),
    ...(effortId === null ? {} : { effort: effortId }),
  }
}
