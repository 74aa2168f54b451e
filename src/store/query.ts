/**
 * One SQL query on a read-only connection. It runs in a separate process (see `gantry query`): a query that takes a minute,
 * or never ends, must not block the daemon's only thread.
 */
import { Database, type Statement } from 'bun:sqlite'
import { GantryError } from '../core/errors.ts'

export interface QueryResult {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  /** More rows matched than were requested. */
  readonly more: boolean
}

/** ATTACH and VACUUM INTO create files even on a read-only connection, so only queries are allowed. */
const QUESTION = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*(?:SELECT|WITH|VALUES|EXPLAIN|PRAGMA)\b/i

export function runQuery(path: string, sql: string, limit: number): QueryResult {
  if (!QUESTION.test(sql)) {
    throw new GantryError(
      'VALIDATION_ERROR',
      'A query begins with SELECT, WITH, VALUES, EXPLAIN or PRAGMA; nothing else is allowed.',
    )
  }
  if (isSeveral(sql)) {
    throw new GantryError(
      'VALIDATION_ERROR',
      'Only one statement at a time. Run what follows the ";" separately.',
    )
  }
  const db = new Database(path, { readonly: true, strict: true, safeIntegers: true })
  try {
    db.exec('PRAGMA query_only = ON; PRAGMA busy_timeout = 1000')
    const statement = prepare(db, sql)
    const columns = statement.columnNames
    const rows: unknown[][] = []
    for (const row of statement.iterate() as Iterable<Record<string, unknown>>) {
      if (rows.length === limit) return { columns, rows, more: true }
      rows.push(columns.map((name) => printable(row[name])))
    }
    return { columns, rows, more: false }
  } finally {
    db.close()
  }
}

const QUOTED_OR_COMMENT =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g

/** SQLite reads up to the first semicolon and silently ignores the rest. */
function isSeveral(sql: string): boolean {
  const bare = sql.replace(QUOTED_OR_COMMENT, (part) => (/^(?:--|\/\*)/.test(part) ? ' ' : 'x'))
  return /;\s*[^\s;]/.test(bare)
}

/** Rows are objects, in which equal column names would collide; an outer query makes the names unique. */
function prepare(db: Database, sql: string): Statement {
  const statement = db.query(sql)
  const names = statement.columnNames
  if (new Set(names).size === names.length) return statement
  return db.query(`SELECT * FROM (${sql.replace(/[;\s]+$/, '')}\n)`)
}

function printable(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return typeof value === 'bigint' ? exact(value) : value
}

/** As text if JavaScript, and most JSON readers, could not represent the number exactly. */
function exact(value: bigint): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value.toString()
}
