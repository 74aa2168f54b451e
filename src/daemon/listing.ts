/** The newest events that pass a query, found in short steps so that a rare word never holds up a hook. */
import type { EventQuery, WireEvent } from '../client/protocol.ts'
import type { Store } from '../store/index.ts'
import { matches, rowFilter, toWire } from './feed.ts'
import { reviveRow } from './revive.ts'

const STEP_SEQS = 2_000

/** Oldest first, at most `limit`, taken from the newest end. */
export async function listEvents(store: Store, query: EventQuery, limit: number): Promise<WireEvent[]> {
  const found: WireEvent[] = []
  const floor = Math.max(query.after ?? 0, query.since === undefined ? 0 : store.seqBefore(query.since))
  let before = Math.min(query.before ?? Number.MAX_SAFE_INTEGER, store.journal.lastSeq + 1)
  // With a session the index finds every row directly; everything else walks back through the journal.
  const step = query.session === undefined ? STEP_SEQS : Number.MAX_SAFE_INTEGER
  while (before > floor + 1 && found.length < limit) {
    const after = Math.max(floor, before - 1 - step)
    const rows = store.newest(
      { ...rowFilter(query), after, before },
      query.grep ? STEP_SEQS : limit - found.length,
    )
    for (const row of rows) {
      const event = reviveRow(row)
      if (matches(event, query)) found.push(toWire(event))
      if (found.length === limit) break
    }
    const lastSeen = rows.at(-1)?.seq
    const pageFull = query.grep !== undefined && rows.length === STEP_SEQS && lastSeen !== undefined
    before = pageFull ? lastSeen : after + 1
    await new Promise(setImmediate)
  }
  return found.reverse()
}
