/**
 * How long each table's rows are kept; shown in docs/sql.md. `retainSlice` applies rules with `gone` in this order: a row
 * is deleted before the rows it refers to. The other rules name the limit that other code enforces. Numbers: kept.ts.
 */
import { days, KEPT, many, mebibytes } from './kept.ts'

/** The value of `?1`: the time limit of `retention.max_days`, the long one, or the first sequence in the journal. */
type Until = 'max_days' | 'long' | 'journal'

export interface RetentionRule {
  readonly table: string
  readonly kept: string
  readonly gone?: {
    readonly until?: Until
    /** Columns that identify a row. */
    readonly key: string
    readonly where: string
  }
}

/** Efforts that finished long ago. The newest of each task stays, because files in the task's folder carry its number. */
const OLD_EFFORTS = `(SELECT id FROM efforts WHERE finished_at < ?1
  AND ordinal < (SELECT max(ordinal) FROM efforts newer WHERE newer.task_id = efforts.task_id))`

const WITH_EVENTS = 'as long as their events'
const MAX_DAYS = '`retention.max_days`'
const LONG = days(KEPT.longDays)
const AFTER_EFFORT = `${LONG} after their effort has finished; those of the newest effort of a task stay`
const FOREVER = 'until they are replaced or removed; a few'

export const RETENTION: readonly RetentionRule[] = [
  { table: 'events', kept: `${MAX_DAYS}, and the newest that fit into \`retention.max_mb\`` },
  {
    table: 'event_kinds',
    kept: WITH_EVENTS,
    gone: { until: 'journal', key: 'block, agent, type, tool', where: 'block < ?1 / 4096' },
  },
  {
    table: 'event_contexts',
    kept: WITH_EVENTS,
    gone: {
      until: 'journal',
      key: 'rowid',
      where: `seq < ?1 AND (
        EXISTS (SELECT 1 FROM event_contexts later
                 WHERE later.agent = event_contexts.agent AND later.session_id = event_contexts.session_id
                   AND later.agent_id = event_contexts.agent_id
                   AND later.seq > event_contexts.seq AND later.seq <= ?1)
        OR NOT EXISTS (SELECT 1 FROM events WHERE events.session_id = event_contexts.session_id))`,
    },
  },
  {
    table: 'file_changes',
    kept: WITH_EVENTS,
    gone: { until: 'journal', key: 'seq, path', where: 'seq < ?1' },
  },
  {
    table: 'turn_usage',
    kept: MAX_DAYS,
    gone: { until: 'max_days', key: 'agent, session_id, agent_id, turn, model', where: 'turn_at < ?1' },
  },
  {
    table: 'transcript_readings',
    kept: MAX_DAYS,
    gone: { until: 'max_days', key: 'path', where: 'at < ?1' },
  },
  {
    table: 'usage_days',
    kept: LONG,
    gone: {
      until: 'long',
      key: 'day, agent, project, effort',
      where: "day < strftime('%Y-%m-%d', ?1 / 1000, 'unixepoch')",
    },
  },
  {
    table: 'usage_sessions',
    kept: 'as long as their session',
    gone: {
      until: 'max_days',
      key: 'session',
      where: 'at < ?1 AND session NOT IN (SELECT key FROM session_states)',
    },
  },
  {
    table: 'budget_states',
    kept: LONG,
    gone: { until: 'long', key: 'budget, scope, cap', where: 'at < ?1' },
  },
  {
    table: 'processes',
    kept: 'as long as their session',
    gone: {
      until: 'max_days',
      key: 'session',
      where: `session IN (SELECT key FROM session_states WHERE phase = 'ended' AND last_activity < ?1)
        OR (session NOT IN (SELECT key FROM session_states)
            AND NOT EXISTS (SELECT 1 FROM events WHERE session_id = substr(session, instr(session, ':') + 1)))`,
    },
  },
  {
    table: 'session_states',
    kept: `${MAX_DAYS} after they ended`,
    gone: { until: 'max_days', key: 'key', where: "phase = 'ended' AND last_activity < ?1" },
  },
  {
    table: 'messages',
    kept: `${MAX_DAYS} after their window ended; ${many(KEPT.windowMessages)} of a window`,
    gone: {
      until: 'max_days',
      key: 'id',
      where: 'session_id IN (SELECT id FROM effort_windows WHERE ended_at < ?1)',
    },
  },
  {
    table: 'phase_history',
    kept: AFTER_EFFORT,
    gone: { until: 'long', key: 'id', where: `effort_id IN ${OLD_EFFORTS}` },
  },
  {
    table: 'effort_windows',
    kept: AFTER_EFFORT,
    gone: {
      until: 'long',
      key: 'id',
      where: `effort_id IN ${OLD_EFFORTS} AND NOT EXISTS (SELECT 1 FROM messages WHERE session_id = effort_windows.id)
        AND NOT EXISTS (SELECT 1 FROM effort_windows later WHERE later.prev_session_id = effort_windows.id)`,
    },
  },
  {
    table: 'efforts',
    kept: `${LONG} after they finished; the newest of a task stays`,
    gone: {
      until: 'long',
      key: 'id',
      where: `id IN ${OLD_EFFORTS} AND id NOT IN (SELECT effort_id FROM effort_windows)
        AND id NOT IN (SELECT effort_id FROM phase_history)`,
    },
  },
  {
    table: 'tasks',
    kept: `as long as they have an effort; ${LONG} without one`,
    gone: {
      until: 'long',
      key: 'dir_path',
      where: 'created_at < ?1 AND dir_path NOT IN (SELECT task_id FROM efforts)',
    },
  },
  { table: 'agents', kept: LONG, gone: { until: 'long', key: 'id', where: 'updated_at < ?1' } },
  {
    table: 'notifications',
    kept: `the last ${many(KEPT.notifications)}`,
    gone: {
      key: 'id',
      where: `id <= (SELECT max(id) FROM notifications) - ${KEPT.notifications}`,
    },
  },
  {
    table: 'bus_messages',
    kept: `the last ${many(KEPT.streamMessages)} or ${mebibytes(KEPT.streamBytes)} of a stream`,
  },
  { table: 'outbox_marks', kept: `${days(KEPT.outboxMarksDays)}, and ${many(KEPT.outboxMarks)} at most` },
  { table: 'outbox_letters', kept: `${many(KEPT.deadLetters)} dead ones of a target` },
  { table: 'signals', kept: `the last ${many(KEPT.signals)}` },
  { table: 'counters', kept: `${many(KEPT.counters)} in all` },
  { table: 'schema_shapes', kept: 'those of the versions being learned' },
  { table: 'schema_baselines', kept: `the last ${many(KEPT.baselines)}` },
  { table: 'schema_drifts', kept: `the open ones, and the last ${many(KEPT.acceptedDrifts)} accepted ones` },
  { table: 'projects', kept: FOREVER },
  { table: 'handlers', kept: FOREVER },
  { table: 'consumers', kept: FOREVER },
  { table: 'marks', kept: FOREVER },
  { table: 'bus_state', kept: FOREVER },
  { table: 'outbox_targets', kept: FOREVER },
]
