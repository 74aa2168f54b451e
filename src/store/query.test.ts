import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eventOf, tempDir } from '../../test/kit.ts'
import { openStore, runQuery } from './index.ts'

const path = join(tempDir(), 'gantry.db')
/** Stays open, like the daemon's. */
const store = openStore(path)
store.journal.commit(() => {
  for (const id of ['a', 'b', 'c']) store.journal.append(eventOf({ id }))
  store.journal.append(eventOf({ id: 'd', raw: new Uint8Array([0, 255]) }))
})

const ask = (sql: string, limit = 100) => runQuery(path, sql, limit)

describe('a query', () => {
  test('returns column names and rows', () => {
    expect(ask('SELECT seq, id FROM events WHERE seq < 3 ORDER BY seq')).toEqual({
      columns: ['seq', 'id'],
      rows: [
        [1, 'a'],
        [2, 'b'],
      ],
      more: false,
    })
  })

  test('without rows still returns column names', () => {
    expect(ask('SELECT seq, id FROM events WHERE 0')).toEqual({
      columns: ['seq', 'id'],
      rows: [],
      more: false,
    })
  })

  test('returns at most the requested rows, and tells that there are more', () => {
    expect(ask('SELECT seq FROM events ORDER BY seq', 2)).toMatchObject({ rows: [[1], [2]], more: true })
    expect(ask('SELECT seq FROM events ORDER BY seq', 4)).toMatchObject({ more: false })
    expect(ask('SELECT seq FROM events ORDER BY seq', 5)).toMatchObject({ more: false })
  })

  test('without an end is stopped', () => {
    const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n'
    expect(ask(endless, 10).rows).toHaveLength(10)
  })

  test('with two columns of the same name returns both', () => {
    const { columns, rows } = ask(
      'SELECT a.id, b.id, a.seq FROM events a JOIN events b ON b.seq = a.seq + 1 ORDER BY a.seq DESC;',
    )
    expect(rows).toEqual([
      ['c', 'd', 3],
      ['b', 'c', 2],
      ['a', 'b', 1],
    ])
    expect(new Set(columns).size).toBe(3)
    expect(columns[0]).toBe('id')
    const once = ask('SELECT * FROM events', 1).columns.length
    expect(ask('SELECT * FROM events a, events b', 1).rows[0]).toHaveLength(2 * once)
    expect(ask('VALUES (1, 1), (2, 2)').rows).toEqual([
      [1, 1],
      [2, 2],
    ])
  })

  test('with numeric or object-like column names keeps their order', () => {
    expect(ask(`SELECT 'x' AS b, 'y' AS "2", 'z' AS "1"`)).toMatchObject({
      columns: ['b', '2', '1'],
      rows: [['x', 'y', 'z']],
    })
    expect(ask(`SELECT 1 AS "__proto__", 2 AS "constructor"`).rows).toEqual([[1, 2]])
  })

  test('returns bytes as base64 and NULL as null', () => {
    expect(ask("SELECT raw, tool_name FROM events WHERE id = 'd'").rows).toEqual([['AP8=', null]])
  })

  test('may be a plan, a pragma, or have comments', () => {
    expect(ask('EXPLAIN QUERY PLAN SELECT * FROM events').rows.length).toBeGreaterThan(0)
    expect(ask('PRAGMA table_info(events)').rows.length).toBeGreaterThan(10)
    expect(ask('-- how many?\n /* really */ SELECT count(*) FROM events; -- all').rows).toEqual([[4]])
    expect(ask('values (1)').rows).toEqual([[1]])
  })

  test("that is invalid returns SQLite's message", () => {
    expect(() => ask('SELECT nope FROM events')).toThrow(/no such column: nope/)
    expect(() => ask('SELECT * FROM nowhere')).toThrow(/no such table/)
    expect(() => ask('SELECT')).toThrow()
  })
})

describe('nothing is changed by', () => {
  const other = join(dirname(path), 'other.db')
  const attempts = [
    "INSERT INTO events SELECT seq + 100, 'x' || id, at, received_at, agent, agent_version, type, native, session_id, agent_id, tool_name, cwd, transport, client, cut_from, raw FROM events",
    'DELETE FROM events',
    "UPDATE events SET raw = ''",
    'DROP TABLE events',
    'CREATE TABLE more (a)',
    'WITH x AS (SELECT 1) DELETE FROM events',
    'EXPLAIN DELETE FROM events',
    `ATTACH '${other}' AS other`,
    `ATTACH 'file:${other}?mode=rwc' AS other`,
    `VACUUM INTO '${other}'`,
    'VACUUM',
    'REINDEX',
    'PRAGMA journal_mode = DELETE',
    'PRAGMA user_version = 99',
    'PRAGMA query_only = OFF; DELETE FROM events',
    'PRAGMA writable_schema = ON',
    'PRAGMA wal_checkpoint(TRUNCATE)',
    'PRAGMA incremental_vacuum',
    'SELECT 1; DELETE FROM events',
    'BEGIN EXCLUSIVE',
    '',
  ]
  const state = () => {
    const db = new Database(path, { readonly: true })
    const events = db.query('SELECT * FROM events').values()
    const schema = db.query('SELECT * FROM sqlite_schema').values()
    const pragmas = ['journal_mode', 'user_version', 'page_count'].map((name) =>
      db.query(`PRAGMA ${name}`).values(),
    )
    db.close()
    return { events, schema, pragmas, files: readdirSync(dirname(path)).toSorted() }
  }
  for (const sql of attempts) {
    test(sql.slice(0, 50) || 'no SQL at all', () => {
      const before = state()
      try {
        ask(sql)
      } catch {
        // refused: even better
      }
      expect(state()).toEqual(before)
      expect(existsSync(other)).toBe(false)
      // the daemon's own connection still writes
      store.journal.commit(() => {})
    })
  }
})

test('a missing database is not created', () => {
  const nowhere = join(tempDir(), 'nothing.db')
  expect(() => runQuery(nowhere, 'SELECT 1', 1)).toThrow()
  expect(existsSync(nowhere)).toBe(false)
})

describe('several statements at once', () => {
  test('are refused, not run in part', () => {
    for (const sql of ['SELECT 1; DELETE FROM events', "SELECT ';' ; SELECT 2", 'SELECT 1; -- x\nSELECT 2'])
      expect(() => ask(sql)).toThrow('Only one statement at a time')
  })

  test('a semicolon in a text, a name, a comment or at the end is allowed', () => {
    for (const sql of [
      "SELECT ';a' AS one",
      `SELECT 1 AS "a;b"`,
      'SELECT 1 AS [a;b]',
      "SELECT 'it''s; so' -- one; two",
      'SELECT 1 /* ; SELECT 2 */;;  ',
      'SELECT 1; -- that is all',
    ])
      expect(ask(sql).rows).toHaveLength(1)
  })
})
