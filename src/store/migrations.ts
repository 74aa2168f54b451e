/**
 * The schema, step by step, forward only. A step that has shipped is never edited; a test upgrades every older
 * version and compares the result with a new database.
 */
import type { Database } from 'bun:sqlite'
import { GantryError } from '../errors.ts'

export const MIGRATIONS: readonly string[] = [
  // 1: the journal, and counters of what was odd
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
  // 2: what the reducer made of the journal
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
]

/** Brings a database of any older version up to date, all or nothing. */
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
