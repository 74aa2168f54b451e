/**
 * Payloads from the journal with just enough metadata to classify them, for the schema learner. The daemon continues from
 * its mark; `gantry schema analyze` reads the whole journal in separate processes.
 */
import { Database } from 'bun:sqlite'
import type { Transport } from '../../events/index.ts'

export interface PayloadRow {
  readonly seq: number
  readonly id: string
  readonly receivedAt: number
  readonly agent: string
  readonly version: string
  readonly native: string
  readonly tool: string
  readonly session: string
  readonly cwd: string
  readonly transport: Transport
  /** Empty if the payload is over the limit, was cut, or is not text. */
  readonly raw: string
}

/** At most `limit` rows with `after` < seq <= `upTo`, oldest first; consume it at once. */
export function payloadRows(
  db: Database,
  after: number,
  upTo: number,
  limit: number,
  maxBytes: number,
): Iterable<PayloadRow> {
  return db
    .query<PayloadRow, [number, number, number, number]>(
      `SELECT seq, id, received_at AS receivedAt, agent, coalesce(agent_version, '') AS version, native,
              coalesce(tool_name, '') AS tool, session_id AS session, coalesce(cwd, '') AS cwd, transport,
              CASE WHEN cut_from IS NULL AND octet_length(raw) <= ?4 AND typeof(raw) = 'text' THEN raw ELSE '' END AS raw
         FROM events WHERE seq > ?1 AND seq <= ?2 ORDER BY seq LIMIT ?3`,
    )
    .iterate(after, upTo, limit, maxBytes)
}

export interface JournalReader {
  /** Range of the current journal; 0 if it is empty. */
  readonly first: number
  readonly last: number
  /** In pages, each a separate query: a long read would keep the log from restarting. */
  payloads(after: number, upTo: number, maxBytes: number): Iterable<PayloadRow>
  close(): void
}

const PAGE = 2_000

/** Read-only, beside the daemon. */
export function readJournal(path: string): JournalReader {
  const db = new Database(path, { readonly: true, strict: true })
  db.exec('PRAGMA query_only = ON; PRAGMA busy_timeout = 1000')
  const range = db
    .query<{ first: number | null; last: number | null }, []>(
      'SELECT (SELECT min(seq) FROM events) AS first, (SELECT max(seq) FROM events) AS last',
    )
    .get()
  return {
    first: range?.first ?? 0,
    last: range?.last ?? 0,
    *payloads(after, upTo, maxBytes) {
      for (let at = after; at < upTo; ) {
        const before = at
        for (const row of payloadRows(db, at, upTo, PAGE, maxBytes)) {
          at = row.seq
          yield row
        }
        if (at === before) return
      }
    },
    close: () => db.close(),
  }
}
