/** Waiting: back-off after failures, a sleep that a signal can end, work with a time limit, looking until something is so. */

const FIRST_MS = 1_000
const LAST_MS = 600_000
const JITTER = 0.2 // subtracted from the wait, so the limit holds

export type Backoff = (failures: number) => number

/** The n-th wait of those that double, up to the last. */
export function doubled(n: number, lastMs: number, firstMs: number): number {
  return Math.min(lastMs, firstMs * 2 ** Math.min(n - 1, 30))
}

/** Exponential back-off with jitter: the wait after the n-th failure. */
export function backoff(failures: number, lastMs = LAST_MS, firstMs = FIRST_MS): number {
  return Math.round(doubled(failures, lastMs, firstMs) * (1 - JITTER * Math.random()))
}

/** Sleeps until the time is up or the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
  })
}

/** What `work` gives, or undefined if the time is up before. Leaves no timer behind. */
export function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Looks again and again until there is something, or the time is up. Gives what the last look gave. */
export async function until<T>(look: () => T | Promise<T>, limitMs: number, everyMs: number): Promise<T> {
  const end = performance.now() + limitMs
  for (;;) {
    const found = await look()
    if (found || performance.now() >= end) return found
    await pause(everyMs)
  }
}
