/**
 * Tokens and money by session, turn and model, and how far each transcript has been read for them: both in one transaction,
 * so that a line counts once.
 */
import type { Database, Statement } from 'bun:sqlite'

export interface TurnUsageRow {
  readonly agent: string
  readonly sessionId: string
  readonly agentId: string
  readonly turn: string
  readonly turnAt: number
  readonly model: string
  readonly requests: number
  /** Of those, the ones whose price nobody knows. */
  readonly unpriced: number
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  readonly costUsd: number
}

export interface Reading {
  readonly path: string
  /** Tells the file from another one of the same name. */
  readonly inode: number
  readonly offset: number
  /** JSON of the meter. */
  readonly state: string
}

export class TurnUsageRows {
  readonly #db: Database
  readonly #add: Statement<unknown, (string | number)[]>

  constructor(db: Database) {
    this.#db = db
    this.#add = db.prepare(
      `INSERT INTO turn_usage (agent, session_id, agent_id, turn, model, turn_at, requests, unpriced, input, cache_read,
                               cache_write, output, cost_usd)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (agent, session_id, agent_id, turn, model) DO UPDATE SET
         requests = requests + excluded.requests, unpriced = unpriced + excluded.unpriced,
         input = input + excluded.input, cache_read = cache_read + excluded.cache_read,
         cache_write = cache_write + excluded.cache_write, output = output + excluded.output,
         cost_usd = cost_usd + excluded.cost_usd`,
    )
  }

  /** Inside a transaction of the caller's. */
  add(row: TurnUsageRow): void {
    this.#add.run(
      row.agent,
      row.sessionId,
      row.agentId,
      row.turn,
      row.model,
      row.turnAt,
      row.requests,
      row.unpriced,
      row.input,
      row.cacheRead,
      row.cacheWrite,
      row.output,
      row.costUsd,
    )
  }

  /** Newest turn first. */
  ofSession(agent: string, sessionId: string, limit: number): TurnUsageRow[] {
    return this.#db
      .query<TurnUsageRow, [string, string, number]>(
        `SELECT agent, session_id AS sessionId, agent_id AS agentId, turn, turn_at AS turnAt, model, requests, unpriced,
                input, cache_read AS cacheRead, cache_write AS cacheWrite, output, cost_usd AS costUsd
           FROM turn_usage WHERE agent = ? AND session_id = ? ORDER BY turn_at DESC, agent_id, model LIMIT ?`,
      )
      .all(agent, sessionId, limit)
  }

  /** Of the whole session with its sub-agents. */
  costOf(agent: string, sessionId: string): { readonly costUsd: number; readonly unpriced: number } {
    const sums = this.#db
      .query<{ costUsd: number | null; unpriced: number | null }, [string, string]>(
        `SELECT SUM(cost_usd) AS costUsd, SUM(unpriced) AS unpriced
           FROM turn_usage WHERE agent = ? AND session_id = ?`,
      )
      .get(agent, sessionId)
    return { costUsd: sums?.costUsd ?? 0, unpriced: sums?.unpriced ?? 0 }
  }

  reading(path: string): Reading | undefined {
    return (
      this.#db
        .query<Reading, [string]>('SELECT path, inode, offset, state FROM transcript_readings WHERE path = ?')
        .get(path) ?? undefined
    )
  }

  /** Inside a transaction of the caller's. */
  setReading({ path, inode, offset, state }: Reading, at: number): void {
    this.#db
      .query<unknown, [string, number, number, string, number]>(
        'INSERT OR REPLACE INTO transcript_readings (path, inode, offset, state, at) VALUES (?, ?, ?, ?, ?)',
      )
      .run(path, inode, offset, state, at)
  }
}
