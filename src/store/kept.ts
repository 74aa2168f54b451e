/** How much is kept of what. The code that deletes takes these numbers, and the words of docs/sql.md are made of them. */

const MIB = 1024 * 1024

export const KEPT = {
  /** Of finished efforts, and of sums by day. */
  longDays: 365,
  /** Messages of an effort's window. */
  windowMessages: 2_000,
  /** A busy week; only an occasion older than all of them could be notified again. */
  notifications: 2_000,
  /** Of each stream, here and on NATS. */
  streamMessages: 10_000,
  streamBytes: 100 * MIB,
  /** Older marks tell when each message was delivered. */
  outboxMarks: 1_000,
  outboxMarksDays: 1,
  /** A webhook out of the configuration keeps its place so long: a mistake in an editor costs nothing. */
  unconfiguredWebhookDays: 1,
  /** Of each target. */
  deadLetters: 1_000,
  /** With nobody waiting, a later coordinator only needs the current state. */
  signals: 100,
  /** A hostile payload may invent a field name per event. */
  counters: 5_000,
  baselines: 64,
  acceptedDrifts: 500,
} as const

/** `2,000`. Without Intl, which takes milliseconds when the daemon starts. */
export function many(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `a day`, `a year`, `3 days`. */
export function days(count: number): string {
  return count === 1 ? 'a day' : count === 365 ? 'a year' : `${many(count)} days`
}

/** `100 MiB`. */
export function mebibytes(bytes: number): string {
  return `${many(bytes / MIB)} MiB`
}
