/**
 * Outgoing messages per target (`webhook:ci`): a mark up to which its stream was handled, and a row ("letter") for each
 * earlier message that was not delivered: waiting for a retry, or dead. A letter has no payload; the stream has it.
 */
import type { Database, Statement } from 'bun:sqlite'

export interface Letter {
  readonly target: string
  readonly stream: string
  readonly seq: number
  readonly id: string
  readonly sessionId: string
  readonly attemptCount: number
  readonly nextAttemptAt: number
  readonly lastError: string | null
  /** When it was given up; null while attempts are left. */
  readonly deadAt: number | null
}

const COLUMNS = `target, stream, seq, id, session_id AS sessionId, attempt_count AS attemptCount,
  next_attempt_at AS nextAttemptAt, last_error AS lastError, dead_at AS deadAt`

export class Deliveries {
  readonly #db: Database
  readonly #mark: Statement<{ seq: number }, [string, string]>
  readonly #setMark: Statement<unknown, [string, string, number, number]>
  readonly #dropMarks: Statement<unknown, [string, string, number]>
  readonly #put: Statement<unknown, (string | number | null)[]>
  readonly #remove: Statement<unknown, [string, string, number]>

  constructor(db: Database) {
    this.#db = db
    this.#mark = db.prepare('SELECT max(seq) AS seq FROM outbox_marks WHERE target = ? AND stream = ?')
    this.#setMark = db.prepare(
      'INSERT OR REPLACE INTO outbox_marks (target, stream, seq, at) VALUES (?, ?, ?, ?)',
    )
    this.#dropMarks = db.prepare('DELETE FROM outbox_marks WHERE target = ? AND stream = ? AND seq <> ?')
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO outbox_letters
         (target, stream, seq, id, session_id, attempt_count, next_attempt_at, last_error, dead_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#remove = db.prepare('DELETE FROM outbox_letters WHERE target = ? AND stream = ? AND seq = ?')
  }

  /** Undefined for an unknown target. */
  mark(target: string, stream: string): number | undefined {
    return this.#mark.get(target, stream)?.seq ?? undefined
  }

  /** Replaces the target's mark. All writes here need the caller's transaction. */
  setMark(target: string, stream: string, seq: number, at: number): void {
    this.#setMark.run(target, stream, seq, at)
    this.#dropMarks.run(target, stream, seq)
  }

  put(letter: Letter): void {
    const { target, stream, seq, id, sessionId, attemptCount, nextAttemptAt, lastError, deadAt } = letter
    this.#put.run(target, stream, seq, id, sessionId, attemptCount, nextAttemptAt, lastError, deadAt)
  }

  remove(target: string, stream: string, seq: number): void {
    this.#remove.run(target, stream, seq)
  }

  /** Those that have attempts left, oldest first. */
  waiting(target: string, stream: string): Letter[] {
    return this.#db
      .query<Letter, [string, string]>(
        `SELECT ${COLUMNS} FROM outbox_letters WHERE target = ? AND stream = ? AND dead_at IS NULL ORDER BY seq`,
      )
      .all(target, stream)
  }

  countDead(target: string): number {
    return (
      this.#db
        .query<{ n: number }, [string]>(
          'SELECT count(*) AS n FROM outbox_letters WHERE target = ? AND dead_at IS NOT NULL',
        )
        .get(target)?.n ?? 0
    )
  }

  /** Deletes the oldest dead letters beyond `keep`, and those whose message left the stream. */
  trimDead(target: string, stream: string, keep: number, firstSeq: number): void {
    this.#db
      .query<unknown, [string, string, number, string, string, number]>(
        `DELETE FROM outbox_letters WHERE target = ? AND stream = ? AND dead_at IS NOT NULL
            AND (seq < ? OR seq <= (SELECT seq FROM outbox_letters
              WHERE target = ? AND stream = ? AND dead_at IS NOT NULL ORDER BY seq DESC LIMIT 1 OFFSET ?))`,
      )
      .run(target, stream, firstSeq, target, stream, keep)
  }

  /** Targets with this prefix. */
  targets(prefix: string): { target: string; stream: string }[] {
    return this.#db
      .query<{ target: string; stream: string }, [number, string]>(
        'SELECT DISTINCT target, stream FROM outbox_marks WHERE substr(target, 1, ?) = ? ORDER BY target, stream',
      )
      .all(prefix.length, prefix)
  }

  /** Removes everything about a target. */
  forget(target: string, stream: string): void {
    for (const table of ['outbox_marks', 'outbox_letters']) {
      this.#db
        .query<unknown, [string, string]>(`DELETE FROM ${table} WHERE target = ? AND stream = ?`)
        .run(target, stream)
    }
  }
}
