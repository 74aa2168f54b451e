/**
 * Delivery to NATS, on disk: progress per stream, the last known state of the stream there, and rejected messages. The
 * journal has the messages themselves.
 */
import type { Database } from 'bun:sqlite'
import { DAY_MS } from '../../core/time/days.ts'
import { KEPT } from '../kept.ts'
import type { Letter } from './deliveries.ts'

const TARGET = 'jetstream'

const COLUMNS = `target, stream, seq, id, session_id AS sessionId, attempt_count AS attemptCount,
  next_attempt_at AS nextAttemptAt, last_error AS lastError, dead_at AS deadAt`

/** A current target of a stream's messages, and its state. */
export interface OutboxTarget {
  readonly target: string
  readonly stream: string
  /** Consecutive failures. */
  readonly attempts: number
  readonly nextAttemptAt: number | null
  readonly lastError: string | null
  /** Start time of the oldest delivery in flight. */
  readonly lockedAt: number | null
  /** Sequences in flight. */
  readonly locked: readonly number[]
}

export class OutboxRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Everything up to here is delivered; undefined before the first delivery. */
  mark(stream: string): number | undefined {
    return (
      this.#db
        .query<{ seq: number | null }, [string, string]>(
          'SELECT max(seq) AS seq FROM outbox_marks WHERE target = ? AND stream = ?',
        )
        .get(TARGET, stream)?.seq ?? undefined
    )
  }

  /** The lowest mark of all targets of a stream; infinity without targets. */
  leastMark(stream: string): number {
    return (
      this.#db
        .query<{ seq: number | null }, [string]>(
          `SELECT min(seq) AS seq FROM (SELECT max(seq) AS seq FROM outbox_marks WHERE stream = ? GROUP BY target)`,
        )
        .get(stream)?.seq ?? Number.POSITIVE_INFINITY
    )
  }

  /** Older marks stay, because they tell when each message was delivered. All writes here need the caller's transaction. */
  setMark(stream: string, seq: number, at: number): void {
    this.#db
      .query<unknown, [string, string, number, number]>(
        'INSERT OR IGNORE INTO outbox_marks (target, stream, seq, at) VALUES (?, ?, ?, ?)',
      )
      .run(TARGET, stream, seq, at)
  }

  /** Everything after this must be delivered again. */
  rewind(stream: string, seq: number, at: number): void {
    this.#db
      .query<unknown, [string, string, number]>(
        'DELETE FROM outbox_marks WHERE target = ? AND stream = ? AND seq > ?',
      )
      .run(TARGET, stream, seq)
    this.setMark(stream, seq, at)
  }

  /** Deletes old marks and those beyond the limit; the newest always stays. */
  prune(stream: string, now: number): void {
    this.#db
      .query<unknown, [string, string, number, string, string, string, string]>(
        `DELETE FROM outbox_marks WHERE target = ? AND stream = ?
            AND (at < ? OR seq <= (SELECT seq FROM outbox_marks WHERE target = ? AND stream = ?
                                    ORDER BY seq DESC LIMIT 1 OFFSET ${KEPT.outboxMarks}))
            AND seq < (SELECT max(seq) FROM outbox_marks WHERE target = ? AND stream = ?)`,
      )
      .run(TARGET, stream, now - KEPT.outboxMarksDays * DAY_MS, TARGET, stream, TARGET, stream)
  }

  /** Replaces all targets. Call it inside a transaction. */
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
  dead(limit: number): Letter[] {
    return this.#db
      .query<Letter, [number]>(
        `SELECT ${COLUMNS} FROM outbox_letters WHERE dead_at IS NOT NULL ORDER BY dead_at DESC, seq DESC LIMIT ?`,
      )
      .all(limit)
  }

  /** Retries the dead letters with this id, or all; returns their number. */
  requeue(id: string | undefined, now: number): number {
    const { changes } = this.#db
      .query<unknown, [number, string | null, string | null]>(
        `UPDATE outbox_letters SET dead_at = NULL, attempt_count = 0, next_attempt_at = ?
          WHERE dead_at IS NOT NULL AND (? IS NULL OR id = ?)`,
      )
      .run(now, id ?? null, id ?? null)
    return changes
  }

  /** Deletes the dead letters with this id, or all; returns their number. */
  drop(id: string | undefined): number {
    const { changes } = this.#db
      .query<unknown, [string | null, string | null]>(
        'DELETE FROM outbox_letters WHERE dead_at IS NOT NULL AND (? IS NULL OR id = ?)',
      )
      .run(id ?? null, id ?? null)
    return changes
  }
}
