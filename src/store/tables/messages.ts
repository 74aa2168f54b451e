/**
 * Streams other than the journal: session changes and decisions. They derive from the journal, so they need no fsync of
 * their own: `relaxed` writes them with the next durable commit, and a start recreates missing ones.
 */
import type { Database, Statement } from 'bun:sqlite'

export interface StoredMessage {
  readonly seq: number
  /** The event from which it derives. */
  readonly id: string
  readonly at: number
  /** Last token of its subject. */
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

  /** Call it inside a transaction. */
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

  /** The last sequence before a time; messages are in the order in which their events arrived. */
  seqBefore(stream: string, time: number): number {
    return (
      this.#db
        .query<{ seq: number }, [string, number]>(
          'SELECT seq FROM bus_messages WHERE stream = ? AND at < ? ORDER BY seq DESC LIMIT 1',
        )
        .get(stream, time)?.seq ?? 0
    )
  }

  /** Deletes these. Callers never pass the newest, which continues the sequence. Call it inside a transaction. */
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
