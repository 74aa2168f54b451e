/**
 * Rescues an open database whose files were removed or replaced. The descriptors still reach all data: the log is
 * checkpointed into the database file, and if that has no name any more, it is copied to a new one.
 */
import type { Database } from 'bun:sqlite'
import { closeSync, existsSync, fstatSync, fsyncSync, openSync, read, renameSync, writeSync } from 'node:fs'
import type { DatabaseFiles } from './database-files.ts'

const CHUNK_BYTES = 4 * 1024 * 1024
const MOST_DESCRIPTORS = 4096 // a daemon has some hundreds
const LOG_TRIES = 50 // a reader blocks the log for a few milliseconds
const LOG_PAUSE_MS = 100

/** Checkpoints the log into the database, whether or not the file still has a path. True if all of it was moved. */
export function moveLog(db: Database): boolean {
  const { busy, log, checkpointed: moved } = checkpointed(db)
  return busy === 0 && log === moved // both are -1 while another one checkpoints
}

interface Checkpointed {
  readonly busy: number
  readonly log: number
  readonly checkpointed: number
}

export function checkpointed(db: Database): Checkpointed {
  const row = db.query<Checkpointed, []>('PRAGMA wal_checkpoint(PASSIVE)').get()
  return row ?? { busy: 1, log: -1, checkpointed: -1 }
}

/**
 * Call it after the last write and before the database is closed. Returns the new path: the old one, or one beside it if
 * another file is there now. Undefined if nothing had to be done or the folder is gone.
 */
export async function saveDatabase(
  db: Database,
  files: DatabaseFiles,
  now: number,
): Promise<string | undefined> {
  for (let i = 0; i < LOG_TRIES && !moveLog(db); i++) await Bun.sleep(LOG_PAUSE_MS)
  const fd = descriptorOf(files.identity)
  // With a name, the file was moved, not removed, and is complete where it is.
  if (fd === undefined || fstatSync(fd).nlink > 0 || !files.isFolderThere()) return undefined
  const draft = `${files.path}.saving`
  await copy(fd, draft)
  const place = existsSync(files.path) ? `${files.path}.replaced-${now}` : files.path
  renameSync(draft, place)
  return place
}

/** Finds SQLite's own descriptor: closing another one of the same file would drop SQLite's locks. */
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

/** In chunks: two gigabytes take a while, and a watchdog checks the event loop. */
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
