/**
 * Reads events from the database directly, read-only, to leave the daemon alone. Only one event is in memory at a time; leaving
 * the loop closes the database.
 */
import type { EventQuery, WireEvent } from '../../client/index.ts'
import { yieldToAgents } from '../../core/processes/priority.ts'
import { findEvents, readEvents } from '../../journal/listing.ts'
import { openEventReader } from '../../store/index.ts'

/** The newest events that match, oldest first. */
export function* storedEvents(database: string, query: EventQuery, limit: number): Generator<WireEvent> {
  yieldToAgents()
  const reader = openEventReader(database)
  try {
    yield* readEvents(reader, findEvents(reader, query, Math.min(limit, Number.MAX_SAFE_INTEGER)))
  } finally {
    reader.close()
  }
}
