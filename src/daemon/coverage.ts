/**
 * What hooks saw of the agents' tool calls, from the journal and the counters: guarded, observed only, or blind. The journal
 * is read in a process of its own; what comes back is one row for each agent, version and tool.
 */
import { GantryError } from '../core/errors.ts'
import { missedReason } from '../events/missed.ts'
import type { ReadProcesses } from '../journal/query-process.ts'
import type { Coverage, CoverageRow } from '../rpc/index.ts'
import type { Counter, Store } from '../store/index.ts'

const MAX_ROWS = 1_000

const WAITED = "transport IN ('socket', 'http', 'rpc')"
/** A payload that was cut, or is nested more deeply than SQLite reads: nobody could judge it. A short one is neither. */
const READ = 'cut_from IS NULL AND (octet_length(raw) < 2000 OR json_valid(raw))'

const sqlSince = (seq: number) => `
  WITH calls AS (
    SELECT CASE WHEN type = 'ToolCallUncovered' THEN raw ->> '$.of_agent' ELSE agent END AS agent,
           agent_version AS version, session_id, tool_name AS tool,
           sum(type = 'PreToolUse' AND ${WAITED} AND ${READ}) AS guarded,
           sum(type = 'PreToolUse') AS announced,
           sum(type IN ('PostToolUse', 'PostToolUseFailure')) AS ended,
           sum(type = 'ToolCallUncovered') AS blind,
           max(at) AS last
      FROM events
     WHERE seq > ${seq} AND tool_name IS NOT NULL
       AND type IN ('PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'ToolCallUncovered')
       AND transport NOT IN ('replay', 'import')
     GROUP BY 1, 2, 3, 4)
  SELECT calls.agent, coalesce(calls.version, states.state ->> '$.agentVersion') AS version, tool,
         sum(guarded), sum(announced), sum(ended), sum(blind), max(last)
    FROM calls LEFT JOIN session_states AS states ON states.key = calls.agent || ':' || calls.session_id
   GROUP BY 1, 2, 3
   ORDER BY 1, 2 DESC, 3`

export interface CoverageParts {
  readonly store: Pick<Store, 'seqBefore' | 'counters'>
  readonly processes: ReadProcesses
}

export async function coverageSince(
  { store, processes }: CoverageParts,
  since: number,
  signal: AbortSignal | undefined,
): Promise<Coverage> {
  const sql = sqlSince(store.seqBefore(since))
  const { line } = await processes.ask({ sql, limit: MAX_ROWS }, signal)
  const answer = JSON.parse(line.toString()) as {
    ok: boolean
    message?: string
    data?: { rows: unknown[][] }
  }
  if (!answer.ok || !answer.data)
    throw new GantryError('DATABASE', answer.message ?? 'The journal gave no answer.')
  const counters = store.counters.all().filter(({ lastAt }) => lastAt >= since)
  return {
    since,
    rows: withBlind(answer.data.rows.map(rowOf), ofKind(counters, 'blind')),
    missed: ofKind(counters, 'missed').map(({ key, count, lastAt }) => ({
      ...missedReason(key),
      count,
      lastAt,
    })),
  }
}

function ofKind(counters: readonly Counter[], kind: string): Counter[] {
  return counters.filter((one) => one.kind === kind)
}

function rowOf([agent, version, tool, guarded, announced, ended, blind, last]: unknown[]): CoverageRow {
  const [answered, called] = [Number(guarded), Number(announced)]
  const observed = called - answered + Math.max(0, Number(ended) - called)
  return judged({
    agent: String(agent),
    version: version === null ? null : String(version),
    tool: String(tool),
    guarded: answered,
    observed,
    blind: Number(blind),
    lastAt: Number(last),
  })
}

/** Tools for which the agent has no hooks; they are only in its transcript. */
function withBlind(rows: readonly CoverageRow[], blind: readonly Counter[]): CoverageRow[] {
  const more = blind.map(({ key, count, lastAt }): CoverageRow => {
    const [agent = '', version = '', ...tool] = key.split(' ')
    const counts = { guarded: 0, observed: 0, blind: count }
    return {
      agent,
      version: version === '?' ? null : version,
      tool: tool.join(' '),
      ...counts,
      lastAt,
      level: 'blind',
      says: `${agent} has no hooks for this tool: no rule or guard sees it. What it runs is in the transcript`,
    }
  })
  return [...rows, ...more]
}

type Counted = Omit<CoverageRow, 'level' | 'says'>

function judged(row: Counted): CoverageRow {
  const { guarded, observed, blind } = row
  const level = guarded > 0 ? 'guarded' : observed > 0 ? 'observed' : 'blind'
  const says = blind > 0 ? OFF : level === 'observed' ? LATE : undefined
  return { ...row, level, ...(says === undefined ? {} : { says }) }
}

const OFF =
  'no hook announced these calls: hooks were off, not trusted, or the agent ran without its settings. Run: gantry doctor'
const LATE =
  'gantry was away, could not read the call, or no PreToolUse hook is wired, so nobody could decide. Run: gantry doctor'
