/** Reading the journal: filters, pages and rows. */
import type { Database } from 'bun:sqlite'
import type { ClientFacts, RawEvent, Transport } from '../events/index.ts'

export interface EventFilter {
  readonly session?: string
  readonly type?: string
  /** Only these types. */
  readonly types?: readonly string[]
  /** Only what came by one of these ways. */
  readonly transports?: readonly Transport[]
  readonly agent?: string
  readonly tool?: string
  /** Only these tools. */
  readonly tools?: readonly string[]
  /** Only these sequences. */
  readonly seqs?: readonly number[]
  /** A sub-agent's id. */
  readonly subagent?: string
  /** All agents except this one. */
  readonly except?: string
  /** Case-insensitive text in the payload. May return extra rows: payloads that are not text, and texts beyond ASCII. */
  readonly grep?: string
  /** The columns alone cannot decide. */
  readonly look?: boolean
  /** One half of all sessions, each whole, for one of two processes. */
  readonly half?: 0 | 1
  /** Only events after this sequence. */
  readonly after?: number
  /** Only events before this sequence. */
  readonly before?: number
  /** Only events received at or after this time, UTC milliseconds. */
  readonly since?: number
}

/** The stored part of an event; `agents/` parses the rest from `raw` again. */
export interface JournalRow extends RawEvent {
  readonly seq: number
  readonly type: string
  readonly native: string
  readonly sessionId: string
}

interface RawRow {
  seq: number
  id: string
  at: number
  received_at: number
  agent: string
  type: string
  native: string
  session_id: string
  transport: Transport
  client: string
  cut_from: number | null
  raw: string | Uint8Array
}

const COLUMNS = 'seq, id, at, received_at, agent, type, native, session_id, transport, client, cut_from, raw'

/** The newest `limit` rows that pass the filter, newest first. */
export function newestRows(db: Database, filter: EventFilter, limit: number): Iterable<JournalRow> {
  return select(db, filter, 'DESC', limit)
}

/** The oldest `limit` rows that pass the filter, oldest first: pages forward with `after`. */
export function oldestRows(db: Database, filter: EventFilter, limit: number): Iterable<JournalRow> {
  return select(db, filter, 'ASC', limit)
}

export function rowById(db: Database, id: string): JournalRow | undefined {
  const row = db.query<RawRow, [string]>(`SELECT ${COLUMNS} FROM events WHERE id = ?`).get(id)
  return row ? fromRaw(row) : undefined
}

export function rowBySeq(db: Database, seq: number): JournalRow | undefined {
  const row = db.query<RawRow, [number]>(`SELECT ${COLUMNS} FROM events WHERE seq = ?`).get(seq)
  return row ? fromRaw(row) : undefined
}

/** Client facts of a session's last hooks, without their payloads, which may be large. Newest first. */
export function lastClients(db: Database, agent: string, session: string, limit: number): ClientFacts[] {
  return db
    .query<{ client: string }, [string, string, number]>(
      'SELECT client FROM events WHERE session_id = ? AND agent = ? ORDER BY seq DESC LIMIT ?',
    )
    .all(session, agent, limit)
    .map(({ client }) => JSON.parse(client) as ClientFacts)
}

/** Events at these times among the last `among` of a session, newest first; no other payload is read. */
export function rowsAt(
  db: Database,
  {
    agent,
    session,
    times,
    among,
  }: { agent: string; session: string; times: readonly number[]; among: number },
): JournalRow[] {
  return db
    .query<RawRow, [string, string, number, string]>(
      `SELECT ${COLUMNS} FROM events WHERE seq IN (
         SELECT seq FROM (SELECT seq, at FROM events WHERE session_id = ? AND agent = ? ORDER BY seq DESC LIMIT ?)
         WHERE at IN (SELECT value FROM json_each(?))
       ) ORDER BY seq DESC`,
    )
    .all(session, agent, among, JSON.stringify(times))
    .map(fromRaw)
}

/** An event without its payload, which may be large: what the columns tell. */
export interface RowGlance {
  readonly seq: number
  readonly id: string
  readonly at: number
  readonly receivedAt: number
  readonly agent: string
  readonly type: string
  readonly native: string
  readonly sessionId: string
  readonly transport: Transport
  readonly agentId: string | null
  readonly tool: string | null
  readonly cwd: string | null
}

export function rowGlance(db: Database, seq: number): RowGlance | undefined {
  return (
    db
      .query<RowGlance, [number]>(
        `SELECT seq, id, at, received_at AS receivedAt, agent, type, native, session_id AS sessionId, transport,
                agent_id AS agentId, tool_name AS tool, cwd FROM events WHERE seq = ?`,
      )
      .get(seq) ?? undefined
  )
}

/** Some messages of the stream of decisions, newest first. */
export interface Decided {
  /** Events that were answered so. */
  readonly seqs: readonly number[]
  /** The message to go on before; undefined if there is none. */
  readonly next: number | undefined
}

