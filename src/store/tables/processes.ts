/**
 * The process of each session that runs: who it is, not only its number, so that one which ended while nobody looked is
 * known to be gone, and another with the same number is not taken for it.
 */
import type { Database } from 'bun:sqlite'

export interface ProcessRow {
  readonly session: string
  readonly pid: number
  /** When it began, in the system's own count since it was started. */
  readonly start: string
  /** Which start of the system that was. */
  readonly boot: string
}

export class Processes {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  get(session: string): ProcessRow | undefined {
    const sql = 'SELECT session, pid, start, boot FROM processes WHERE session = ?'
    return this.#db.query<ProcessRow, [string]>(sql).get(session) ?? undefined
  }

  put({ session, pid, start, boot }: ProcessRow): void {
    this.#db
      .query('INSERT OR REPLACE INTO processes (session, pid, start, boot) VALUES (?, ?, ?, ?)')
      .run(session, pid, start, boot)
  }

  delete(session: string): void {
    this.#db.query('DELETE FROM processes WHERE session = ?').run(session)
  }
}
