/**
 * The way to NATS, on the disk: how far each stream was delivered, what was known of the stream there, and which
 * messages it would not take. Nothing is copied here; the journal has the messages.
 */
import type { Database } from 'bun:sqlite'
import type { Delivery } from './deliveries.ts'

const TARGET = 'jetstream'
const KEPT_MARKS = 1_000
const KEPT_MS = 24 * 3_600_000

const COLUMNS = `target, stream, seq, id, session_id AS sessionId, attempt_count AS attemptCount,
  next_attempt_at AS nextAttemptAt, last_error AS lastError, dead_at AS deadAt`

/** Whom messages of a stream go to now, and how that goes. */
export interface OutboxTarget {
  readonly target: string
  readonly stream: string
  /** In a row that failed. */
  readonly attempts: number
  readonly nextAttemptAt: number | null
  readonly lastError: string | null
  /** Since when the oldest of those under way is. */
  readonly lockedAt: number | null
  /** Sequences that are under way. */
  readonly locked: readonly number[]
}

export class OutboxRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Everything up to here is delivered; undefined before the first time. */
  mark(stream: string): number | undefined {
    return (
      this.#db
        .query<{ seq: number | null }, [string, string]>(
          'SELECT max(seq) AS seq FROM outbox_marks WHERE target = ? AND stream = ?',
        )
        .get(TARGET, stream)?.seq ?? undefined
    )
  }

  /** How far the slowest of all targets of a stream has come; infinity when there is none. */
  leastMark(stream: string): number {
    return (
      this.#db
        .query<{ seq: number | null }, [string]>(
          `SELECT min(seq) AS seq FROM (SELECT max(seq) AS seq FROM outbox_marks WHERE stream = ? GROUP BY target)`,
        )
        .get(stream)?.seq ?? Number.POSITIVE_INFINITY
    )
  }

  /** Inside a transaction of the caller's, like all that writes here. The marks before it say when what was delivered. */
  setMark(stream: string, seq: number, at: number): void {
    this.#db
      .query<unknown, [string, string, number, number]>(
        'INSERT OR IGNORE INTO outbox_marks (target, stream, seq, at) VALUES (?, ?, ?, ?)',
      )
      .run(TARGET, stream, seq, at)
  }

  /** What was after this has to be delivered again. */
  rewind(stream: string, seq: number, at: number): void {
    this.#db
      .query<unknown, [string, string, number]>(
        'DELETE FROM outbox_marks WHERE target = ? AND stream = ? AND seq > ?',
      )
      .run(TARGET, stream, seq)
    this.setMark(stream, seq, at)
  }

  /** Deletes marks that are a day old, or over a thousand; the newest always stays. */
  prune(stream: string, now: number): void {
    this.#db
      .query<unknown, [string, string, number, string, string, string, string]>(
        `DELETE FROM outbox_marks WHERE target = ? AND stream = ?
            AND (at < ? OR seq <= (SELECT seq FROM outbox_marks WHERE target = ? AND stream = ?
                                    ORDER BY seq DESC LIMIT 1 OFFSET ${KEPT_MARKS}))
            AND seq < (SELECT max(seq) FROM outbox_marks WHERE target = ? AND stream = ?)`,
      )
      .run(TARGET, stream, now - KEPT_MS, TARGET, stream, TARGET, stream)
  }

  /** Inside a transaction of the caller's: these and no others. */
  setTargets(targets: readonly OutboxTarget[]): void {
    this.#db.exec('DELETE FROM outbox_targets')
    const put = this.#db.query<unknown, (string | number | null)[]>(
      'INSERT OR REPLACE INTO outbox_targets VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    for (const { target, stream, attempts, nextAttemptAt, lastError, lockedAt, locked } of targets)
      put.run(target, stream, attempts, nextAttemptAt, lastError, lockedAt, JSON.stringify(locked))
  }

  state(stream: string): string | undefined {
    return this.#db
      .query<{ value: string }, [string]>('SELECT value FROM bus_state WHERE key = ?')
      .get(`${TARGET}:${stream}`)?.value
  }

  setState(stream: string, value: string): void {
    this.#db
      .query<unknown, [string, string]>('INSERT OR REPLACE INTO bus_state (key, value) VALUES (?, ?)')
      .run(`${TARGET}:${stream}`, value)
  }

  countDead(stream: string): number {
    return (
      this.#db
        .query<{ n: number }, [string, string]>(
          'SELECT count(*) AS n FROM outbox_letters WHERE target = ? AND stream = ? AND dead_at IS NOT NULL',
        )
        .get(TARGET, stream)?.n ?? 0
    )
  }

  /** Dead letters of every target, newest first. */
  dead(limit: number): Delivery[] {
    return this.#db
      .query<Delivery, [number]>(
        `SELECT ${COLUMNS} FROM outbox_letters WHERE dead_at IS NOT NULL ORDER BY dead_at DESC, seq DESC LIMIT ?`,
      )
      .all(limit)
  }

  /** Another chance for the dead letters with this id, or for all; how many there were. */
  requeue(id: string | undefined, now: number): number {
    const { changes } = this.#db
      .query<unknown, [number, string | null, string | null]>(
        `UPDATE outbox_letters SET dead_at = NULL, attempt_count = 0, next_attempt_at = ?
          WHERE dead_at IS NOT NULL AND (? IS NULL OR id = ?)`,
      )
      .run(now, id ?? null, id ?? null)
    return changes
  }

  /** Gives the dead letters with this id up for good, or all; how many there were. */
  drop(id: string | undefined): number {
    const { changes } = this.#db
      .query<unknown, [string | null, string | null]>(
        'DELETE FROM outbox_letters WHERE dead_at IS NOT NULL AND (? IS NULL OR id = ?)',
      )
      .run(id ?? null, id ?? null)
    return changes
  }
}
