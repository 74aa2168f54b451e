/**
 * Until when hooks were received, however the daemon ended: its lock file's time. Nobody received what happened between
 * then and the next start.
 *
 *   const lastAlive = openLastAlive(places.lock, store)
 *   …                  // look for events missed after lastAlive.at
 *   lastAlive.begin()   // done: the next daemon need not look again
 */
import { statSync, utimesSync } from 'node:fs'
import type { Store } from '../store/index.ts'

const SIGN_EVERY_MS = 2_000 // this much of what was received is compared with the journal again

export interface LastAlive {
  /** The last time a previous daemon was alive; 0 if there was none. */
  readonly at: number
  begin(): void
  close(): void
}

export function openLastAlive(lock: string, store: Pick<Store, 'journal'>): LastAlive {
  const at = store.journal.lastSeq > 0 ? timeOf(lock) : 0
  let timer: ReturnType<typeof setInterval> | undefined
  let closed = false
  const sign = () => {
    try {
      utimesSync(lock, new Date(), new Date())
    } catch {
      // The folder is gone, and the session state with it.
    }
  }
  return {
    at,
    begin: () => {
      if (closed || timer !== undefined) return
      sign()
      timer = setInterval(sign, SIGN_EVERY_MS)
    },
    close: () => {
      closed = true
      if (timer === undefined) return
      clearInterval(timer)
      sign()
    },
  }
}

function timeOf(path: string): number {
  try {
    return statSync(path).mtimeMs
  } catch {
    return 0
  }
}
