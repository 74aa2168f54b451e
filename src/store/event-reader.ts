/**
 * The journal for a process beside the daemon: read-only, and never blocking, because readers of a write-ahead log block
 * nobody. What it reads is consistent; the daemon may be ahead.
 */
import { Database } from 'bun:sqlite'
import { type DecisionRows, decisionRows } from './decision-rows.ts'
import { type InsightRows, insightRows } from './insight-rows.ts'
import { skipTo } from './kinds.ts'
import { type Listed, listed, listedPage } from './listed.ts'
import {
  type Decided,
  decidedBefore,
  type EventFilter,
  type JournalRow,
  oldestRows,
  type RowGlance,
  rowById,
  rowBySeq,
  rowGlance,
  seqBefore,
} from './rows.ts'
import type { StoredMessage } from './tables/messages.ts'

export interface EventReader {
  firstSeq(): number
  lastSeq(): number
  /** The id of the event with this sequence. */
  idAt(seq: number): string | undefined
  row(seq: number): JournalRow | undefined
  byId(id: string): JournalRow | undefined
  /** What the stream of decisions says about an event: the answer, and who was asked for it. */
  saidAbout(event: Pick<JournalRow, 'id' | 'sessionId'>): StoredMessage[]
  /** The messages of the stream of decisions since a time, oldest first; consume it at once. */
  said(since: number): Iterable<StoredMessage>
  /** Events that pass, newest first; `passes` decides where the columns cannot. */
  listed(filter: EventFilter, limit: number, passes: (row: JournalRow) => boolean): Listed[]
  /** One page between `after` and `before` of the filter, from either end. */
  listedPage(filter: EventFilter, order: 'ASC' | 'DESC', limit: number): (Listed & { unsure: number })[]
  /** The first sequence from this one on that may pass, as far as is known without reading rows. */
  skipTo(filter: EventFilter, seq: number, order: 'ASC' | 'DESC'): number
  /** Without its payload. */
  glance(seq: number): RowGlance | undefined
  readonly decisions: DecisionRows
  /** The events that were answered so, of some messages of the stream of decisions before one. */
  decidedBefore(decision: string, before: number, count: number): Decided
  /** Oldest first; consume it at once. */
  oldest(filter: EventFilter, limit: number): Iterable<JournalRow>
  seqBefore(time: number): number
  /** For insights. */
  readonly rows: InsightRows
  close(): void
}

const SAID = `SELECT seq, id, at, type, agent, native, session_id AS sessionId, data
                FROM bus_messages WHERE stream = 'DECISION_EVENTS'`
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
    byId: (id) => rowById(db, id),
    saidAbout: ({ id, sessionId }) =>
      db
        .query<StoredMessage, [string, string, string]>(
          `${SAID} AND session_id = ? AND (id = ? OR id LIKE ? || '.%') ORDER BY seq`,
        )
        .all(sessionId, id, id),
    said: (since) => db.query<StoredMessage, [number]>(`${SAID} AND at >= ? ORDER BY seq`).iterate(since),
    listed: (filter, limit, passes) => listed(db, filter, limit, end('max'), passes),
    listedPage: (filter, order, limit) => listedPage(db, filter, order, limit),
    skipTo: (filter, seq, order) => skipTo(db, filter, seq, order),
    glance: (seq) => rowGlance(db, seq),
    decisions: decisionRows(db),
    decidedBefore: (decision, before, count) => decidedBefore(db, decision, before, count),
    oldest: (filter, limit) => oldestRows(db, filter, limit),
    seqBefore: (time) => seqBefore(db, time, end('max')),
    rows: insightRows(db),
    close: () => db.close(),
  }
}
