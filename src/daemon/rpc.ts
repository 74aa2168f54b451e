/** Calls about the daemon itself and the events in its journal. */
import { GantryError } from '../core/errors.ts'
import { toWire } from '../journal/event-filter.ts'
import { type GlanceSource, glance } from '../journal/listing.ts'
import { type PageSource, pageInTurns } from '../journal/page.ts'
import { parseRow } from '../journal/parse-event.ts'
import type { ReadProcesses } from '../journal/query-process.ts'
import type { ReadTurns } from '../journal/read-turns.ts'
import { CALLS } from '../rpc/calls/index.ts'
import type {
  CallHandlers,
  CallResult,
  EncodedAnswer,
  EventsPage,
  EventTools,
  Finding,
  PageQuery,
  Status,
} from '../rpc/index.ts'
import type { Store } from '../store/index.ts'
import type { LiveConfig } from './config/live.ts'
import { configRows } from './config/rows.ts'
import { coverageSince } from './coverage.ts'

const MAX_TOOLS = 500
const TOOLS_MS = 300

export interface CallParts {
  readonly store: Store
  readonly status: () => Promise<Status>
  readonly findings: () => Promise<Finding[]>
  readonly metrics: () => Promise<CallResult<'metrics'>>
  readonly stop: () => CallResult<'stop'>
  readonly live: LiveConfig
  readonly processes: ReadProcesses
  readonly turns: ReadTurns
  /** The name of this host. */
  readonly host: () => string
  /** The id of a session by its key or name; else the text itself. */
  readonly sessionId: (text: string) => string
}

export function daemonCalls(parts: CallParts) {
  return {
    status: () => parts.status(),
    doctor: () => parts.findings(),
    metrics: () => parts.metrics(),
    coverage: ({ since }, { signal }) => coverageSince(parts, since, signal),
    counters: () => parts.store.counters.all(),
    'events.list': ({ limit, ...events }, { signal }) =>
      glance(sourceOf(parts.store), events, limit) ?? parts.processes.ask({ events, limit }, signal),
    'events.page': (query, { signal }) => page(query, parts, signal),
    'events.tools': () => tools(parts),
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

async function page(
  { host, session, ...rest }: PageQuery,
  { store, processes, turns, ...parts }: CallParts,
  signal: AbortSignal | undefined,
): Promise<EventsPage | EncodedAnswer> {
  const query = session === undefined ? rest : { ...rest, session: parts.sessionId(session) }
  if (host !== undefined && host !== parts.host()) return noPage(store)
  return (await pageInTurns(sourceOf(store), query, turns)) ?? processes.ask({ page: query }, signal)
}

/** Bounded: agents choose the names of tools, and a journal may have years of them. */
async function tools({ store, turns }: CallParts): Promise<EventTools> {
  const names = new Set<string>()
  const slices = store.toolSlices()[Symbol.iterator]()
  const until = performance.now() + TOOLS_MS
  for (;;) {
    const slice = await turns.take(() => slices.next())
    if (slice.done) return { tools: [...names].sort() }
    for (const name of slice.value) if (names.size < MAX_TOOLS) names.add(name)
    if (names.size >= MAX_TOOLS || performance.now() > until) return { tools: [...names].sort(), cut: true }
  }
}

/** The journal has only events of this host. */
function noPage(store: Store): EventsPage {
  const [last, total] = [store.journal.lastSeq, store.count()]
  const first = total === 0 ? 0 : last - total + 1
  return { events: [], first, last, total, from: first, to: last, older: false, newer: false }
}

function sourceOf(store: Store): GlanceSource & PageSource {
  return { ...store, row: store.bySeq, lastSeq: () => store.journal.lastSeq }
}
