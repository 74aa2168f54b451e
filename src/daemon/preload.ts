/**
 * What a start leaves out and somebody will ask for: loaded piece by piece once no hook has come for a while. A daemon
 * whose files are replaced by an upgrade has all of its own by then, and can still be asked to stop.
 */
import { messageOf } from '../core/errors.ts'
import { lazyModules } from '../core/lazy.ts'
import type { Log } from '../core/log.ts'

const QUIET_MS = 300 // an agent at work sends a hook more often, and gets its answers first
const PAUSE_MS = 20 // between two pieces, for whoever came meanwhile

/** `taken` counts the hooks. Returns what ends it. */
export function preloadModules(taken: () => number, log: Log): () => void {
  // zod has a slice of its own, some 15 ms: most of the others stand on it, and each slice holds up whoever comes meanwhile
  const left = [() => import('zod'), ...lazyModules()]
  let seen = taken()
  let timer = setTimeout(look, QUIET_MS)
  async function look(): Promise<void> {
    const isQuiet = taken() === seen
    seen = taken()
    try {
      if (isQuiet) await left.shift()?.()
    } catch (error) {
      log.error('daemon', `a part cannot be loaded: ${messageOf(error)}`)
    }
    if (left.length > 0) timer = setTimeout(look, isQuiet ? PAUSE_MS : QUIET_MS)
  }
  return () => {
    left.length = 0
    clearTimeout(timer)
  }
}
