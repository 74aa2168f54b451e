/**
 * Keeps the database small: deletes events beyond the maximum age, then the oldest until the size fits, then rows of other
 * tables by their rules. Runs in slices of a few milliseconds, so that no hook waits. Only the oldest events are deleted,
 * so sequences have no gaps. The newest event always stays, to continue the sequence.
 */
import type { Database } from 'bun:sqlite'
import { RETENTION } from './retention-rules.ts'

export interface RetentionLimits {
  readonly maxAgeMs: number
  readonly maxBytes: number
}

const SLICE_ROWS = 200 // about 2 ms of deleting at 2 KB per event
const YEAR_MS = 365 * 86_400_000

/** Deletes one slice. True if there is more to do. */
export function retainSlice(db: Database, limits: RetentionLimits, now: number): boolean {
  const tooLarge = usedBytes(db) > limits.maxBytes
  const end = tooLarge ? endOfSlice(db) : endOfAged(db, now - limits.maxAgeMs)
  if (end !== null) {
    const { changes } = db.query<unknown, [number]>('DELETE FROM events WHERE seq < ?').run(end)
    if (changes > 0) return true
  }
  return retainRules(db, limits, now) || reclaim(db)
}

/** One slice of the first table with expired rows; true if there may be more. */
function retainRules(db: Database, limits: RetentionLimits, now: number): boolean {
  const first = db.query<{ seq: number | null }, []>('SELECT min(seq) AS seq FROM events').get()?.seq ?? 1
  const ends = { max_days: now - limits.maxAgeMs, year: now - YEAR_MS, journal: first }
  for (const { table, gone } of RETENTION) {
    if (!gone) continue
    const { key, where, until } = gone
    const slice = `SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${SLICE_ROWS}`
    const remove = db.query<unknown, number[]>(`DELETE FROM ${table} WHERE (${key}) IN (${slice})`)
    if (remove.run(...(until ? [ends[until]] : [])).changes > 0) return true
  }
  return false
}

/** Bytes in use, without free pages. */
export function usedBytes(db: Database): number {
  const { page, pages, free } = pageCounts(db)
  return (pages - free) * page
}

/** The first sequence after the oldest slice, and at most the newest. */
function endOfSlice(db: Database): number | null {
  const slice = `SELECT seq FROM events ORDER BY seq LIMIT ${SLICE_ROWS + 1}`
  return db.query<{ seq: number | null }, []>(`SELECT max(seq) AS seq FROM (${slice})`).get()?.seq ?? null
}

/** The first young event within the oldest slice; it looks no further, however long the journal is. */
function endOfAged(db: Database, horizon: number): number | null {
  const slice = `SELECT seq, received_at FROM events ORDER BY seq LIMIT ${SLICE_ROWS}`
  const young = `SELECT min(seq) AS seq FROM (${slice}) WHERE received_at >= ?`
  return db.query<{ seq: number | null }, [number]>(young).get(horizon)?.seq ?? endOfSlice(db)
}

const RECLAIM_PAGES = 256 // free space is returned in slices, too
const SLACK_PAGES = 1024 // free pages kept for the next events

function reclaim(db: Database): boolean {
  const { free } = pageCounts(db)
  if (free <= SLACK_PAGES) return false
  db.exec(`PRAGMA incremental_vacuum(${RECLAIM_PAGES})`)
  return pageCounts(db).free < free
}

function pageCounts(db: Database): { page: number; pages: number; free: number } {
  const read = (name: string) => Object.values(db.query(`PRAGMA ${name}`).get() as object)[0] as number
  return { page: read('page_size'), pages: read('page_count'), free: read('freelist_count') }
}
