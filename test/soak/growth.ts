/**
 * Whether something grows: a line through the samples of a window. It grows if the line rises by more than the limit, and by
 * more than three times what chance makes of so few independent values.
 */
import { SPARED_SHARE } from './chaos/plan.ts'
import type { Sample } from './samples.ts'

const LEAST_GROWTH = { mb: 16, fds: 16 } as const
const GROWTH_SHARE = 0.15 // of the mean
/** Of the daemon at any moment: a short run is judged by this alone. */
export const MOST_DAEMON_MB = 300
const WARM_SECONDS = 60 // a young daemon still loads, compiles and fills its caches
const SHORTEST_SECONDS = 120
const FEWEST_INDEPENDENT = 5
const ALIKE_SECONDS = 30 // samples of one life that are closer count as one

export const SHORT = 'too short to judge'

export interface Growth {
  readonly what: string
  readonly unit: string
  readonly mean: number
  /** Over the window, by the line. */
  readonly by: number
  readonly chance: number
  readonly limit: number
  readonly seconds: number
  readonly verdict: 'flat' | 'grows' | typeof SHORT
}

type Column = 'daemonMb' | 'childrenMb' | 'natsMb' | 'daemonFds' | 'natsFds'
const COLUMNS: Readonly<Record<Column, [what: string, unit: 'mb' | 'fds']>> = {
  daemonMb: ["the daemon's memory", 'mb'],
  childrenMb: ["memory of the daemon's processes", 'mb'],
  natsMb: ["the server's memory", 'mb'],
  daemonFds: ["the daemon's descriptors", 'fds'],
  natsFds: ["the server's descriptors", 'fds'],
}

/** Twice for each: in the second half of the restarts, and in the second half of the one life at the end that is spared. */
export function growths(samples: readonly Sample[]): Growth[] {
  const end = samples.at(-1)?.at ?? 0
  const spared = end * (1 - SPARED_SHARE)
  const restarts = samples.filter(({ at }) => at >= spared / 2 && at <= spared)
  const last = samples.at(-1)?.pid
  const late = (spared + end) / 2
  const life = samples.filter(({ at, pid, age }) => at > late && pid === last && age >= WARM_SECONDS)
  return (Object.keys(COLUMNS) as Column[]).flatMap((column) => [
    growth(
      `${COLUMNS[column][0]}, over restarts`,
      column,
      restarts,
      new Set(restarts.map(({ pid }) => pid)).size,
    ),
    growth(`${COLUMNS[column][0]}, in one life`, column, life, (end - late) / ALIKE_SECONDS),
  ])
}

function growth(what: string, column: Column, window: readonly Sample[], independent: number): Growth {
  const values = window.filter((one) => one[column] > 0)
  const unit = COLUMNS[column][1]
  const seconds = (values.at(-1)?.at ?? 0) - (values[0]?.at ?? 0)
  const { mean, slope, error } = line(values.map((one) => [one.at, one[column]]))
  const chance = error * seconds * Math.sqrt(Math.max(1, values.length / Math.max(independent, 1)))
  const limit = Math.max(LEAST_GROWTH[unit], mean * GROWTH_SHARE)
  const by = slope * seconds
  const isShort = seconds < SHORTEST_SECONDS || independent < FEWEST_INDEPENDENT
  const verdict = isShort ? SHORT : by > limit && by > 3 * chance ? 'grows' : 'flat'
  return { what, unit: unit === 'mb' ? 'MB' : '', mean, by, chance, limit, seconds, verdict }
}

/** Least squares; `error` is the standard error of the slope. */
export function line(points: readonly (readonly [x: number, y: number])[]): {
  mean: number
  slope: number
  error: number
} {
  const n = points.length
  if (n === 0) return { mean: 0, slope: 0, error: 0 }
  const [x0, y0] = [0, 1].map((i) => points.reduce((sum, point) => sum + (point[i] ?? 0), 0) / n) as [
    number,
    number,
  ]
  const xx = points.reduce((sum, [x]) => sum + (x - x0) ** 2, 0)
  if (n < 3 || xx === 0) return { mean: y0, slope: 0, error: 0 }
  const slope = points.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0) / xx
  const rest = points.reduce((sum, [x, y]) => sum + (y - y0 - slope * (x - x0)) ** 2, 0)
  return { mean: y0, slope, error: Math.sqrt(rest / (n - 2) / xx) }
}
