/**
 * What a coordinator waits for: a child that is done or stuck, or new work. A signal that comes while nobody waits is
 * kept, so that the next wait returns at once.
 */
export interface Signal {
  readonly kind: 'CHILD' | 'WORK'
  /** The agent or the effort it is about. */
  readonly about: string
  readonly detail?: string
  readonly at: number
}

export interface SentSignal extends Signal {
  /** Grows with every signal, also over restarts. */
  readonly n: number
}

export type Awaited = { readonly result: 'CHILD' | 'WORK'; readonly signals: readonly SentSignal[] } | Timeout
interface Timeout {
  readonly result: 'TIMEOUT'
  readonly signals: readonly []
}

const MAX_KEPT = 100

export class Signals {
  #kept: SentSignal[] = []
  #last = Date.now()
  readonly #waiting = new Set<() => void>()

  send(signal: Signal): void {
    this.#last += 1
    this.#kept.push({ ...signal, n: this.#last })
    if (this.#kept.length > MAX_KEPT) this.#kept.shift()
    for (const wake of this.#waiting) wake()
  }

  /** The signals since the last wait, or that nothing came. With `keep` they stay until they were heard. */
  async wait(timeoutMs: number, keep = false): Promise<Awaited> {
    const end = performance.now() + timeoutMs
    while (this.#kept.length === 0) {
      const left = end - performance.now()
      if (left <= 0) return { result: 'TIMEOUT', signals: [] }
      await this.#next(left) // somebody else who waited may have taken what came
    }
    const signals = [...this.#kept]
    if (!keep) this.#kept = []
    return { result: signals.some(({ kind }) => kind === 'CHILD') ? 'CHILD' : 'WORK', signals }
  }

  heard(upTo: number): void {
    this.#kept = this.#kept.filter(({ n }) => n > upTo)
  }

  #next(timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, timeoutMs)
    this.#waiting.add(resolve)
    return promise.finally(() => {
      clearTimeout(timer)
      this.#waiting.delete(resolve)
    })
  }
}
