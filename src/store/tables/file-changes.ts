/** File changes by tool calls: one row per file and event, kept as long as the event. */
import type { Database, Statement } from 'bun:sqlite'

export interface FileChangeRow {
  readonly seq: number
  readonly path: string
  readonly agent: string
  readonly sessionId: string
  readonly agentId: string
  readonly change: string
}

/** A file of a session: its last change, and whether the session created it. */
export interface SessionFile {
  readonly path: string
  readonly change: string
  readonly created: boolean
  readonly changes: number
  readonly lastSeq: number
}

export class FileChangeRows {
  readonly #db: Database
  readonly #put: Statement<unknown, (string | number)[]>

  constructor(db: Database) {
    this.#db = db
    this.#put = db.prepare(
      `INSERT OR IGNORE INTO file_changes (seq, path, agent, session_id, agent_id, change) VALUES (?, ?, ?, ?, ?, ?)`,
    )
  }

  /** The first observation stays; a second one would be later. Call it inside a transaction. */
  put({ seq, path, agent, sessionId, agentId, change }: FileChangeRow): void {
    this.#put.run(seq, path, agent, sessionId, agentId, change)
  }

  ofEvent(seq: number): { path: string; change: string }[] {
    return this.#db
      .query<{ path: string; change: string }, [number]>(
        'SELECT path, change FROM file_changes WHERE seq = ? ORDER BY path',
      )
      .all(seq)
  }

  /** A session's files between two events, last changed first. */
  ofSession(agent: string, sessionId: string, from: number, to: number, limit: number): SessionFile[] {
    return this.#db
      .query<Omit<SessionFile, 'created'> & { created: number }, [string, string, number, number, number]>(
        `SELECT path, change, max(seq) AS lastSeq, sum(change = 'created') > 0 AS created, count(*) AS changes
           FROM file_changes WHERE agent = ? AND session_id = ? AND seq BETWEEN ? AND ?
          GROUP BY path ORDER BY lastSeq DESC, path LIMIT ?`,
      )
      .all(agent, sessionId, from, to, limit)
      .map((row) => ({ ...row, created: row.created === 1 }))
  }
}
