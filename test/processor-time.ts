/** Time of the processor, for tests of durations: other processes do not count, but they share its caches. */

/** A loop of this length takes 10 ms on the machine for which the limits hold; on a slower one they grow with it. */
const FLOOR_STEPS = 12_000_000
const FLOOR_MS = 10
const TRIES = 10

/**
 * The processor time of the work in milliseconds of that machine, which is below the limit or the best of a few tries:
 * the first runs of new code do not count, and the machine may be slower now than a moment ago.
 */
export function quickestMs(work: () => unknown, limitMs: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < TRIES && best >= limitMs; i++) {
    const took = processorMs(work)
    best = Math.min(best, took < limitMs ? took : took / slowness())
  }
  return best
}

function processorMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

function slowness(): number {
  let sum = 0
  const floor = processorMs(() => {
    for (let i = 0; i < FLOOR_STEPS; i++) sum = (sum * 31 + i) | 0
  })
  return Math.max(1, floor / FLOOR_MS)
}

const WATCHED_MS = 300
const PAUSE_MS = 0.5
const BUSY_SHARE = 0.1

/**
 * How long others keep a process that works off the processor at a time, in milliseconds; 0 on a quiet machine. One that
 * mostly sleeps is let in at once, so its times are no floor for one that works.
 */
export function pauseMs(): number {
  const pauses: number[] = []
  const start = performance.now()
  for (let last = start; last - start < WATCHED_MS; ) {
    const now = performance.now()
    if (now - last > PAUSE_MS) pauses.push(now - last)
    last = now
  }
  const sum = pauses.reduce((all, one) => all + one, 0)
  return sum < BUSY_SHARE * WATCHED_MS ? 0 : sum / pauses.length
}
