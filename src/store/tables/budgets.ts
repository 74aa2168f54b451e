/**
 * What sessions used, summed by day, agent, project and effort, and how far each budget was raised. The row of a session
 * says how much of it is in the sums; both are written in one transaction, so that nothing counts twice or is forgotten.
 */
import type { Database, Statement } from 'bun:sqlite'

/** What was used, of all that a budget can cap. */
export interface Use {
  readonly costUsd: number
  readonly tokens: number
  readonly toolCalls: number
  readonly wallMs: number
}

export interface UseKey {
  /** As in `2026-03-01`, by this machine's clock. */
  readonly day: string
  readonly agent: string
  /** The root of the repository, else the folder. */
  readonly project: string
  /** The id of the effort; empty outside of efforts. */
  readonly effort: string
}

/** Of one cap of a budget, for one session, effort, project or day. */
export interface BudgetState {
  readonly budget: string
  readonly scope: string
  readonly cap: string
  /** By how much a person raised it. */
  readonly extra: number
  /** The percentage that was reported last. */
  readonly told: number
}

const SUMS = `coalesce(sum(cost_usd), 0) AS costUsd, coalesce(sum(tokens), 0) AS tokens,
  coalesce(sum(tool_calls), 0) AS toolCalls, coalesce(sum(wall_ms), 0) AS wallMs`

export class BudgetRows {
  readonly #db: Database
  readonly #add: Statement<unknown, (string | number)[]>
  readonly #put: Statement<unknown, (string | number)[]>

  constructor(db: Database) {
    this.#db = db
    this.#add = db.prepare(
      `INSERT INTO usage_days (day, agent, project, effort, cost_usd, tokens, tool_calls, wall_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (day, agent, project, effort) DO UPDATE SET
         cost_usd = cost_usd + excluded.cost_usd, tokens = tokens + excluded.tokens,
         tool_calls = tool_calls + excluded.tool_calls, wall_ms = wall_ms + excluded.wall_ms`,
    )
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO usage_sessions (session, cost_usd, tokens, tool_calls, wall_ms, at)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
  }

  /** How much of a session is in the sums. */
  counted(session: string): Use | undefined {
    return (
      this.#db
        .query<Use, [string]>(
          `SELECT cost_usd AS costUsd, tokens, tool_calls AS toolCalls, wall_ms AS wallMs
             FROM usage_sessions WHERE session = ?`,
        )
        .get(session) ?? undefined
    )
  }

  /** When anything was counted last; 0 if never. */
  lastCount(): number {
    return (
      this.#db.query<{ at: number | null }, []>('SELECT max(at) AS at FROM usage_sessions').get()?.at ?? 0
    )
  }

  /** Call this and `setCounted` inside one transaction. */
  add({ day, agent, project, effort }: UseKey, { costUsd, tokens, toolCalls, wallMs }: Use): void {
    this.#add.run(day, agent, project, effort, costUsd, tokens, toolCalls, wallMs)
  }

  setCounted(session: string, { costUsd, tokens, toolCalls, wallMs }: Use, at: number): void {
    this.#put.run(session, costUsd, tokens, toolCalls, wallMs, at)
  }

  /** The sums of one day, project or effort, by agent, project and effort. */
  sums(by: 'day' | 'project' | 'effort', name: string): (UseKey & Use)[] {
    return this.#db
      .query<UseKey & Use, [string]>(
        `SELECT '' AS day, agent, project, effort, ${SUMS} FROM usage_days WHERE ${by} = ?
          GROUP BY agent, project, effort`,
      )
      .all(name)
  }

  /** Projects or efforts that used something since a day. */
  usedSince(by: 'project' | 'effort', day: string, limit: number): string[] {
    return this.#db
      .query<{ name: string }, [string, number]>(
        `SELECT DISTINCT ${by} AS name FROM usage_days WHERE day >= ? AND ${by} <> '' LIMIT ?`,
      )
      .all(day, limit)
      .map(({ name }) => name)
  }

  states(budget: string, scope: string): BudgetState[] {
    return this.#db
      .query<BudgetState, [string, string]>(
        'SELECT budget, scope, cap, extra, told FROM budget_states WHERE budget = ? AND scope = ?',
      )
      .all(budget, scope)
  }

  /** Call it inside a transaction. */
  setState({ budget, scope, cap, extra, told }: BudgetState, at: number): void {
    this.#db
      .query<unknown, [string, string, string, number, number, number]>(
        'INSERT OR REPLACE INTO budget_states (budget, scope, cap, extra, told, at) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(budget, scope, cap, extra, told, at)
  }
}
