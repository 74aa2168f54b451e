/**
 * A mutex between processes: one daemon per state folder, one install per set of receipts. SQLite holds a file lock, which
 * the kernel drops when the process ends, however it ends. So a lock is never stale.
 */
import { Database } from 'bun:sqlite'
import { writeFileSync } from 'node:fs'
import { GantryError, messageOf } from '../errors.ts'
import { until } from '../time/waits.ts'
import { readPlain } from './small-file.ts'

interface Lock {
  release(): void
}

/** Undefined when another process holds the lock. */
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

/** Waits for the lock; undefined when the time limit passes first. */
export async function waitForLock(path: string, limitMs: number): Promise<Lock | undefined> {
  const lock = await until(() => takeLock(path), limitMs, RETRY_MS)
  if (lock) writeFileSync(holderFile(path), `${process.pid}\n`, { mode: 0o600 })
  return lock
}

/**
 * The pid of the process that got the lock through `waitForLock`. Valid only while the lock is held: the file outlives its
 * writer.
 */
export function lockHolder(path: string): number | undefined {
  const pid = Number(readPlain(holderFile(path)))
  return Number.isInteger(pid) && pid > 0 ? pid : undefined
}

function holderFile(path: string): string {
  return `${path}.pid`
}
