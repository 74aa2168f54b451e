/**
 * Watches of files and folders that go on when the clock is set back. A watch of Bun 1.4.4 compares the time of a change
 * with that of the last one: after a clock was set back it tells nothing until the clock is where it was.
 *
 *   const watching = watchPath(folder, (_kind, name) => …)
 *   watchAnew()   // the clock was set back: all of them begin again, and whatever they watch may have changed meanwhile
 */
import { type FSWatcher, watch } from 'node:fs'

/** Without a name where anything may have changed. */
type Changed = (kind: string, name: string | null) => void

export interface Watching {
  close(): void
}

const all = new Set<() => void>()

/** Throws where there is nothing to watch. `failed` is told when the watch has ended by itself. */
export function watchPath(path: string, changed: Changed, failed: () => void = () => {}): Watching {
  const begin = (): FSWatcher => watch(path, changed).on('error', failed)
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
    },
  }
}

export function watchAnew(): void {
  for (const anew of [...all]) anew()
}
