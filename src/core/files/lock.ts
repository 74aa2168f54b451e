/**
 * One process at a time: one daemon for one state folder, one install for one set of receipts. The lock is a file lock
 * that SQLite holds for us: the kernel drops it when the process ends, however it ends, so there is never a stale lock
 * to repair by hand.
 */
import { Database } from 'bun:sqlite'
import { readFileSync, writeFileSync } from 'node:fs'
import { GantryError, messageOf } from '../errors.ts'

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

export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(BUSY|LOCKED)/.test(String(error.code))
}

const RETRY_MS = 50 // an install writes for some tens of milliseconds

/** Waits for its turn; undefined when the holder keeps it for longer than that. */
export async function waitForLock(path: string, limitMs: number): Promise<Lock | undefined> {
  const end = performance.now() + limitMs
  for (;;) {
    const lock = takeLock(path)
    if (lock) {
      writeFileSync(holderFile(path), `${process.pid}\n`, { mode: 0o600 })
      return lock
    }
    if (performance.now() >= end) return undefined
    await Bun.sleep(RETRY_MS)
  }
}

/** The process that holds a lock it waited for. Only to be asked while the lock is held: the file outlives its writer. */
export function lockHolder(path: string): number | undefined {
  try {
    const pid = Number(readFileSync(holderFile(path), 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

function holderFile(path: string): string {
  return `${path}.pid`
}
