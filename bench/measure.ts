/**
 * Samples, percentiles, and the format of a result. Floors are measured in the same run: only ratios are comparable.
 */
export interface Result {
  readonly name: string
  readonly unit: string
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly n: number
  /** The same measurement of the minimal program for the job, here and now. */
  readonly floor: number
  readonly ratio: number
  /** What the floor is. */
  readonly against: string
  readonly [extra: string]: unknown
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function spread(samples: readonly number[]): { p50: number; p95: number; p99: number; n: number } {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (share: number) => round(percentile(sorted, share))
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), n: sorted.length }
}

export function median(samples: readonly number[]): number {
  return spread(samples).p50
}

export function round(value: number): number {
  return Number(value.toPrecision(4))
}

/** A result whose ratio says how many times the floor it takes. */
export function versus(
  name: string,
  unit: string,
  samples: readonly number[],
  floor: readonly number[],
  against: string,
): Result {
  const ours = spread(samples)
  const base = median(floor)
  return { name, unit, ...ours, floor: base, ratio: round(ours.p50 / base), against }
}
