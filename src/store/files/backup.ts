/**
 * A consistent copy of the database, made beside the running daemon.
 *
 *   const copy = copyDatabase('/x/gantry.db', '/y/gantry.db')
 *   for (let step = copy.next(); !step.done; step = copy.next()) rest(step.value)
 *
 * Events never change, so they are copied in slices, each a short read of its own: a long one would keep the write-ahead
 * log from restarting, and the log would grow with every hook. A last read takes the newest events and all other tables
 * together, so the copy is the database as it was at that moment. SQLite's own backup starts anew whenever somebody else
 * writes, and VACUUM INTO is one long read.
 */
import { constants, Database } from 'bun:sqlite'
import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

export interface CopyStep {
  readonly done: number
  readonly total: number
}

export interface Copied {
  readonly events: number
  readonly firstSeq: number
  readonly lastSeq: number
  /** The version of the schema. */
  readonly schema: number
}

const SLICE_ROWS = 500 // about a megabyte
const SLICE_BYTES = 4 * 1024 * 1024 // payloads may have megabytes
const BUSY_MS = 5_000
const CACHE_KIB = 16 * 1024

/** The target must not exist. It is on disk when this ends. */
export function* copyDatabase(from: string, to: string): Generator<CopyStep, Copied> {
  const { SQLITE_OPEN_READWRITE, SQLITE_OPEN_URI } = constants
  const file = openSync(to, 'wx+', 0o600) // follows no link, and nobody else can read it at any moment
  const db = new Database(to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI)
  try {
    const source = `${pathToFileURL(from)}?mode=ro`
    db.run('ATTACH ? AS source', [source])
    const { page_size } = one<{ page_size: number }>(db, 'PRAGMA source.page_size')
    // A killed copy is thrown away, so it needs no journal on disk; it reaches the disk slice by slice.
    db.exec(
      `PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA main.page_size = ${page_size}; PRAGMA main.auto_vacuum = INCREMENTAL;
       PRAGMA main.journal_mode = MEMORY; PRAGMA main.synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB}`,
    )
    // With its indexes: sessions at work are few, so adding to them is cheap; to make one later reads all payloads again.
    for (const { sql } of names(
      db,
      "tbl_name = 'events' AND type IN ('table', 'index') AND sql IS NOT NULL ORDER BY type DESC",
    ))
      db.exec(sql)
    let at = 0
    const { first, last: total } = rangeOf(db, 'source')
    while (at < total) {
      at = copySlice(db, at, total)
      fdatasyncSync(file) // a little at a time: the daemon's commits wait for the same disk
      yield { done: Math.max(0, at - first + 1), total: total - first + 1 }
    }
    const copied = copyRest(db, at)
    for (const { sql } of names(db, "type = 'index' AND tbl_name <> 'events' AND sql IS NOT NULL"))
      db.exec(sql)
    for (const { sql } of names(db, "type IN ('view', 'trigger')")) db.exec(sql)
    db.exec(`PRAGMA main.user_version = ${copied.schema}`)
    db.exec('DETACH source')
    return copied
  } finally {
    db.close()
    fsyncSync(file)
    closeSync(file)
  }
}

/** The last sequence that was copied. */
function copySlice(db: Database, after: number, upTo: number): number {
  const slice = db
    .query<{ seq: number; bytes: number }, [number, number, number]>(
      'SELECT seq, octet_length(raw) AS bytes FROM source.events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?',
    )
    .all(after, upTo, SLICE_ROWS)
  let end = upTo
  let bytes = 0
  for (const row of slice) {
    end = row.seq
    bytes += row.bytes
    if (bytes >= SLICE_BYTES) break
  }
  db.run('INSERT INTO main.events SELECT * FROM source.events WHERE seq > ? AND seq <= ?', [after, end])
  return end
}

/** What belongs together, in one read: the newest events and everything else. */
function copyRest(db: Database, after: number): Copied {
  return db.transaction(() => {
    const { first } = rangeOf(db, 'source')
    db.run('INSERT INTO main.events SELECT * FROM source.events WHERE seq > ?', [after])
    db.run('DELETE FROM main.events WHERE seq < ?', [first]) // retention went on meanwhile
    for (const { name, sql } of names(
      db,
      "type = 'table' AND name <> 'events' AND name NOT LIKE 'sqlite_%'",
    )) {
      db.exec(sql)
      db.exec(`INSERT INTO main."${name}" SELECT * FROM source."${name}"`)
    }
    const { user_version: schema } = one<{ user_version: number }>(db, 'PRAGMA source.user_version')
    const { last } = rangeOf(db, 'main')
    const { n: events } = one<{ n: number }>(db, 'SELECT count(*) AS n FROM main.events')
    return { events, firstSeq: first, lastSeq: last, schema }
  })()
}

function names(db: Database, where: string): { name: string; sql: string }[] {
  return db
    .query<{ name: string; sql: string }, []>(`SELECT name, sql FROM source.sqlite_schema WHERE ${where}`)
    .all()
}

function rangeOf(db: Database, which: 'source' | 'main'): { first: number; last: number } {
  // Each by itself: asked for both at once, SQLite reads every row.
  const end = (of: 'min' | 'max') =>
    one<{ seq: number | null }>(db, `SELECT ${of}(seq) AS seq FROM ${which}.events`).seq
  return { first: end('min') ?? 1, last: end('max') ?? 0 }
}

function one<T>(db: Database, sql: string): T {
  const row = db.query<T, []>(sql).get()
  if (row === null) throw new Error(`no answer to: ${sql}`)
  return row
}
