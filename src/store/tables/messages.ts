/**
 * The streams that are not the journal itself: changes of sessions, and decisions. They follow from the journal, so
 * their rows need no fsync of their own: `relaxed` writes them with the next durable commit, and a start that finds
 * them missing makes them again.
 */
import type { Database, Statement } from 'bun:sqlite'

export interface StoredMessage {
  readonly seq: number
  /** The event it follows from. */
  readonly id: string
  readonly at: number
  /** Last part of its subject. */
  readonly type: string
  readonly agent: string
  readonly native: string
  readonly sessionId: string
  readonly data: string
}

const COLUMNS = 'seq, id, at, type, agent, native, session_id AS sessionId, data'

export class Messages {
  readonly #db: Database
  readonly #insert: Statement<unknown, (string | number)[]>

  constructor(db: Database) {
    this.#db = db
    this.#insert = db.prepare(
      `INSERT INTO bus_messages (stream, seq, id, at, type, agent, native, session_id, data)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
  }

  /** Inside a transaction of the caller's. */
  put(stream: string, message: StoredMessage): void {
    const { seq, id, at, type, agent, native, sessionId, data } = message
    this.#insert.run(stream, seq, id, at, type, agent, native, sessionId, data)
  }

  /** Oldest first. */
  read(stream: string, after: number, limit: number): StoredMessage[] {
    return this.#db
      .query<StoredMessage, [string, number, number]>(
        `SELECT ${COLUMNS} FROM bus_messages WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?`,
      )
      .all(stream, after, limit)
  }

  lastSeq(stream: string): number {
    return this.#edge(stream, 'DESC')
  }

  firstSeq(stream: string): number {
    return this.#edge(stream, 'ASC')
  }

  /** The last sequence before a time; messages are in the order of their events' arrival. */
  seqBefore(stream: string, time: number): number {
    return (
      this.#db
        .query<{ seq: number }, [string, number]>(
          'SELECT seq FROM bus_messages WHERE stream = ? AND at < ? ORDER BY seq DESC LIMIT 1',
        )
        .get(stream, time)?.seq ?? 0
    )
  }

  /** Deletes these; never the newest, it keeps the sequence going. Inside a transaction of the caller's. */
  delete(stream: string, seqs: readonly number[]): void {
    this.#db
      .query<unknown, [string, string]>(
        'DELETE FROM bus_messages WHERE stream = ? AND seq IN (SELECT value FROM json_each(?))',
      )
      .run(stream, JSON.stringify(seqs))
  }

  #edge(stream: string, order: 'ASC' | 'DESC'): number {
    const sql = `SELECT seq FROM bus_messages WHERE stream = ? ORDER BY seq ${order} LIMIT 1`
    return this.#db.query<{ seq: number }, [string]>(sql).get(stream)?.seq ?? 0
  }
}
