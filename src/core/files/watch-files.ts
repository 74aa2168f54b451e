/**
 * Watches files and folders without missing a change. Bun 1.4.4 compares the time of a change with that of the last one: it
 * reports only one of two changes within a millisecond or two, and after the clock was set back it reports nothing until
 * the clock has caught up. So each change is followed by a second report, and all watches can be restarted.
 *
 *   const watching = watchPath(folder, (_kind, name) => …)
 *   watchAnew()   // the clock was set back: anything watched may have changed
 */
import { type FSWatcher, watch } from 'node:fs'
import { Timers } from '../time/timers.ts'

/** `name` is null if anything may have changed. */
type Changed = (kind: string, name: string | null) => void

export interface Watching {
  close(): void
}

const AGAIN_MS = 15 // by then a change that Bun did not report has happened

const all = new Set<() => void>()

/** Throws if the path does not exist. `failed` is called if the watch ends by itself. */
export function watchPath(path: string, changed: Changed, failed: () => void = () => {}): Watching {
  const again = new Timers()
  const told: Changed = (kind, name) => {
    again.set(name, AGAIN_MS, () => changed(kind, name))
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
      failed() // the path is gone
    }
  }
  all.add(anew)
  return {
    close: () => {
      all.delete(anew)
      watcher.close()
      again.close()
    },
  }
}

export function watchAnew(): void {
  for (const anew of [...all]) anew()
}
