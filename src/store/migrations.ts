/**
 * The schema, step by step, forward only. A released step is never edited; a test upgrades every older version and compares
 * the result with a new database.
 */
import type { Database } from 'bun:sqlite'
import { GantryError } from '../core/errors.ts'

export const MIGRATIONS: readonly string[] = [
  // 1: the journal, and counters of anomalies
  `CREATE TABLE events (
     seq           INTEGER PRIMARY KEY,
     id            TEXT NOT NULL UNIQUE,
     at            INTEGER NOT NULL,
     received_at   INTEGER NOT NULL,
     agent         TEXT NOT NULL,
     agent_version TEXT,
     type          TEXT NOT NULL,
     native        TEXT NOT NULL,
     session_id    TEXT NOT NULL,
     agent_id      TEXT,
     tool_name     TEXT,
     cwd           TEXT,
     transport     TEXT NOT NULL,
     client        TEXT NOT NULL,
     cut_from      INTEGER,
     raw           NOT NULL
   );
   CREATE INDEX events_by_session ON events (session_id, seq);
   CREATE TABLE counters (
     kind     TEXT NOT NULL,
     key      TEXT NOT NULL,
     count    INTEGER NOT NULL,
     first_at INTEGER NOT NULL,
     last_at  INTEGER NOT NULL,
     PRIMARY KEY (kind, key)
   ) WITHOUT ROWID;`,
  // 2: session states from the reducer
  `CREATE TABLE session_states (
     key           TEXT PRIMARY KEY,
     agent         TEXT NOT NULL,
     session_id    TEXT NOT NULL,
     name          TEXT NOT NULL,
     phase         TEXT NOT NULL,
     seq           INTEGER NOT NULL,
     last_activity INTEGER NOT NULL,
     state         TEXT NOT NULL
   );
   CREATE INDEX session_states_by_id ON session_states (session_id);
   CREATE TABLE marks (name TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;`,
  // 3: the bus: other streams, consumers, outgoing messages and handlers
  `CREATE TABLE bus_messages (
     stream     TEXT NOT NULL,
     seq        INTEGER NOT NULL,
     id         TEXT NOT NULL,
     at         INTEGER NOT NULL,
     type       TEXT NOT NULL,
     agent      TEXT NOT NULL,
     native     TEXT NOT NULL,
     session_id TEXT NOT NULL,
     data       TEXT NOT NULL,
     PRIMARY KEY (stream, seq)
   ) WITHOUT ROWID;
   CREATE INDEX bus_messages_by_session ON bus_messages (stream, session_id, seq);
   CREATE INDEX session_states_by_activity ON session_states (last_activity, session_id);
   CREATE TABLE consumers (
     stream        TEXT NOT NULL,
     name          TEXT NOT NULL,
     filter        TEXT NOT NULL,
     ack_wait_ms   INTEGER NOT NULL,
     max_in_flight INTEGER NOT NULL,
     created_at    INTEGER NOT NULL,
     active_at     INTEGER NOT NULL,
     cursor        INTEGER NOT NULL,
     start         INTEGER NOT NULL,
     pending       TEXT NOT NULL,
     missed        INTEGER NOT NULL,
     PRIMARY KEY (stream, name)
   ) WITHOUT ROWID;
   CREATE TABLE outbox_marks (
     target TEXT NOT NULL,
     stream TEXT NOT NULL,
     seq    INTEGER NOT NULL,
     at     INTEGER NOT NULL,
     PRIMARY KEY (target, stream, seq)
   ) WITHOUT ROWID;
   CREATE TABLE outbox_letters (
     target          TEXT NOT NULL,
     stream          TEXT NOT NULL,
     seq             INTEGER NOT NULL,
     id              TEXT NOT NULL,
     session_id      TEXT NOT NULL,
     attempt_count   INTEGER NOT NULL,
     next_attempt_at INTEGER NOT NULL,
     last_error      TEXT,
     dead_at         INTEGER,
     PRIMARY KEY (target, stream, seq)
   ) WITHOUT ROWID;
   CREATE TABLE bus_state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE handlers (
     id         TEXT PRIMARY KEY,
     events     TEXT NOT NULL,
     command    TEXT NOT NULL,
     priority   INTEGER NOT NULL,
     created_at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE VIEW hook_outbox AS
     SELECT seq AS id, session_id, event_type,
            json_object('session_id', session_id, 'event_type', event_type,
                        'data', CASE WHEN json_valid(raw) THEN json(raw) ELSE json_object('raw', CAST(raw AS TEXT)) END) AS payload,
            created_at, next_attempt_at, attempt_count, last_error,
            CASE WHEN waits THEN NULL ELSE
              (SELECT at FROM outbox_marks m WHERE m.target = 'jetstream' AND m.stream = 'HOOK_EVENTS' AND m.seq >= journal.seq
               ORDER BY m.seq LIMIT 1) END AS delivered_at,
            NULL AS locked_at
       FROM (SELECT e.seq, e.session_id, e.raw, e.received_at AS created_at,
                    coalesce(l.next_attempt_at, e.received_at) AS next_attempt_at,
                    coalesce(l.attempt_count, 0) AS attempt_count, l.last_error, l.seq IS NOT NULL AS waits,
                    CASE CASE e.native WHEN 'Notification' THEN e.native ELSE e.type END
                                WHEN 'SessionStart' THEN 'session_start' WHEN 'SessionEnd' THEN 'session_end'
                                WHEN 'UserPromptSubmit' THEN 'prompt' WHEN 'PreToolUse' THEN 'tool_use'
                                WHEN 'PostToolUse' THEN 'tool_done' WHEN 'PostToolUseFailure' THEN 'tool_done'
                                WHEN 'Notification' THEN 'notification' WHEN 'Stop' THEN 'stop'
                                WHEN 'StopFailure' THEN 'stop' END AS event_type
               FROM events e LEFT JOIN outbox_letters l
                 ON l.target = 'jetstream' AND l.stream = 'HOOK_EVENTS' AND l.seq = e.seq
              WHERE e.seq > (SELECT min(max(seq) - 10000,
                                        coalesce((SELECT max(seq) FROM outbox_marks
                                                   WHERE target = 'jetstream' AND stream = 'HOOK_EVENTS'), max(seq)))
                               FROM events)
                 OR e.seq IN (SELECT seq FROM outbox_letters WHERE target = 'jetstream' AND stream = 'HOOK_EVENTS')
            ) AS journal
      WHERE event_type IS NOT NULL;`,
  // 4: work that outlives a context window: task › effort › session
  `CREATE TABLE projects (
     id         INTEGER PRIMARY KEY,
     path       TEXT NOT NULL UNIQUE,
     name       TEXT NOT NULL,
     created_at INTEGER NOT NULL
   );
   CREATE TABLE tasks (
     dir_path   TEXT PRIMARY KEY,
     project_id INTEGER NOT NULL REFERENCES projects (id),
     title      TEXT NOT NULL,
     keywords   TEXT NOT NULL,
     created_at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE efforts (
     id                    INTEGER PRIMARY KEY,
     task_id               TEXT NOT NULL REFERENCES tasks (dir_path),
     agent_id              TEXT,
     skill                 TEXT NOT NULL,
     mode                  TEXT,
     ordinal               INTEGER NOT NULL,
     lifecycle             TEXT NOT NULL,
     current_phase         TEXT,
     discovered_directives TEXT NOT NULL,
     metadata              TEXT NOT NULL,
     created_at            INTEGER NOT NULL,
     finished_at           INTEGER,
     UNIQUE (task_id, ordinal)
   );
   CREATE INDEX efforts_active ON efforts (id) WHERE lifecycle = 'active';
   CREATE TABLE sessions (
     id                  INTEGER PRIMARY KEY,
     effort_id           INTEGER NOT NULL REFERENCES efforts (id),
     prev_session_id     INTEGER REFERENCES sessions (id),
     agent               TEXT NOT NULL,
     native_id           TEXT NOT NULL,
     agent_id            TEXT NOT NULL,
     heartbeat_counter   INTEGER NOT NULL,
     context_usage       REAL NOT NULL,
     loaded_files        TEXT NOT NULL,
     dehydration_payload TEXT,
     run_id              TEXT,
     started_at          INTEGER NOT NULL,
     ended_at            INTEGER,
     end_reason          TEXT
   );
   CREATE INDEX sessions_by_native ON sessions (native_id, agent, agent_id, id);
   CREATE INDEX sessions_by_effort ON sessions (effort_id, id);
   CREATE TABLE messages (
     id         INTEGER PRIMARY KEY,
     session_id INTEGER NOT NULL REFERENCES sessions (id),
     role       TEXT NOT NULL,
     content    TEXT NOT NULL,
     tool_name  TEXT,
     at         INTEGER NOT NULL
   );
   CREATE INDEX messages_by_session ON messages (session_id, id);
   CREATE TABLE agents (
     id         TEXT PRIMARY KEY,
     label      TEXT NOT NULL,
     effort_id  INTEGER,
     status     TEXT NOT NULL,
     detail     TEXT,
     updated_at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE phase_history (
     id        INTEGER PRIMARY KEY,
     effort_id INTEGER NOT NULL REFERENCES efforts (id),
     phase     TEXT NOT NULL,
     at        INTEGER NOT NULL
   );
   CREATE INDEX phase_history_by_effort ON phase_history (effort_id, id);`,
  // 5: payload schemas: learned, expected, and their differences
  `CREATE TABLE schema_shapes (
     agent    TEXT NOT NULL,
     version  TEXT NOT NULL,
     event    TEXT NOT NULL,
     tool     TEXT NOT NULL,
     count    INTEGER NOT NULL,
     fields   INTEGER NOT NULL,
     first_at INTEGER NOT NULL,
     last_at  INTEGER NOT NULL,
     shape    TEXT NOT NULL,
     UNIQUE (agent, version, event, tool)
   );
   CREATE TABLE schema_drifts (
     key         TEXT PRIMARY KEY,
     agent       TEXT NOT NULL,
     version     TEXT NOT NULL,
     event       TEXT NOT NULL,
     tool        TEXT NOT NULL,
     path        TEXT NOT NULL,
     kind        TEXT NOT NULL,
     severity    TEXT NOT NULL,
     was         TEXT,
     now         TEXT,
     message     TEXT NOT NULL,
     cause       TEXT NOT NULL,
     at          INTEGER NOT NULL,
     accepted_at INTEGER
   ) WITHOUT ROWID;
   CREATE TABLE schema_baselines (
     agent    TEXT NOT NULL,
     version  TEXT NOT NULL,
     at       INTEGER NOT NULL,
     baseline TEXT NOT NULL,
     PRIMARY KEY (agent, version)
   );`,
  // 6: event contexts, changed files, and usage of turns
  `CREATE TABLE event_contexts (
     agent       TEXT NOT NULL,
     session_id  TEXT NOT NULL,
     agent_id    TEXT NOT NULL,
     seq         INTEGER NOT NULL,
     prompt_id   TEXT,
     project_dir TEXT,
     git         TEXT,
     UNIQUE (agent, session_id, agent_id, seq)
   );
   CREATE INDEX event_contexts_by_seq ON event_contexts (seq);
   CREATE TABLE file_changes (
     seq        INTEGER NOT NULL,
     path       TEXT NOT NULL,
     agent      TEXT NOT NULL,
     session_id TEXT NOT NULL,
     agent_id   TEXT NOT NULL,
     change     TEXT NOT NULL,
     PRIMARY KEY (seq, path)
   ) WITHOUT ROWID;
   CREATE INDEX file_changes_by_session ON file_changes (agent, session_id, seq);
   CREATE TABLE turn_usage (
     agent       TEXT NOT NULL,
     session_id  TEXT NOT NULL,
     agent_id    TEXT NOT NULL,
     turn        TEXT NOT NULL,
     model       TEXT NOT NULL,
     turn_at     INTEGER NOT NULL,
     requests    INTEGER NOT NULL,
     unpriced    INTEGER NOT NULL,
     input       INTEGER NOT NULL,
     cache_read  INTEGER NOT NULL,
     cache_write INTEGER NOT NULL,
     output      INTEGER NOT NULL,
     cost_usd    REAL NOT NULL,
     PRIMARY KEY (agent, session_id, agent_id, turn, model)
   ) WITHOUT ROWID;
   CREATE INDEX turn_usage_by_time ON turn_usage (turn_at);
   CREATE TABLE transcript_readings (
     path   TEXT PRIMARY KEY,
     inode  INTEGER NOT NULL,
     offset INTEGER NOT NULL,
     state  TEXT NOT NULL,
     at     INTEGER NOT NULL
   ) WITHOUT ROWID;`,
  // Sent notifications.
  `CREATE TABLE notifications (
     id       INTEGER PRIMARY KEY,
     occasion TEXT NOT NULL,
     channel  TEXT NOT NULL,
     reason   TEXT NOT NULL,
     session  TEXT NOT NULL,
     title    TEXT NOT NULL,
     body     TEXT NOT NULL,
     at       INTEGER NOT NULL,
     outcome  TEXT NOT NULL,
     detail   TEXT NOT NULL,
     UNIQUE (occasion, channel)
   );`,
  // Signals, until a coordinator has received them.
  `CREATE TABLE signals (
     n      INTEGER PRIMARY KEY,
     kind   TEXT NOT NULL,
     about  TEXT NOT NULL,
     detail TEXT,
     at     INTEGER NOT NULL
   );`,
  // What a window was told about earlier ones. Windows from before this step count as informed.
  `ALTER TABLE sessions ADD COLUMN recovered_from INTEGER;
   UPDATE sessions SET recovered_from = coalesce(prev_session_id, 0) WHERE agent_id = '';`,
  // The effort of a signal, for coordinators that wait for some efforts only.
  'ALTER TABLE signals ADD COLUMN effort_id INTEGER;',
  // The process of each session, so that its end is noticed even if it happened unobserved.
  `CREATE TABLE processes (
     session TEXT PRIMARY KEY,
     pid     INTEGER NOT NULL,
     start   TEXT NOT NULL,
     boot    TEXT NOT NULL
   ) WITHOUT ROWID;`,
  // `sessions` now means what `gantry sessions` shows; efforts' context windows have their own name.
  `ALTER TABLE sessions RENAME TO effort_windows;
   DROP INDEX sessions_by_native;
   DROP INDEX sessions_by_effort;
   CREATE INDEX effort_windows_by_native ON effort_windows (native_id, agent, agent_id, id);
   CREATE INDEX effort_windows_by_effort ON effort_windows (effort_id, id);
   CREATE VIEW engine_sessions AS
     SELECT id, effort_id, prev_session_id, heartbeat_counter, context_usage, loaded_files, dehydration_payload,
            started_at, ended_at
       FROM effort_windows;
   ALTER TABLE session_states ADD COLUMN host TEXT;
   ALTER TABLE session_states ADD COLUMN project TEXT;
   ALTER TABLE session_states ADD COLUMN branch TEXT;
   CREATE VIEW sessions AS
     SELECT session_id AS id, name, agent,
            coalesce(project, nullif(replace(state ->> '$.cwd', rtrim(state ->> '$.cwd', replace(state ->> '$.cwd', '/', '')), ''), ''))
              AS project,
            branch, phase,
            CASE phase
              WHEN 'ended' THEN state ->> '$.endReason'
              WHEN 'blocked' THEN (SELECT value ->> '$.reason' FROM json_each(state, '$.attention')
                                    WHERE value ->> '$.kind' IN ('permission', 'question', 'plan', 'elicitation')
                                    ORDER BY key LIMIT 1)
              ELSE coalesce(state ->> '$.attention[0].reason', state ->> '$.detail') END AS reason,
            state ->> '$.startedAt' AS started_at, last_activity, state ->> '$.endedAt' AS ended_at,
            state ->> '$.usage.costUsd' AS cost_usd, state ->> '$.usage.contextPct' AS context_pct,
            state ->> '$.lastPrompt' AS last_prompt, state ->> '$.lastPrompt' AS last_message_sent,
            state ->> '$.lastPromptAt' AS last_message_sent_at,
            state ->> '$.pid' AS pid, state ->> '$.pane' AS pane, host,
            key, state ->> '$.cwd' AS cwd, state ->> '$.model' AS model,
            coalesce(state ->> '$.title', state ->> '$.summary.title') AS title,
            state ->> '$.lastMessage' AS last_message, state ->> '$.usage.tokens' AS tokens,
            state ->> '$.transcriptPath' AS transcript_path, state ->> '$.permissionMode' AS permission_mode,
            state ->> '$.prevSessionId' AS prev_session_id
       FROM session_states;`,
  // Who a message waits for: current targets and durable consumers. The daemon writes the targets, see outbox-targets.
  `CREATE TABLE outbox_targets (
     target          TEXT NOT NULL,
     stream          TEXT NOT NULL,
     attempt_count   INTEGER NOT NULL,
     next_attempt_at INTEGER,
     last_error      TEXT,
     locked_at       INTEGER,
     locked          TEXT NOT NULL,
     PRIMARY KEY (target, stream)
   ) WITHOUT ROWID;
   DROP VIEW hook_outbox;
   CREATE VIEW hook_outbox AS
     WITH targets AS (
       SELECT t.target, t.attempt_count, t.next_attempt_at, t.last_error, t.locked_at, t.locked,
              coalesce((SELECT max(m.seq) FROM outbox_marks m WHERE m.target = t.target AND m.stream = t.stream), 0) AS mark
         FROM outbox_targets t WHERE t.stream = 'HOOK_EVENTS'),
     readers AS (
       SELECT 'consumer:' || name AS target, cursor, filter, ack_wait_ms, active_at, pending FROM consumers WHERE stream = 'HOOK_EVENTS'),
     first AS (
       SELECT min((SELECT max(seq) FROM events) - 10000,
                  coalesce((SELECT min(mark) FROM targets WHERE mark > 0), (SELECT max(seq) FROM events))) AS seq),
     journal AS (
       SELECT e.seq, e.session_id, e.received_at, e.type, e.cwd, e.raw, CASE WHEN json_valid(e.raw) THEN json_type(e.raw) = 'object' ELSE 0 END AS is_object,
              CASE e.type WHEN 'SessionStart' THEN 'session_start' WHEN 'SessionEnd' THEN 'session_end'
                          WHEN 'UserPromptSubmit' THEN 'prompt' WHEN 'PreToolUse' THEN 'tool_use'
                          WHEN 'PostToolUse' THEN 'tool_done' WHEN 'PostToolUseFailure' THEN 'tool_done'
                          WHEN 'Notification' THEN 'notification' WHEN 'Stop' THEN 'stop'
                          WHEN 'StopFailure' THEN 'stop'
                          WHEN 'PermissionRequest' THEN CASE e.native WHEN 'Notification' THEN 'notification' END
              END AS event_type
         FROM events e
        WHERE e.transport <> 'import'
          AND (e.seq > (SELECT seq FROM first)
               OR e.seq IN (SELECT seq FROM outbox_letters WHERE stream = 'HOOK_EVENTS'))),
     waiting AS (
       SELECT j.seq, t.target, coalesce(l.attempt_count, t.attempt_count) AS attempt_count,
              coalesce(l.next_attempt_at, t.next_attempt_at) AS next_attempt_at, coalesce(l.last_error, t.last_error) AS last_error,
              CASE WHEN j.seq IN (SELECT value FROM json_each(t.locked)) THEN t.locked_at END AS locked_at
         FROM journal j JOIN targets t
         LEFT JOIN outbox_letters l ON l.target = t.target AND l.stream = 'HOOK_EVENTS' AND l.seq = j.seq
        WHERE j.event_type IS NOT NULL AND (j.seq > t.mark OR l.seq IS NOT NULL)
       UNION ALL
       SELECT l.seq, l.target, l.attempt_count, l.next_attempt_at, l.last_error, NULL FROM outbox_letters l
        WHERE l.stream = 'HOOK_EVENTS' AND l.target NOT IN (SELECT target FROM targets)
       UNION ALL
       SELECT j.seq, r.target, coalesce((SELECT value ->> '$[1]' FROM json_each(r.pending) WHERE value ->> '$[0]' = j.seq), 0),
              NULL, NULL, CASE WHEN j.seq <= r.cursor THEN r.active_at END
         FROM journal j JOIN readers r
        WHERE j.event_type IS NOT NULL AND (r.filter IN ('hooks.>', 'hooks.*') OR r.filter = 'hooks.' || j.type)
          AND (j.seq > r.cursor OR j.seq IN (SELECT value ->> '$[0]' FROM json_each(r.pending)))),
     waits AS (
       SELECT seq, group_concat(target, ', ') AS waits_for, max(attempt_count) AS attempt_count,
              min(next_attempt_at) AS next_attempt_at, max(last_error) AS last_error, min(locked_at) AS locked_at
         FROM waiting GROUP BY seq)
     SELECT j.seq AS id, j.session_id, j.event_type,
            json_object('session_id', j.session_id, 'event_type', j.event_type, 'data', CASE
              WHEN j.is_object THEN json_patch(j.raw, json_patch('{}', json_object(
                'session_id', nullif(j.session_id, ''),
                'transcript_path', coalesce(j.raw ->> '$.transcript_path', j.raw ->> '$.transcriptPath'),
                'cwd', coalesce(j.raw ->> '$.cwd', j.cwd),
                'prompt', coalesce(j.raw ->> '$.prompt', j.raw ->> '$.user_prompt', j.raw ->> '$.user_input',
                                   j.raw ->> '$."input-messages"[#-1]'),
                'user_prompt', coalesce(j.raw ->> '$.user_prompt', j.raw ->> '$.prompt', j.raw ->> '$.user_input',
                                        j.raw ->> '$."input-messages"[#-1]'))))
              WHEN json_valid(j.raw) THEN json(j.raw)
              ELSE json_object('raw', CAST(j.raw AS TEXT)) END) AS payload,
            j.received_at AS created_at, coalesce(w.next_attempt_at, j.received_at) AS next_attempt_at,
            coalesce(w.attempt_count, 0) AS attempt_count, w.last_error,
            CASE WHEN w.seq IS NULL THEN coalesce(
              (SELECT max(at) FROM (SELECT (SELECT m.at FROM outbox_marks m
                                             WHERE m.target = t.target AND m.stream = 'HOOK_EVENTS' AND m.seq >= j.seq
                                             ORDER BY m.seq LIMIT 1) AS at FROM targets t)), j.received_at) END AS delivered_at,
            w.locked_at, w.waits_for
       FROM journal j LEFT JOIN waits w ON w.seq = j.seq
      WHERE j.event_type IS NOT NULL;`,
  // A window is deleted once no later one refers to it; without an index each deletion would scan the table.
  `CREATE INDEX effort_windows_by_previous ON effort_windows (prev_session_id);`,
  // What budgets count. The row of a session says how much of it is in usage_days: both change together.
  `CREATE TABLE usage_days (
     day TEXT NOT NULL, agent TEXT NOT NULL, project TEXT NOT NULL, effort TEXT NOT NULL, cost_usd REAL NOT NULL,
     tokens INTEGER NOT NULL, tool_calls INTEGER NOT NULL, wall_ms INTEGER NOT NULL,
     PRIMARY KEY (day, agent, project, effort)) WITHOUT ROWID;
   CREATE INDEX usage_days_by_project ON usage_days (project);
   CREATE INDEX usage_days_by_effort ON usage_days (effort);
   CREATE TABLE usage_sessions (
     session TEXT PRIMARY KEY, cost_usd REAL NOT NULL, tokens INTEGER NOT NULL, tool_calls INTEGER NOT NULL,
     wall_ms INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE budget_states (
     budget TEXT NOT NULL, scope TEXT NOT NULL, cap TEXT NOT NULL, extra REAL NOT NULL, told INTEGER NOT NULL,
     at INTEGER NOT NULL, PRIMARY KEY (budget, scope, cap)) WITHOUT ROWID;`,
  // Which kinds of events a block of sequences has: kinds.ts.
  `CREATE TABLE event_kinds (
     block INTEGER NOT NULL, agent TEXT NOT NULL, type TEXT NOT NULL, tool TEXT NOT NULL,
     PRIMARY KEY (block, agent, type, tool)) WITHOUT ROWID;`,
  // Sessions are found by name, however many there are, and a new one must not get a name that is taken.
  `CREATE INDEX session_states_by_name ON session_states (name);`,
  // The log was once preallocated by rows, which a killed daemon left behind.
  `DROP TABLE IF EXISTS log_room;`,
]

/** Upgrades a database of any older version, all or nothing. */
export function migrate(db: Database, steps: readonly string[] = MIGRATIONS): void {
  const from = version(db)
  if (from > steps.length) {
    throw new GantryError(
      'DATABASE',
      `The database was written by a newer gantry (schema ${from}, this one knows ${steps.length}). ` +
        'Upgrade gantry, or set GANTRY_HOME to another folder.',
    )
  }
  if (from === steps.length) return
  db.transaction(() => {
    for (const step of steps.slice(from)) db.exec(step)
    db.exec(`PRAGMA user_version = ${steps.length}`)
  }).immediate()
}

export function version(db: Database): number {
  return db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
}
