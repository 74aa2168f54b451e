/**
 * Durable consumers: who reads a stream, and how far each has come. A row is consistent: everything up to `cursor` is done
 * except `pending`. So a stale row repeats some messages but never loses one.
 */
import type { Database, Statement } from 'bun:sqlite'
import type { ConsumerFacts } from './row-types.ts'

export interface ConsumerRow extends ConsumerFacts {
  /** The last message that was considered. */
  readonly cursor: number
  /** Where the stream's window began for it: older messages that are not on the floor never belonged to it. */
  readonly start: number
  /** Delivered but not acknowledged: sequence and number of deliveries. */
  readonly pending: readonly (readonly [seq: number, deliveries: number])[]
  /** Messages that had left the stream before they were read. */
  readonly missed: number
}

type Columns = [string, string, string, number, number, number, number, number, number, string, number]

export class ConsumerRows {
  readonly #db: Database
  readonly #put: Statement<unknown, Columns>

  constructor(db: Database) {
    this.#db = db
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO consumers (stream, name, filter, ack_wait_ms, max_in_flight, created_at, active_at,
                                         cursor, start, pending, missed)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
  }

  all(): ConsumerRow[] {
    return this.#db
      .query<Omit<ConsumerRow, 'pending'> & { pending: string }, []>(
        `SELECT stream, name, filter, ack_wait_ms AS ackWaitMs, max_in_flight AS maxInFlight,
                created_at AS createdAt, active_at AS activeAt, cursor, start, pending, missed
           FROM consumers ORDER BY stream, name`,
      )
      .all()
      .map((row) => ({ ...row, pending: JSON.parse(row.pending) as ConsumerRow['pending'] }))
  }

  /** Call it inside a transaction. */
  put(row: ConsumerRow): void {
    const { stream, name, filter, ackWaitMs, maxInFlight, createdAt, activeAt } = row
    const { cursor, start, pending, missed } = row
    const settings = [stream, name, filter, ackWaitMs, maxInFlight] as const
    this.#put.run(...settings, createdAt, activeAt, cursor, start, JSON.stringify(pending), missed)
  }

  delete(stream: string, name: string): void {
    this.#db
      .query<unknown, [string, string]>('DELETE FROM consumers WHERE stream = ? AND name = ?')
      .run(stream, name)
  }
}
