/** Commands that the user registered for events. Their statistics are not stored: they are not worth a write. */
import type { Database } from 'bun:sqlite'

export interface HandlerRow {
  readonly id: string
  /** Canonical event types; `*` is all of them. */
  readonly events: readonly string[]
  readonly command: string
  readonly priority: number
  readonly createdAt: number
}

interface RawRow {
  readonly id: string
  readonly events: string
  readonly command: string
  readonly priority: number
  readonly created_at: number
}

export class HandlerRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** In the order in which they run. */
  all(): HandlerRow[] {
    return this.#db
      .query<RawRow, []>(
        'SELECT id, events, command, priority, created_at FROM handlers ORDER BY priority, created_at, id',
      )
      .all()
      .map(({ events, created_at, ...row }) => ({ ...row, events: events.split(','), createdAt: created_at }))
  }

  /** Replaces a handler with the same id. */
  put(row: HandlerRow): void {
    this.#db
      .query<unknown, [string, string, string, number, number]>(
        'INSERT OR REPLACE INTO handlers (id, events, command, priority, created_at) VALUES (?, ?, ?, ?, ?)',
      )
      .run(row.id, row.events.join(','), row.command, row.priority, row.createdAt)
  }

  delete(id: string): boolean {
    return this.#db.query<unknown, [string]>('DELETE FROM handlers WHERE id = ?').run(id).changes > 0
  }
}
