/**
 * Saves what a database has whose files were removed or replaced while it is open. The descriptors still lead to all of it:
 * the log goes into the database file, and if that has no name any more, it is copied to a new one.
 */
import type { Database } from 'bun:sqlite'
import { closeSync, existsSync, fstatSync, fsyncSync, openSync, read, renameSync, writeSync } from 'node:fs'
import type { DatabaseFiles } from './files.ts'

const CHUNK_BYTES = 4 * 1024 * 1024
const MOST_DESCRIPTORS = 4096 // a daemon has some hundreds
const LOG_TRIES = 50 // a reader holds the log for a few milliseconds
const LOG_PAUSE_MS = 100

/** The log goes into the database, at its path or without one. True when all of it did. */
export function moveLog(db: Database): boolean {
  type Moved = { busy: number; log: number; checkpointed: number }
  const row = db.query<Moved, []>('PRAGMA wal_checkpoint(PASSIVE)').get()
  return row !== null && row.log === row.checkpointed
}

/**
 * To be called when nothing is written any more, before the database is closed. Says where it is now: at its path, or beside
 * it where somebody put another file; undefined where nothing had to be done, or the whole folder is gone.
 */
export async function saveDatabase(
  db: Database,
  files: DatabaseFiles,
  now: number,
): Promise<string | undefined> {
  for (let i = 0; i < LOG_TRIES && !moveLog(db); i++) await Bun.sleep(LOG_PAUSE_MS)
  const fd = descriptorOf(files.identity)
  // With a name it was moved, not removed, and is complete where it is now.
  if (fd === undefined || fstatSync(fd).nlink > 0 || !files.isFolderThere()) return undefined
  const draft = `${files.path}.saving`
  await copy(fd, draft)
  const place = existsSync(files.path) ? `${files.path}.replaced-${now}` : files.path
  renameSync(draft, place)
  return place
}

/** Through SQLite's own descriptor: closing another one of the same file would drop SQLite's locks. */
export function descriptorOf(identity: string | undefined): number | undefined {
  for (let fd = 3; fd < MOST_DESCRIPTORS; fd++) {
    try {
      const { dev, ino } = fstatSync(fd)
      if (`${dev} ${ino}` === identity) return fd
    } catch {
      // not open
    }
  }
  return undefined
}

function readAt(fd: number, room: Uint8Array, at: number): Promise<number> {
  return new Promise((done, fail) => {
    read(fd, room, 0, room.length, at, (error, count) => (error ? fail(error) : done(count)))
  })
}

/** In pieces: two gigabytes take a while, and the loop has a watchdog. */
async function copy(from: number, path: string): Promise<void> {
  const to = openSync(path, 'w', 0o600)
  const room = new Uint8Array(CHUNK_BYTES)
  try {
    for (let at = 0; ; ) {
      const count = await readAt(from, room, at)
      if (count === 0) break
      writeSync(to, room, 0, count)
      at += count
    }
    fsyncSync(to)
  } finally {
    closeSync(to)
  }
}
