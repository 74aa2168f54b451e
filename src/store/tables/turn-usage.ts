/**
 * Tokens and cost per session, turn and model, and how far each transcript was read: both in one transaction, so that each
 * line counts once.
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
  /** Those of unknown price. */
  readonly unpriced: number
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  readonly costUsd: number
}

export interface Reading {
  readonly path: string
  /** Distinguishes the file from another one of the same name. */
  readonly inode: number
  readonly offset: number
  /** The meter's state as JSON. */
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

  /** Call it inside a transaction. */
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
    return usageOfSession(this.#db, agent, sessionId, limit)
  }

  /** For the whole session including sub-agents. Tokens that the cache had already do not count. */
  costOf(
    agent: string,
    sessionId: string,
  ): { readonly costUsd: number; readonly unpriced: number; readonly tokens: number } {
    const sums = this.#db
      .query<{ costUsd: number; unpriced: number; tokens: number }, [string, string]>(
        `SELECT coalesce(sum(cost_usd), 0) AS costUsd, coalesce(sum(unpriced), 0) AS unpriced,
                coalesce(sum(input + cache_write + output), 0) AS tokens
           FROM turn_usage WHERE agent = ? AND session_id = ?`,
      )
      .get(agent, sessionId)
    return sums ?? { costUsd: 0, unpriced: 0, tokens: 0 }
  }

  reading(path: string): Reading | undefined {
    return (
      this.#db
        .query<Reading, [string]>('SELECT path, inode, offset, state FROM transcript_readings WHERE path = ?')
        .get(path) ?? undefined
    )
  }

  /** Call it inside a transaction. */
  setReading({ path, inode, offset, state }: Reading, at: number): void {
    this.#db
      .query<unknown, [string, number, number, string, number]>(
        'INSERT OR REPLACE INTO transcript_readings (path, inode, offset, state, at) VALUES (?, ?, ?, ?, ?)',
      )
      .run(path, inode, offset, state, at)
  }
}

/** Newest turn first. */
export function usageOfSession(
  db: Database,
  agent: string,
  sessionId: string,
  limit: number,
): TurnUsageRow[] {
  return db
    .query<TurnUsageRow, [string, string, number]>(
      `SELECT agent, session_id AS sessionId, agent_id AS agentId, turn, turn_at AS turnAt, model, requests, unpriced,
              input, cache_read AS cacheRead, cache_write AS cacheWrite, output, cost_usd AS costUsd
         FROM turn_usage WHERE agent = ? AND session_id = ? ORDER BY turn_at DESC, agent_id, model LIMIT ?`,
    )
    .all(agent, sessionId, limit)
}
