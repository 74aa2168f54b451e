/** One install or uninstall at a time: others wait for the lock, then plan from the current state. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { GantryError } from '../core/errors.ts'
import { lockHolder, waitForLock } from '../core/files/lock.ts'
import type { Places } from '../core/files/paths.ts'

const PATIENCE_MS = 20_000 // one takes a tenth of a second, or several seconds on a busy machine

export async function alone<T>(
  places: Places,
  work: () => T | Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  mkdirSync(places.state, { recursive: true, mode: 0o700 })
  const path = join(places.state, 'install.lock')
  const lock = await waitForLock(path, patienceMs)
  if (!lock) throw new GantryError('ALREADY_RUNNING', busyWords(lockHolder(path), patienceMs))
  try {
    return await work()
  } finally {
    lock.release()
  }
}

function busyWords(pid: number | undefined, patienceMs: number): string {
  const who = `Another gantry install or uninstall${pid === undefined ? '' : ` (pid ${pid})`}`
  const how = pid === undefined ? 'Wait for it to end' : `Wait for it, or end it with: kill ${pid}`
  return `${who} has been writing for ${patienceMs / 1000} s. Nothing was written. ${how}; then run this again.`
}
