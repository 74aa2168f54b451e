/**
 * Session rows: the reducer's state up to a mark. Written shortly after the events, off the hook path. A start loads them
 * and continues from the mark, so nothing is lost and nothing waits. The state is opaque here; users query the view
 * `sessions`, which has columns.
 */
import type { Database, Statement } from 'bun:sqlite'

export interface SessionRow {
  readonly key: string
  readonly agent: string
  readonly sessionId: string
  readonly name: string
  readonly phase: string
  readonly seq: number
  readonly lastActivity: number
  readonly state: string
  /** Where it works, as people call it. Comes from files, so it is not part of the state. */
  readonly place: SessionPlace
}

export interface SessionPlace {
  readonly host?: string | undefined
  readonly project?: string | undefined
  readonly branch?: string | undefined
}

/** A place in the order of the last activity. */
export interface SessionCursor {
  readonly at: number
  readonly key: string
}

export interface SessionPage {
  readonly sessions: readonly { readonly state: string; readonly hasEnded: boolean }[]
  readonly next?: SessionCursor
}

interface PageRow {
  readonly key: string
  readonly at: number
  readonly ended: number
  readonly state: string | null
}

export class SessionRows {
  readonly #db: Database
  readonly #upsert: Statement<unknown, (string | number | null)[]>

  constructor(db: Database) {
    this.#db = db
    this.#upsert = db.prepare(
      `INSERT INTO session_states (key, agent, session_id, name, phase, seq, last_activity, state, host, project, branch)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET name = excluded.name, phase = excluded.phase, seq = excluded.seq,
         last_activity = excluded.last_activity, state = excluded.state, host = excluded.host,
         project = excluded.project, branch = excluded.branch`,
    )
  }

  /** The last event that the rows include. */
  get mark(): number {
    return (
      this.#db.query<{ seq: number }, []>("SELECT seq FROM marks WHERE name = 'sessions'").get()?.seq ?? 0
    )
  }

  /** Call it in the same transaction as the rows it covers. */
  setMark(seq: number): void {
    this.#db
      .query<unknown, [number]>("INSERT OR REPLACE INTO marks (name, seq) VALUES ('sessions', ?)")
      .run(seq)
  }

  /** Call it inside a transaction. */
  put(row: SessionRow): void {
    this.#upsert.run(
      row.key,
      row.agent,
      row.sessionId,
      row.name,
      row.phase,
      row.seq,
      row.lastActivity,
      row.state,
      row.place.host ?? null,
      row.place.project ?? null,
      row.place.branch ?? null,
    )
  }

  /**
   * States of sessions of interest, the last active first: all that have not ended, and those that ended since `since`. Reads
   * `limit` rows, so the answer may be shorter than the page; `next` goes on behind it, and is missing at the end.
   */
  page({
    since,
    after,
    limit,
  }: {
    since: number
    after?: SessionCursor | undefined
    limit: number
  }): SessionPage {
    const rows = this.#db
      .query<PageRow, [number, number, number, string, number]>(
        `SELECT key, last_activity AS at, phase = 'ended' AS ended,
                CASE WHEN phase <> 'ended' OR last_activity >= ? THEN state END AS state
           FROM session_states WHERE last_activity <= ? AND (last_activity < ? OR key > ?)
          ORDER BY last_activity DESC, key LIMIT ?`,
      )
      .all(
        since,
        after?.at ?? Number.MAX_SAFE_INTEGER,
        after?.at ?? Number.MAX_SAFE_INTEGER,
        after?.key ?? '',
        limit,
      )
    const last = rows.at(-1)
    return {
      sessions: rows.flatMap(({ state, ended }) => (state === null ? [] : { state, hasEnded: ended === 1 })),
      ...(last && rows.length === limit ? { next: { at: last.at, key: last.key } } : {}),
    }
  }

  hasName(name: string): boolean {
    return this.#db.query('SELECT 1 FROM session_states WHERE name = ? LIMIT 1').get(name) !== null
  }

  /** Native ids of the most recently active sessions, newest first. */
  lately(limit: number): string[] {
    return this.#db
      .query<{ id: string }, [number]>(
        "SELECT session_id AS id FROM session_states WHERE session_id <> '' ORDER BY last_activity DESC LIMIT ?",
      )
      .all(limit)
      .map(({ id }) => id)
  }

  get(key: string): string | undefined {
    return this.#db
      .query<{ state: string }, [string]>('SELECT state FROM session_states WHERE key = ?')
      .get(key)?.state
  }

  /** Any session ever, by key, native id or name; the newest if several match. */
  find(text: string): string | undefined {
    return this.#db
      .query<{ state: string }, [string, string, string]>(
        'SELECT state FROM session_states WHERE key = ? OR session_id = ? OR name = ? ORDER BY last_activity DESC LIMIT 1',
      )
      .get(text, text, text)?.state
  }
}
