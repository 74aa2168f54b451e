/**
 * Watches of files and folders that miss nothing. A watch of Bun 1.4.4 compares the time of a change with that of the last
 * one: of two within a millisecond or two it tells one, and after the clock was set back it tells nothing until the clock is
 * where it was. So after each change there is one more look, and all watches can be begun anew.
 *
 *   const watching = watchPath(folder, (_kind, name) => …)
 *   watchAnew()   // the clock was set back: whatever is watched may have changed meanwhile
 */
import { type FSWatcher, watch } from 'node:fs'

/** Without a name where anything may have changed. */
type Changed = (kind: string, name: string | null) => void

export interface Watching {
  close(): void
}

const AGAIN_MS = 15 // then a change that was not told has happened

const all = new Set<() => void>()

/** Throws where there is nothing to watch. `failed` is told when the watch has ended by itself. */
export function watchPath(path: string, changed: Changed, failed: () => void = () => {}): Watching {
  const again = new Map<string | null, ReturnType<typeof setTimeout>>()
  const told: Changed = (kind, name) => {
    clearTimeout(again.get(name))
    const look = () => {
      again.delete(name)
      changed(kind, name)
    }
    again.set(name, setTimeout(look, AGAIN_MS))
    changed(kind, name)
  }
  const begin = (): FSWatcher => watch(path, told).on('error', failed)
  let watcher = begin()
  const anew = () => {
    watcher.close()
    try {
      watcher = begin()
      changed('rename', null)
    } catch {
      failed() // it has gone
    }
  }
  all.add(anew)
  return {
    close: () => {
      all.delete(anew)
      watcher.close()
      for (const timer of again.values()) clearTimeout(timer)
      again.clear()
    },
  }
}

export function watchAnew(): void {
  for (const anew of [...all]) anew()
}
