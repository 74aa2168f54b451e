import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { tempDir } from '../../test/kit.ts'
import { GantryError } from '../core/errors.ts'
import { openStore } from './index.ts'
import { MIGRATIONS, migrate, version } from './migrations.ts'

/** Every object of the schema, and every column as SQLite parsed it. */
function schemaOf(db: Database): unknown {
  const objects = db
    .query<{ type: string; name: string; sql: string | null }, []>(
      'SELECT type, name, sql FROM sqlite_schema ORDER BY type, name',
    )
    .all()
  return objects.map(({ type, name, sql }) => ({
    type,
    name,
    sql: sql?.replace(/\s+/g, ' '),
    columns: db.query(`SELECT * FROM pragma_table_xinfo('${name}')`).all(),
  }))
}

/** A database as written by the version that had this many steps. */
function atVersion(steps: number): Database {
  const db = new Database(':memory:')
  if (steps > 0) migrate(db, MIGRATIONS.slice(0, steps))
  return db
}

/** Rows of the oldest version, with which later columns must work. */
function putOldEvent(db: Database): void {
  db.exec(
    `INSERT INTO events (seq, id, at, received_at, agent, type, native, session_id, transport, client, raw)
     VALUES (7, 'old', 1, 2, 'claude', 'Stop', 'Stop', 's1', 'socket', '{"env":{}}', '{"a":1}');
     INSERT INTO counters VALUES ('unknown', 'claude Stop x', 3, 1, 2)`,
  )
}

const newest = atVersion(MIGRATIONS.length)

/**
 * Hashes of released steps: the tests below build old databases from the steps themselves, which is only valid if nobody
 * edits one. Add a line here for each released step.
 */
const SHIPPED = ['e6abb0151a339425', '5fbaa99b111e5f6c']

test('a released step is never edited', () => {
  const hashes = MIGRATIONS.slice(0, SHIPPED.length).map((step) =>
    new Bun.CryptoHasher('sha256').update(step.replace(/\s+/g, ' ')).digest('hex').slice(0, 16),
  )
  expect(hashes).toEqual(SHIPPED)
})

test('an empty file becomes a new database', () => {
  const db = atVersion(0)
  migrate(db)
  expect(version(db)).toBe(MIGRATIONS.length)
  expect(schemaOf(db)).toEqual(schemaOf(newest))
})

for (let from = 1; from <= MIGRATIONS.length; from++) {
  test(`version ${from} upgrades to the current schema and keeps its rows`, () => {
    const db = atVersion(from)
    putOldEvent(db)
    migrate(db)
    expect(version(db)).toBe(MIGRATIONS.length)
    expect(schemaOf(db)).toEqual(schemaOf(newest))
    expect(db.query('SELECT seq, id, raw FROM events').all()).toEqual([{ seq: 7, id: 'old', raw: '{"a":1}' }])
    expect(db.query('SELECT count FROM counters').all()).toEqual([{ count: 3 }])
  })
}

test('windows of an older version count as informed and are not informed again', () => {
  const db = atVersion(MIGRATIONS.findIndex((step) => step.includes('recovered_from')))
  const window = (id: number, prev: number | null, child = '') =>
    `INSERT INTO sessions (id, effort_id, prev_session_id, agent, native_id, agent_id, heartbeat_counter, context_usage,
                           loaded_files, started_at) VALUES (${id}, 1, ${prev}, 'claude', 's', '${child}', 0, 0, '[]', 1)`
  for (const sql of [window(1, null), window(2, 1), window(3, 2, 'c1')]) db.exec(sql)
  migrate(db)
  expect(db.query('SELECT recovered_from FROM effort_windows ORDER BY id').values()).toEqual([
    [0],
    [1],
    [null],
  ])
})

test("an older version's `sessions` become effort windows with their messages, and `sessions` shows the states", () => {
  const db = atVersion(MIGRATIONS.findIndex((step) => step.includes('RENAME TO effort_windows')))
  db.exec(
    `INSERT INTO projects VALUES (1, '/p', 'p', 1);
     INSERT INTO tasks VALUES ('/p/t', 1, 't', '[]', 1);
     INSERT INTO efforts VALUES (1, '/p/t', NULL, 'fix', NULL, 1, 'active', NULL, '[]', '{}', 1, NULL);
     INSERT INTO sessions VALUES (5, 1, NULL, 'claude', 's1', '', 3, 0.5, '["a"]', 'payload', NULL, 10, 20, 'clear', NULL);
     INSERT INTO messages VALUES (1, 5, 'log', 'text', NULL, 11);
     INSERT INTO session_states VALUES ('claude:s1', 'claude', 's1', 'riko', 'idle', 3, 99,
       '{"cwd":"/home/me/acme","startedAt":10,"usage":{"costUsd":1.5},"lastPrompt":"hello","lastPromptAt":12}')`,
  )
  migrate(db)
  expect(db.query('SELECT * FROM engine_sessions').get()).toEqual({
    id: 5,
    effort_id: 1,
    prev_session_id: null,
    heartbeat_counter: 3,
    context_usage: 0.5,
    loaded_files: '["a"]',
    dehydration_payload: 'payload',
    started_at: 10,
    ended_at: 20,
  })
  expect(db.query('SELECT agent, project, cost_usd, last_message_sent FROM sessions').get()).toEqual({
    agent: 'claude',
    project: 'acme',
    cost_usd: 1.5,
    last_message_sent: 'hello',
  })
  db.exec('PRAGMA foreign_keys = ON')
  expect(() => db.exec('DELETE FROM effort_windows')).toThrow(/FOREIGN KEY/)
})

test('upgrading twice changes nothing', () => {
  const db = atVersion(MIGRATIONS.length)
  const before = schemaOf(db)
  migrate(db)
  expect(schemaOf(db)).toEqual(before)
})

test('a failing step leaves the database unchanged', () => {
  const db = atVersion(MIGRATIONS.length)
  const before = schemaOf(db)
  const steps = [...MIGRATIONS, 'CREATE TABLE half (a)', 'CREATE TABLE broken (']
  expect(() => migrate(db, steps)).toThrow()
  expect(schemaOf(db)).toEqual(before)
  expect(version(db)).toBe(MIGRATIONS.length)
})

test('a step runs once, however often the daemon starts', () => {
  const db = atVersion(MIGRATIONS.length)
  const steps = [...MIGRATIONS, 'CREATE TABLE later (a); INSERT INTO later VALUES (1)']
  migrate(db, steps)
  migrate(db, steps)
  expect(db.query('SELECT count(*) AS n FROM later').get()).toEqual({ n: 1 })
})

test('a newer database is refused, untouched, with a message that says what to do', () => {
  const path = join(tempDir(), 'gantry.db')
  openStore(path).close()
  const db = new Database(path)
  db.exec(`PRAGMA user_version = ${MIGRATIONS.length + 3}; CREATE TABLE from_the_future (a)`)
  db.close()
  const opening = () => openStore(path)
  expect(opening).toThrow(GantryError)
  expect(opening).toThrow(
    new RegExp(`newer gantry \\(schema ${MIGRATIONS.length + 3}, .*${MIGRATIONS.length}\\).*Upgrade gantry`),
  )
  const after = new Database(path, { readonly: true })
  expect(version(after)).toBe(MIGRATIONS.length + 3)
  expect(after.query('SELECT count(*) AS n FROM from_the_future').get()).toEqual({ n: 0 })
})
