/** The newest events that pass a query, found in short steps so that a rare word never holds up a hook. */
import type { EventQuery, WireEvent } from '../client/protocol.ts'
import type { Store } from '../store/index.ts'
import { matches, rowFilter, STEP_BYTES, toWire } from './feed.ts'
import { reviveRow } from './revive.ts'

const STEP_SEQS = 2_000
const MAX_LISTED_BYTES = 32 * 1024 * 1024 // of payloads: the answer is built in memory, whole

/** Oldest first, taken from the newest end; at most `limit`, and fewer where events are huge. */
export async function listEvents(store: Store, query: EventQuery, limit: number): Promise<WireEvent[]> {
  const found: WireEvent[] = []
  const floor = Math.max(query.after ?? 0, query.since === undefined ? 0 : store.seqBefore(query.since))
  let before = Math.min(query.before ?? Number.MAX_SAFE_INTEGER, store.journal.lastSeq + 1)
  let listed = 0
  // With a session the index finds every row directly; everything else walks back through the journal.
  const step = query.session === undefined ? STEP_SEQS : Number.MAX_SAFE_INTEGER
  while (before > floor + 1 && found.length < limit && listed < MAX_LISTED_BYTES) {
    const after = Math.max(floor, before - 1 - step)
    let reached = after + 1
    let rows = 0
    let read = 0
    for (const row of store.newest({ ...rowFilter(query), after, before }, STEP_SEQS)) {
      const event = reviveRow(row)
      rows += 1
      read += row.raw.length
      if (matches(event, query)) {
        found.push(toWire(event))
        listed += row.raw.length
      }
      if (found.length < limit && rows < STEP_SEQS && read < STEP_BYTES) continue
      reached = row.seq
      break
    }
    before = reached
    await new Promise(setImmediate)
  }
  return found.reverse()
}