export function decidedBefore(db: Database, decision: string, before: number, count: number): Decided {
  const rows = db
    .query<{ message: number; seq: number | null }, [number, number, string]>(
      `SELECT m.seq AS message, e.seq AS seq
         FROM (SELECT seq, id, type FROM bus_messages WHERE stream = 'DECISION_EVENTS' AND seq < ?
                ORDER BY seq DESC LIMIT ?) m
         LEFT JOIN events e ON m.type = ? AND e.id = m.id ORDER BY m.seq DESC`,
    )
    .all(before, count, decision)
  return {
    seqs: rows.flatMap(({ seq }) => seq ?? []),
    next: rows.length < count ? undefined : rows.at(-1)?.message,
  }
}

/** The last sequence received before `time`, by bisection: arrival times increase with the sequence. */
export function seqBefore(db: Database, time: number, lastSeq: number): number {
  const at = db.query<{ received_at: number }, [number]>(
    'SELECT received_at FROM events WHERE seq >= ? ORDER BY seq LIMIT 1',
  )
  let low = 0
  let high = lastSeq
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((at.get(middle)?.received_at ?? Number.POSITIVE_INFINITY) < time) low = middle
    else high = middle - 1
  }
  return low
}

/** The newest sequence, of a session or of all, with `count` others between it and `before`; 0 if there is none. */
export function seqBack(db: Database, session: string | undefined, before: number, count: number): number {
  if (session === undefined) return Math.max(0, before - 1 - count)
  const row = db
    .query<{ seq: number }, [string, number, number]>(
      'SELECT seq FROM events WHERE session_id = ? AND seq < ? ORDER BY seq DESC LIMIT 1 OFFSET ?',
    )
    .get(session, before, count)
  return row?.seq ?? 0
}

/** Yields one row at a time: a page of 8 MB events must never be in memory at once. */
function* select(db: Database, filter: EventFilter, order: 'ASC' | 'DESC', limit: number) {
  const { where, values } = conditions(filter)
  const sql = `SELECT ${COLUMNS} FROM events ${where} ORDER BY seq ${order} LIMIT ?`
  for (const row of db.query<RawRow, (string | number)[]>(sql).iterate(...values, limit)) yield fromRaw(row)
}

export function conditions(filter: EventFilter): { where: string; values: (string | number)[] } {
  const parts: string[] = []
  const values: (string | number)[] = []
  const add = (sql: string, value: string | number | undefined) => {
    if (value === undefined) return
    parts.push(sql)
    values.push(value)
  }
  add('session_id = ?', filter.session)
  add('type = ?', filter.type)
  add('type IN (SELECT value FROM json_each(?))', filter.types && JSON.stringify(filter.types))
  add('transport IN (SELECT value FROM json_each(?))', filter.transports && JSON.stringify(filter.transports))
  add('coalesce(unicode(substr(session_id, -1)), 0) % 2 = ?', filter.half)
  add('agent = ?', filter.agent)
  add('tool_name = ?', filter.tool)
  add('tool_name IN (SELECT value FROM json_each(?))', filter.tools && JSON.stringify(filter.tools))
  add('seq IN (SELECT value FROM json_each(?))', filter.seqs && JSON.stringify(filter.seqs))
  add('agent_id = ?', filter.subagent)
  add('agent <> ?', filter.except)
  add('seq > ?', filter.after)
  add('seq < ?', filter.before)
  add('received_at >= ?', filter.since)
  // Last, because it reads the payload. LIKE folds only ASCII letters and stops at a zero byte.
  if (filter.grep !== undefined) add(`(raw LIKE ? ESCAPE '\\' OR typeof(raw) = 'blob')`, likeOf(filter.grep))
  return { where: parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '', values }
}

const LIKE_CHARS = 1_000 // SQLite limits patterns to 50,000 bytes

/** The longest ASCII part of the text, as a LIKE pattern. */
function likeOf(text: string): string {
  const [longest = ''] = text.split(/[^\x20-\x7e]+/).sort((a, b) => b.length - a.length)
  return `%${longest.slice(0, LIKE_CHARS).replace(/[\\%_]/g, '\\$&')}%`
}

/** Whether the columns alone can decide for this text, if the payload is text. */
export function isPlainText(text: string): boolean {
  return text.length <= LIKE_CHARS && /^[\x20-\x7e]*$/.test(text)
}

function fromRaw(row: RawRow): JournalRow {
  return {
    seq: row.seq,
    id: row.id,
    at: row.at,
    receivedAt: row.received_at,
    agent: row.agent,
    type: row.type,
    native: row.native,
    sessionId: row.session_id,
    event: row.native,
    transport: row.transport,
    client: JSON.parse(row.client) as ClientFacts,
    ...(row.cut_from === null ? {} : { cutFrom: row.cut_from }),
    raw: row.raw,
  }
}
