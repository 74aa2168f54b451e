/**
 * Loads the modules that a start leaves out, one by one, once no hook has come for a while. If an upgrade then replaces
 * the daemon's files, everything is already in memory, and the daemon can still be asked to stop.
 */
import { messageOf } from '../core/errors.ts'
import { lazyModules } from '../core/lazy.ts'
import type { Log } from '../core/log.ts'
import { Alarm } from '../core/time/alarm.ts'

const FIRST_MS = 10_000 // hooks that waited for the start come first, and an upgrade hardly follows so soon
const QUIET_MS = 300 // a working agent sends hooks more often, and its answers come first
const PAUSE_MS = 20 // between two modules, for hooks that came meanwhile

/** `taken` counts the hooks. Returns a function that stops it. */
export function preloadModules(taken: () => number, log: Log): () => void {
  // zod has its own slice, some 15 ms: most of the others depend on it, and each slice delays whoever comes meanwhile
  const left = [() => import('zod'), ...lazyModules()]
  let seen = taken()
  const next = new Alarm(() => void look())
  next.within(FIRST_MS)
  async function look(): Promise<void> {
    const isQuiet = taken() === seen
    seen = taken()
    try {
      if (isQuiet) await left.shift()?.()
    } catch (error) {
      log.error('daemon', `a part cannot be loaded: ${messageOf(error)}`)
    }
    if (left.length > 0) next.within(isQuiet ? PAUSE_MS : QUIET_MS)
  }
  return () => {
    left.length = 0
    next.clear()
  }
}
