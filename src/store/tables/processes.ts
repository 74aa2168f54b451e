/**
 * The process of each running session, with its start time and boot. So gantry notices a process that ended unobserved, and
 * does not mistake another with the same pid for it.
 */
import type { Database } from 'bun:sqlite'

export interface ProcessRow {
  readonly session: string
  readonly pid: number
  /** Start time in clock ticks since boot. */
  readonly start: string
  /** Id of that boot. */
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
