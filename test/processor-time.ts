/** Time of the processor, for tests of durations: other processes do not count. */

/** A loop of this length takes 10 ms on the machine for which the limits hold; on a slower one they grow with it. */
const FLOOR_STEPS = 12_000_000
const FLOOR_MS = 10

/** The best of a few: the first runs of new code do not count either. */
export function bestMs(work: () => unknown, times: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < times; i++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}

export function slowness(): number {
  let sum = 0
  const floor = bestMs(() => {
    for (let i = 0; i < FLOOR_STEPS; i++) sum = (sum * 31 + i) | 0
  }, 5)
  return Math.max(1, floor / FLOOR_MS)
}
