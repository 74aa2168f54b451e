/**
 * Sequences and sizes of events that pass a filter, newest first. The list is complete before any payload is read, so a
 * reader can then take the payloads oldest first, one at a time.
 */
import type { Database } from 'bun:sqlite'
import { conditions, type EventFilter, type JournalRow, rowBySeq } from './rows.ts'

export interface Listed {
  readonly seq: number
  /** Size of the payload. */
  readonly bytes: number
}

const STEP_SEQS = 10_000 // each step is a separate read: a long one would keep the write-ahead log from restarting

/**
 * The newest `limit`, newest first. `passes` decides about rows that the columns cannot: with `look`, and payloads that are
 * not text.
 */
export function listed(
  db: Database,
  filter: EventFilter,
  limit: number,
  lastSeq: number,
  passes: (row: JournalRow) => boolean,
): Listed[] {
  const found: Listed[] = []
  const floor = filter.after ?? 0
  // The index finds a session's rows directly; any other filter scans the journal backwards.
  const step = filter.session === undefined ? STEP_SEQS : Number.MAX_SAFE_INTEGER
  for (let before = Math.min(filter.before ?? Infinity, lastSeq + 1); before > floor + 1; ) {
    const after = Math.max(floor, before - 1 - step)
    const missing = limit - found.length
    const rows = page(db, { ...filter, after, before }, missing)
    for (const { seq, bytes, unsure } of rows)
      if (!unsure || isSure(db, seq, passes)) found.push({ seq, bytes })
    if (found.length >= limit) break
    before = rows.length === missing ? (rows.at(-1)?.seq ?? after) : after + 1
  }
  return found
}

/** One page between `after` and `before`, from either end. Of an unsure one, only its payload can tell. */
export function listedPage(
  db: Database,
  filter: EventFilter,
  order: 'ASC' | 'DESC',
  limit: number,
): (Listed & { unsure: number })[] {
  return page(db, filter, limit, order)
}

function page(
  db: Database,
  filter: EventFilter,
  limit: number,
  order: 'ASC' | 'DESC' = 'DESC',
): (Listed & { unsure: number })[] {
  const { where, values } = conditions(filter)
  const unsure = filter.look ? '1' : filter.grep === undefined ? '0' : "typeof(raw) = 'blob'"
  const sql = `SELECT seq, octet_length(raw) AS bytes, ${unsure} AS unsure FROM events ${where} ORDER BY seq ${order} LIMIT ?`
  return db.query<Listed & { unsure: number }, (string | number)[]>(sql).all(...values, limit)
}

function isSure(db: Database, seq: number, passes: (row: JournalRow) => boolean): boolean {
  const row = rowBySeq(db, seq)
  return row !== undefined && passes(row)
}
