/**
 * The journal stays small: events over an age go first, then the oldest until the size fits. Runs in slices of a
 * few milliseconds so that no hook waits for it. The newest event always stays; it keeps the sequence going.
 */
import type { Database } from 'bun:sqlite'

export interface RetentionLimits {
  readonly maxAgeMs: number
  readonly maxBytes: number
}

const SLICE_ROWS = 200 // about 2 ms of deleting at 2 KB an event

/** Deletes one slice. True when there is more to do. */
export function retainSlice(db: Database, limits: RetentionLimits, now: number): boolean {
  const horizon = now - limits.maxAgeMs
  const oldest = db
    .query<{ seq: number; received_at: number }, []>(
      'SELECT seq, received_at FROM events ORDER BY seq LIMIT 1',
    )
    .get()
  if (!oldest) return false
  const tooOld = oldest.received_at < horizon
  if (!tooOld && usedBytes(db) <= limits.maxBytes) return reclaim(db)
  const aged = tooOld ? 'AND received_at < ?' : ''
  const { changes } = db
    .query<unknown, number[]>(
      `DELETE FROM events WHERE seq IN (SELECT seq FROM events
         WHERE seq < (SELECT max(seq) FROM events) ${aged} ORDER BY seq LIMIT ${SLICE_ROWS})`,
    )
    .run(...(tooOld ? [horizon] : []))
  return changes > 0 || reclaim(db)
}

/** Bytes in use, without the pages that deleted rows left free. */
export function usedBytes(db: Database): number {
  const { page, pages, free } = pageCounts(db)
  return (pages - free) * page
}

const RECLAIM_PAGES = 256 // give the disk back in slices, too
const SLACK_PAGES = 1024 // free pages worth keeping for the next events

function reclaim(db: Database): boolean {
  if (pageCounts(db).free <= SLACK_PAGES) return false
  db.exec(`PRAGMA incremental_vacuum(${RECLAIM_PAGES})`)
  return true
}

function pageCounts(db: Database): { page: number; pages: number; free: number } {
  const read = (name: string) => Object.values(db.query(`PRAGMA ${name}`).get() as object)[0] as number
  return { page: read('page_size'), pages: read('page_count'), free: read('freelist_count') }
}
