/** Calls about the daemon itself and the events in its journal. */
import { GantryError } from '../core/errors.ts'
import { toWire } from '../journal/event-filter.ts'
import { type GlanceSource, glance } from '../journal/listing.ts'
import { parseRow } from '../journal/parse-event.ts'
import type { ReadProcesses } from '../journal/query-process.ts'
import { CALLS } from '../rpc/calls/index.ts'
import type { CallHandlers, CallResult, Finding, Status } from '../rpc/index.ts'
import type { Store } from '../store/index.ts'
import type { LiveConfig } from './config/live.ts'
import { configRows } from './config/rows.ts'
import { coverageSince } from './coverage.ts'

export interface CallParts {
  readonly store: Store
  readonly status: () => Status
  readonly findings: () => Promise<Finding[]>
  readonly stop: () => CallResult<'stop'>
  readonly live: LiveConfig
  readonly processes: ReadProcesses
}

export function daemonCalls(parts: CallParts) {
  return {
    status: () => parts.status(),
    doctor: () => parts.findings(),
    coverage: ({ since }, { signal }) => coverageSince(parts, since, signal),
    counters: () => parts.store.counters.all(),
    'events.list': ({ limit, ...events }, { signal }) =>
      glance(sourceOf(parts.store), events, limit) ?? parts.processes.ask({ events, limit }, signal),
    'events.get': ({ id }) => {
      const row = parts.store.byId(id)
      if (!row) throw new GantryError('VALIDATION_ERROR', `There is no event ${id} in the journal.`)
      return toWire(parseRow(row))
    },
    query: ({ sql, limit }, { signal }) => parts.processes.ask({ sql, limit }, signal),
    calls: () => Object.entries(CALLS).map(([name, { summary, example }]) => ({ name, summary, example })),
    stop: () => parts.stop(),
    'config.show': () => configRows(parts.live.now, parts.live.text, process.env),
  } satisfies Partial<CallHandlers>
}

function sourceOf(store: Store): GlanceSource {
  return { ...store, row: store.bySeq, lastSeq: () => store.journal.lastSeq }
}
