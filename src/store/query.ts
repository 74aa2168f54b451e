/**
 * One SQL question on a read-only connection. It runs in a process of its own (see `gantry query`): a question
 * that takes a minute, or never ends, must not be on the daemon's one thread.
 */
import { Database } from 'bun:sqlite'

export interface QueryResult {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  /** More rows matched than were asked for. */
  readonly more: boolean
}

export function runQuery(path: string, sql: string, limit: number): QueryResult {
  const db = new Database(path, { readonly: true, strict: true })
  try {
    db.exec('PRAGMA query_only = ON; PRAGMA busy_timeout = 1000')
    const statement = db.query(sql)
    const rows: unknown[][] = []
    for (const row of statement.iterate()) {
      if (rows.length === limit) return { columns: statement.columnNames, rows, more: true }
      rows.push(Object.values(row as object).map(printable))
    }
    return { columns: statement.columnNames, rows, more: false }
  } finally {
    db.close()
  }
}

function printable(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return typeof value === 'bigint' ? value.toString() : value
}
