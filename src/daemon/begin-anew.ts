/**
 * Replaces a journal that broke while the daemon runs: the old file is kept aside, and a new journal starts with the
 * newest events that are still readable, from the WAL and from memory. Targets of the bus start after them, so none
 * gets an event twice.
 */
import { basename } from 'node:path'
import type { Log } from '../core/log.ts'
import type { HookEvent } from '../events/index.ts'
import { parseRow } from '../journal/parse-event.ts'
import { openStore, type Store, setAside } from '../store/index.ts'

const MOST_EVENTS = 5_000 // about a second; the kept database has the others
const MOST_BYTES = 64 * 1024 * 1024
const MOST_GAPS = 500 // unreadable in a row: older ones are unreadable, too

/** Call when nothing is written any more. Closes the store. */
export function beginAnew(store: Store, log: Log): void {
  const { path } = store.files
  const all = safe(() => store.count()) ?? store.journal.lastSeq
  const saved = newestReadable(store)
  const kept = setAside(path, Date.now()) // before it is closed: SQLite would remove the WAL
  store.close()
  const key = `${saved.length} of its ${all} events are in the new one; it is kept as ${basename(kept)}`
  log.error('store', `the database was broken; ${key}`)
  const fresh = openStore(path)
  try {
    fresh.journal.commit(() => {
      for (const event of saved) fresh.journal.append(event)
    })
    fresh.counters.count('broken', key, Date.now())
    fresh.counters.write((work) => fresh.journal.commit(work))
  } finally {
    fresh.close()
  }
}

/** Oldest first. */
function newestReadable({ journal, bySeq }: Store): HookEvent[] {
  const found: HookEvent[] = []
  let bytes = 0
  let gaps = 0
  for (let seq = journal.lastSeq; seq > 0 && gaps < MOST_GAPS; seq--) {
    const event = safe(() => {
      const row = bySeq(seq)
      return row && parseRow(row)
    })
    gaps = event ? 0 : gaps + 1
    bytes += event?.raw.length ?? 0
    if (found.length === MOST_EVENTS || bytes > MOST_BYTES) break
    if (event) found.push(event)
  }
  return found.reverse()
}

function safe<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
