/**
 * Keeps the database small: deletes events beyond the maximum age, then the oldest until the size fits, then rows of other
 * tables by their rules. Runs in slices of a few milliseconds, so that no hook waits. Only the oldest events are deleted,
 * so sequences have no gaps. The newest event always stays, to continue the sequence.
 */
import type { Database } from 'bun:sqlite'
import { DAY_MS } from '../core/time/days.ts'
import { KEPT } from './kept.ts'
import { RETENTION } from './retention-rules.ts'

export interface RetentionLimits {
  readonly maxAgeMs: number
  readonly maxBytes: number
}

const SLICE_ROWS = 200 // about 2 ms of deleting at 2 KB per event

export interface Slice {
  /** There is more to do. */
  readonly more: boolean
  /** Pages that were written, about. */
  readonly pages: number
}

/** Deletes one slice, of this many events at most. Call it inside a transaction. */
export function retainSlice(db: Database, limits: RetentionLimits, now: number, rows = SLICE_ROWS): Slice {
  const tooLarge = usedBytes(db) > limits.maxBytes
  const end = tooLarge ? endOfSlice(db, rows) : endOfAged(db, now - limits.maxAgeMs, rows)
  if (end !== null) {
    const { changes } = db.query<unknown, [number]>('DELETE FROM events WHERE seq < ?').run(end)
    // Sessions take turns, so most events are on another page of the index by sessions.
    if (changes > 0) return { more: true, pages: Math.ceil(changes / 2) }
  }
  if (retainRules(db, limits, now)) return { more: true, pages: SLICE_ROWS }
  const moved = reclaim(db)
  return { more: moved > 0, pages: moved * PAGES_PER_MOVED }
}

/** One slice of the first table with expired rows; true if there may be more. */
function retainRules(db: Database, limits: RetentionLimits, now: number): boolean {
  const first = db.query<{ seq: number | null }, []>('SELECT min(seq) AS seq FROM events').get()?.seq ?? 1
  const ends = { max_days: now - limits.maxAgeMs, long: now - KEPT.longDays * DAY_MS, journal: first }
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
function endOfSlice(db: Database, rows: number): number | null {
  const slice = `SELECT seq FROM events ORDER BY seq LIMIT ${rows + 1}`
  return db.query<{ seq: number | null }, []>(`SELECT max(seq) AS seq FROM (${slice})`).get()?.seq ?? null
}

/** The first young event within the oldest slice; it looks no further, however long the journal is. */
function endOfAged(db: Database, horizon: number, rows: number): number | null {
  const slice = `SELECT seq, received_at FROM events ORDER BY seq LIMIT ${rows}`
  const young = `SELECT min(seq) AS seq FROM (${slice}) WHERE received_at >= ?`
  return db.query<{ seq: number | null }, [number]>(young).get(horizon)?.seq ?? endOfSlice(db, rows)
}

const RECLAIM_PAGES = 32 // free space is returned in slices, too: about 2 ms
const PAGES_PER_MOVED = 3 // the page in its new place, the one that refers to it, and the map of places
const SLACK_PAGES = 1024 // free pages kept for the next events
/**
 * A journal at its limit deletes as much as it adds, and new events take the free pages. To move the last pages of the file
 * there instead, and to grow it again, would write each event's page three times more.
 */
const SLACK_SHARE = 0.1

/** The number of pages that were returned. */
function reclaim(db: Database): number {
  const { pages, free } = pageCounts(db)
  if (free <= Math.max(SLACK_PAGES, pages * SLACK_SHARE)) return 0
  db.exec(`PRAGMA incremental_vacuum(${RECLAIM_PAGES})`)
  return free - pageCounts(db).free
}

function pageCounts(db: Database): { page: number; pages: number; free: number } {
  const read = (name: string) => Object.values(db.query(`PRAGMA ${name}`).get() as object)[0] as number
  return { page: read('page_size'), pages: read('page_count'), free: read('freelist_count') }
}
