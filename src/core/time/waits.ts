/** Waiting: how long after a failure, and no longer than somebody wants it. */

const FIRST_MS = 1_000
const LAST_MS = 600_000
const JITTER = 0.2 // of the wait, taken off: the limit stays the limit

export type Backoff = (failures: number) => number

/** After the n-th failure: twice as long each time, up to a limit, and never all at the same moment. */
export function backoff(failures: number, lastMs = LAST_MS): number {
  const wait = Math.min(lastMs, FIRST_MS * 2 ** Math.min(failures - 1, 30))
  return Math.round(wait * (1 - JITTER * Math.random()))
}

/** Waits, but no longer than until the signal. */
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
