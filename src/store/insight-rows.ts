/** Rows for insights: events without payloads, and sums of usage. For a process beside the daemon. */
import type { Database } from 'bun:sqlite'
import { keyOf } from '../events/index.ts'
import type { UsageSum } from './tables/row-types.ts'
import { type TurnUsageRow, usageOfSession } from './tables/turn-usage.ts'

/** seq, at, received_at, agent, type, session_id, agent_id, tool_name, transport */
export type EventGlance = readonly [
  seq: number,
  at: number,
  receivedAt: number,
  agent: string,
  type: string,
  session: string,
  agentId: string | null,
  tool: string | null,
  transport: string,
]

export interface SessionGlance {
  readonly key: string
  readonly name: string
  readonly project: string | null
  readonly phase: string
}

export interface InsightRows {
  /** Some events after a sequence, without their payloads, in order. */
  glances(after: number, upTo: number): EventGlance[]
  /** What an event's payload says about the duration of its call. */
  durationOf(seq: number): number | undefined
  usage(since: number, until: number, limit: number): UsageSum[]
  /** Milliseconds from an event's arrival to its decision. */
  decisionTimes(since: number, until: number): number[]
  sessions(since: number): SessionGlance[]
  missed(since: number): { key: string; count: number; lastAt: number }[]
  /** What people call a session, and its project. */
  session(agent: string, id: string): { readonly name?: string; readonly project?: string } | undefined
  /** Newest turn first. */
  turnUsage(agent: string, session: string): TurnUsageRow[]
}

const MAX_USAGE_ROWS = 500

const DAY = (column: string) => `strftime('%Y-%m-%d', ${column} / 1000, 'unixepoch', 'localtime')`

/** The second part: sessions whose agent says only what all of it cost. */
const USAGE = `
  SELECT ${DAY('turn_at')} AS day, u.agent, u.model, coalesce(s.project, '') AS project, sum(requests) AS requests,
         sum(input) AS input, sum(cache_read) AS cacheRead, sum(cache_write) AS cacheWrite, sum(output) AS output,
         sum(u.cost_usd) AS costUsd, sum(unpriced) AS unpriced
    FROM turn_usage u LEFT JOIN sessions s ON s.key = u.agent || ':' || u.session_id
   WHERE turn_at >= ?1 AND turn_at < ?2
   GROUP BY 1, 2, 3, 4
  UNION ALL
  SELECT ${DAY('last_activity')}, agent, coalesce(model, ''), coalesce(project, ''), 0, 0, 0, 0, 0, sum(cost_usd), 0
    FROM sessions s
   WHERE last_activity >= ?1 AND last_activity < ?2 AND cost_usd > 0
     AND NOT EXISTS (SELECT 1 FROM turn_usage u WHERE u.agent = s.agent AND u.session_id = s.id)
   GROUP BY 1, 2, 3, 4
   ORDER BY 1, 10 DESC LIMIT ?3`

export function insightRows(db: Database): InsightRows {
  return {
    glances: (after, upTo) =>
      db
        .query<unknown, [number, number]>(
          `SELECT seq, at, received_at, agent, type, session_id, agent_id, tool_name, transport
             FROM events WHERE seq > ? AND seq <= ? ORDER BY seq`,
        )
        .values(after, upTo) as unknown as EventGlance[],
    durationOf: (seq) => {
      const found = db
        .query<{ ms: unknown }, [number]>(
          "SELECT CASE WHEN json_valid(raw) THEN raw ->> '$.duration_ms' END AS ms FROM events WHERE seq = ?",
        )
        .get(seq)?.ms
      return typeof found === 'number' && found >= 0 ? found : undefined
    },
    usage: (since, until, limit) =>
      db.query<UsageSum, [number, number, number]>(USAGE).all(since, until, limit),
    decisionTimes: (since, until) =>
      db
        .query<{ ms: number }, [number, number]>(
          `SELECT m.at - e.received_at AS ms FROM bus_messages m JOIN events e ON e.id = m.id
            WHERE m.stream = 'DECISION_EVENTS' AND m.at >= ? AND m.at < ?`,
        )
        .all(since, until)
        .map(({ ms }) => ms),
    sessions: (since) =>
      db
        .query<SessionGlance, [number]>(
          'SELECT key, name, project, phase FROM sessions WHERE last_activity >= ?',
        )
        .all(since),
    missed: (since) =>
      db
        .query<{ key: string; count: number; lastAt: number }, [number]>(
          "SELECT key, count, last_at AS lastAt FROM counters WHERE kind = 'missed' AND last_at >= ? ORDER BY count DESC",
        )
        .all(since),
    session: (agent, id) => {
      const found = db
        .query<{ name: string | null; project: string | null }, [string]>(
          'SELECT name, project FROM sessions WHERE key = ?',
        )
        .get(keyOf({ agent, sessionId: id }))
      if (!found) return undefined
      const { name, project } = found
      return { ...(name === null ? {} : { name }), ...(project === null ? {} : { project }) }
    },
    turnUsage: (agent, session) => usageOfSession(db, agent, session, MAX_USAGE_ROWS),
  }
}
