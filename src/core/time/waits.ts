/** Waiting: back-off after failures, and a sleep that a signal can end. */

const FIRST_MS = 1_000
const LAST_MS = 600_000
const JITTER = 0.2 // subtracted from the wait, so the limit holds

export type Backoff = (failures: number) => number

/** Exponential back-off with jitter: the wait after the n-th failure. */
export function backoff(failures: number, lastMs = LAST_MS): number {
  const wait = Math.min(lastMs, FIRST_MS * 2 ** Math.min(failures - 1, 30))
  return Math.round(wait * (1 - JITTER * Math.random()))
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
