/** Opens a gantry database: WAL, every commit on disk before it counts, checkpoints off the write path. */
import { Database } from 'bun:sqlite'
import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { GantryError, messageOf } from '../../core/errors.ts'
import { migrate } from '../migrations.ts'

export const PAGE_BYTES = 8192 // two or three events per page; measured fastest for 2 KB payloads
const CACHE_KIB = 2 * 1024 // the journal is written and read at its end; what is missing here, the system has
const SPILL_PAGES = 1024 // 8 MB of one transaction are written once, at its end

const OPEN_WAIT_MS = 5_000 // another process may be checkpointing or recovering the log

export function openDatabase(named: string): Database {
  let db: Database | undefined
  const path = linkedTo(named)
  checkLog(path)
  try {
    dropStaleIndex(path)
    db = new Database(path, { create: true, strict: true })
    // Page size and vacuum mode apply only to a file without content, new or left empty by a crash.
    db.exec(
      `PRAGMA busy_timeout = ${OPEN_WAIT_MS};
       PRAGMA page_size = ${PAGE_BYTES};
       PRAGMA auto_vacuum = INCREMENTAL;
       PRAGMA journal_mode = WAL;
       PRAGMA synchronous = FULL;
       PRAGMA wal_autocheckpoint = 0;
       PRAGMA cache_size = -${CACHE_KIB};
       PRAGMA cache_spill = ${SPILL_PAGES};
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

/** SQLite follows no link to its log or the log's index, and waits for who writes to a pipe. */
function checkLog(path: string): void {
  for (const file of [`${path}-wal`, `${path}-shm`]) {
    const stat = lstatSync(file, { throwIfNoEntry: false })
    if (!stat || stat.isFile()) continue
    const todo = stat.isSymbolicLink()
      ? 'a link, which SQLite does not follow. Put the file that it leads to in its place, then start gantry again.'
      : 'not a file. Move it away, then start gantry again.'
    throw new GantryError('DATABASE', `${file} is ${todo}`)
  }
}

/** Where a link leads: there SQLite has the log. */
function linkedTo(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path
  try {
    return realpathSync(path)
  } catch (cause) {
    const message = `${path} is a link that leads nowhere. Put its target back, or remove the link.`
    throw new GantryError('DATABASE', message, { cause })
  }
}

const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

/**
 * A process that a killed daemon started may still read for a moment, and the index that it shares counts for whoever opens the
 * database. When the log was removed meanwhile, a sound database looks broken by that index, and the next checkpoint would
 * write a log of zeros into it. Without the index, SQLite makes one of the log that is there.
 */
function dropStaleIndex(path: string): void {
  const index = `${path}-shm`
  if (!existsSync(index)) return
  const header = Buffer.concat([readFileSync(index), Buffer.alloc(LOG_HEADER_BYTES)]) // also of one that is cut short
  // In the machine's own byte order, and Bun runs on little-endian ones only: the page size at 14, the frames of the log at 16.
  const size = header.readUInt16LE(14)
  const frames = header.readUInt32LE(16)
  const frame = FRAME_HEADER_BYTES + (size === 1 ? 65_536 : size)
  const logged = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (frames > 0 && logged < LOG_HEADER_BYTES + frames * frame) rmSync(index)
}

/** Moves a broken database and its journal out of the way and says where it went; it is never deleted. */
export function setAside(path: string, now: number): string {
  const kept = `${path}.broken-${now}`
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix)
  }
  return kept
}

/** Another process holds a lock; the same statement may succeed in a moment. */
export { isBusy } from '../../core/files/lock.ts'
