/**
 * One daemon for one state folder. The lock is a file lock that SQLite holds for us: the kernel drops it when the
 * process ends, however it ends, so there is never a stale lock to repair by hand.
 */
import { Database } from 'bun:sqlite'
import { isBusy } from '../store/index.ts'

export interface Lock {
  release(): void
}

/** The lock, or nothing when another process holds it. */
export function takeLock(path: string): Lock | undefined {
  const db = new Database(path, { create: true })
  try {
    db.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
    return { release: () => db.close() }
  } catch (error) {
    db.close()
    if (isBusy(error)) return undefined
    throw error
  }
}
