/**
 * The journal for a process beside the daemon: read-only, and never blocking, because readers of a write-ahead log block
 * nobody. What it reads is consistent; the daemon may be ahead.
 */
import { Database } from 'bun:sqlite'
import { type Listed, listed } from './listed.ts'
import { type EventFilter, type JournalRow, oldestRows, rowBySeq, seqBefore } from './rows.ts'

export interface EventReader {
  firstSeq(): number
  lastSeq(): number
  /** The id of the event with this sequence. */
  idAt(seq: number): string | undefined
  row(seq: number): JournalRow | undefined
  /** Events that pass, newest first; `passes` decides where the columns cannot. */
  listed(filter: EventFilter, limit: number, passes: (row: JournalRow) => boolean): Listed[]
  /** Oldest first; consume it at once. */
  oldest(filter: EventFilter, limit: number): Iterable<JournalRow>
  seqBefore(time: number): number
  close(): void
}

const BUSY_MS = 1_000 // only while the daemon checkpoints the log on exit
const CACHE_KIB = 2 * 1024

export function openEventReader(path: string): EventReader {
  const db = new Database(path, { readonly: true, strict: true })
  db.exec(`PRAGMA query_only = ON; PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA cache_size = -${CACHE_KIB}`)
  const end = (which: 'min' | 'max') =>
    db.query<{ seq: number | null }, []>(`SELECT ${which}(seq) AS seq FROM events`).get()?.seq ?? 0
  return {
    firstSeq: () => end('min'),
    lastSeq: () => end('max'),
    idAt: (seq) =>
      db.query<{ id: string }, [number]>('SELECT id FROM events WHERE seq = ?').get(seq)?.id ?? undefined,
    row: (seq) => rowBySeq(db, seq),
    listed: (filter, limit, passes) => listed(db, filter, limit, end('max'), passes),
    oldest: (filter, limit) => oldestRows(db, filter, limit),
    seqBefore: (time) => seqBefore(db, time, end('max')),
    close: () => db.close(),
  }
}
