/**
 * Events straight from the database, read only: the daemon, which has hooks to answer, has no part in it. A list of any
 * length is in memory one event at a time, and whoever leaves it ends it.
 */
import type { EventQuery, WireEvent } from '../client/index.ts'
import { yieldToAgents } from '../core/priority.ts'
import { findEvents, readEvents } from '../journal/listing.ts'
import { openEventReader } from '../store/index.ts'

/** The newest that pass, oldest first. */
export function* storedEvents(database: string, query: EventQuery, limit: number): Generator<WireEvent> {
  yieldToAgents()
  const reader = openEventReader(database)
  try {
    yield* readEvents(reader, findEvents(reader, query, Math.min(limit, Number.MAX_SAFE_INTEGER)))
  } finally {
    reader.close()
  }
}
