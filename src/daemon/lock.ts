/**
 * One daemon for one state folder. The lock is a file lock that SQLite holds for us: the kernel drops it when the
 * process ends, however it ends, so there is never a stale lock to repair by hand.
 */
import { Database } from 'bun:sqlite'
import { GantryError, messageOf } from '../errors.ts'
import { isBusy } from '../store/index.ts'

export interface Lock {
  release(): void
}

/** The lock, or nothing when another process holds it. */
export function takeLock(path: string): Lock | undefined {
  let db: Database | undefined
  try {
    db = new Database(path, { create: true })
    db.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
    return { release: () => db?.close() }
  } catch (cause) {
    db?.close()
    if (isBusy(cause)) return undefined
    const fix =
      'Make its folder writable, or set GANTRY_HOME to one that is; if the file is broken, delete it.'
    throw new GantryError('PERMISSION', `Cannot lock ${path}: ${messageOf(cause)}. ${fix}`, { cause })
  }
}
