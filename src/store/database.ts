/** How a gantry database is opened: WAL, every commit on the disk before it counts, checkpoints off the write path. */
import { Database } from 'bun:sqlite'
import { chmodSync, existsSync, renameSync } from 'node:fs'
import { GantryError, messageOf } from '../core/errors.ts'
import { migrate } from './migrations.ts'

const PAGE_BYTES = 8192 // two or three events a page; measured fastest for 2 KB payloads
const CACHE_KIB = 8 * 1024 // a bound on memory; the journal is written at its end and read at its end

const OPEN_WAIT_MS = 5_000 // another process may be taking the log in, or recovering it, for a moment

export function openDatabase(path: string): Database {
  let db: Database | undefined
  try {
    db = new Database(path, { create: true, strict: true })
    // Page size and vacuum count only for a file without content, be it new or left empty by a crash.
    db.exec(
      `PRAGMA busy_timeout = ${OPEN_WAIT_MS};
       PRAGMA page_size = ${PAGE_BYTES};
       PRAGMA auto_vacuum = INCREMENTAL;
       PRAGMA journal_mode = WAL;
       PRAGMA synchronous = FULL;
       PRAGMA wal_autocheckpoint = 0;
       PRAGMA cache_size = -${CACHE_KIB};
       PRAGMA temp_store = MEMORY;
       PRAGMA foreign_keys = ON`,
    )
    migrate(db)
    db.exec('PRAGMA busy_timeout = 0') // from here on hooks wait for each statement
    chmodSync(path, 0o600)
    return db
  } catch (cause) {
    db?.close()
    if (cause instanceof GantryError) throw cause
    throw new GantryError('DATABASE', `Cannot open ${path}: ${messageOf(cause)}`, { cause })
  }
}

/** Moves a broken database and its journal out of the way and says where it went; it is never deleted. */
export function setAside(path: string, now: number): string {
  const kept = `${path}.broken-${now}`
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix)
  }
  return kept
}

/** Somebody else holds the database; the same statement may work in a moment. */
export { isBusy } from '../core/files/lock.ts'
