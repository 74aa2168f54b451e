/**
 * How often a test plays what is random, or how much it piles up: a little with `npm test`, a lot with
 * `npm run test:long`, which runs just the files that import this. `npm run test:long -- --times 25` is for a long night,
 * `--times 0.2` for a minute.
 *
 *   const ROUNDS = rounds(20, 200)
 */
const times = Number(process.env.GANTRY_TEST_TIMES ?? 0)

export const isLong = times > 0

export function rounds(short: number, long: number): number {
  return isLong ? Math.max(short, Math.ceil(long * times)) : short
}

/** The limit of a test that plays rounds. */
export function limitMs(count: number, eachMs: number): number {
  return Math.max(120_000, count * eachMs)
}
