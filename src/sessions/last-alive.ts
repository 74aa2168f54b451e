/**
 * Until when hooks were heard, however the daemon ended: its lock file bears the time. What happened after that, and
 * before the next daemon opened its door, nobody heard.
 *
 *   const presence = openLastAlive(places.lock, store)
 *   …                  // whatever came after presence.last is looked for
 *   presence.begin()   // found: a daemon that comes after this one need not look for it again
 */
import { statSync, utimesSync } from 'node:fs'
import type { Store } from '../store/index.ts'

const SIGN_EVERY_MS = 2_000 // so much of what was heard is compared with the journal once more

export interface Presence {
  /** The last sign of a daemon before this one; 0 when there never was one. */
  readonly last: number
  begin(): void
  close(): void
}

export function openLastAlive(lock: string, store: Pick<Store, 'journal'>): Presence {
  const last = store.journal.lastSeq > 0 ? timeOf(lock) : 0
  let timer: ReturnType<typeof setInterval> | undefined
  let closed = false
  const sign = () => {
    try {
      utimesSync(lock, new Date(), new Date())
    } catch {
      // Its folder was taken away, and what is known of sessions with it.
    }
  }
  return {
    last,
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
