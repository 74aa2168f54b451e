/**
 * A daemon that does not answer: its process, the diagnosis, and ending it, first with SIGTERM, then with SIGKILL. Nothing
 * is lost: what was answered is on disk, and hooks have spooled the rest.
 */
import { readFileSync, realpathSync } from 'node:fs'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import { filesOf, isAlive, statOf } from '../core/processes/proc.ts'
import { until } from '../core/time/waits.ts'

export const ANSWER_MS = 5_000 // as long as the most patient hook waits
const TERM_MS = 10_000 // a busy daemon handles the signal when it gets to it
const KILL_MS = 5_000 // a process in a system call ends when the call does

/** The daemon runs but does not answer. */
export function isSilent(error: unknown): boolean {
  return error instanceof GantryError && error.code === 'DEADLINE'
}

/** The daemon's process, by its pid file; never another one that reuses the pid. */
export function daemonOf(places: Places): number | undefined {
  try {
    const pid = Number(readFileSync(places.pid, 'utf8').trim())
    return Number.isInteger(pid) && pid > 1 && isAlive(pid) && holdsLock(pid, places.lock) ? pid : undefined
  } catch {
    return undefined
  }
}

/** Why it does not answer, and what to do about it. */
export function silenceOf(places: Places): { readonly what: string; readonly fix: string } {
  const pid = daemonOf(places)
  const who = pid === undefined ? 'The daemon' : `The daemon (pid ${pid})`
  const anew = 'gantry down && gantry up'
  if (wasStopped(places))
    return { what: `${who} was stopped by a signal`, fix: `kill -CONT ${pid} to resume it, or: ${anew}` }
  const what = `${who} does not answer. If it is stuck it ends by itself within a minute, and the next hook starts a new one`
  return { what, fix: anew }
}

/** Suspended by a signal: it answers nobody until SIGCONT. */
export function wasStopped(places: Places): boolean {
  const pid = daemonOf(places)
  return pid !== undefined && statOf(pid)?.state === 'T'
}

/** SIGTERM, then SIGKILL, with a report of each. Throws if even that does not end it. */
export async function endByForce(
  places: Places,
  say: (words: string) => void,
  known?: number,
): Promise<void> {
  const pid = known ?? daemonOf(places)
  if (pid === undefined) {
    const message = `The daemon does not answer, and ${places.pid} does not name its process.`
    throw new GantryError('DEADLINE', `${message} Find it with: pgrep -af 'gantry|cli/main.ts'`)
  }
  say(`the daemon (pid ${pid}) does not answer; sending SIGTERM`)
  const wasStopped = statOf(pid)?.state === 'T'
  const ended = isEnded(pid, 'SIGTERM', TERM_MS)
  if (wasStopped) process.kill(pid, 'SIGCONT') // it handles no other signal before
  if (await ended) return
  say(`it is still running after ${TERM_MS / 1000} s; sending SIGKILL`)
  if (await isEnded(pid, 'SIGKILL', KILL_MS)) return
  const message = `The daemon (pid ${pid}) does not end even with SIGKILL: it waits for a disk or a network mount. Fix that mount, then try again.`
  throw new GantryError('DEADLINE', message)
}

async function isEnded(pid: number, signal: NodeJS.Signals, patienceMs: number): Promise<boolean> {
  try {
    process.kill(pid, signal)
  } catch {
    return true // gone meanwhile
  }
  return until(() => !isAlive(pid), patienceMs, 10)
}

/** Also true if the system does not tell which files a process has open. */
function holdsLock(pid: number, lock: string): boolean {
  return filesOf(pid)?.includes(realpathSync(lock)) ?? true
}
