/**
 * The daemon's request for a fresh start, because the effort is dehydrated or the context is full. If the daemon is
 * down, there is no request, and the connection is retried.
 */
import { call, subscribe, throughRestarts, type WireEvent } from '../client/index.ts'
import type { Places } from '../core/files/paths.ts'
import { within } from '../core/time/waits.ts'

export interface RestartRequest {
  readonly why: 'dehydrated' | 'compaction'
  readonly effort: number | undefined
}

const LISTENS_MS = 1_000
const LAST_LOOK_MS = 1_000
const LAST_MOMENT_MS = 10_000
const LOOK_BACK = 1_000 // events: the daemon may have been back for a moment before we saw it

export interface Requests extends Disposable {
  /** The first request; undefined only if nobody listens any more. */
  readonly next: Promise<RestartRequest | undefined>
}

/** Listens for requests. Returns as soon as the daemon knows of it, or cannot: it asks nothing of a run that nobody supervises. */
export async function listen(places: Places, runId: string): Promise<Requests> {
  const over = new AbortController()
  const { promise: tried, resolve } = Promise.withResolvers<void>()
  const next = nextRequest(places, runId, over.signal, resolve)
  await within(tried, LISTENS_MS)
  return { next, [Symbol.dispose]: () => over.abort() }
}

async function nextRequest(
  places: Places,
  runId: string,
  signal: AbortSignal,
  tried: () => void,
): Promise<RestartRequest | undefined> {
  let after: number | undefined
  const requests = throughRestarts({ signal, always: true, told: tried }, async function* (signal, here) {
    after ??= Math.max(0, (await call(places, 'status', {}, { signal })).lastSeq - LOOK_BACK)
    yield* subscribe(places, { run: runId, after }, signal, here)
  })
  for await (const event of requests) return requestOf(event)
  return undefined
}

/** A request of the last moment, for an agent that has just ended. */
export async function lastRequest(places: Places, runId: string): Promise<RestartRequest | undefined> {
  try {
    const query = { run: runId, since: Date.now() - LAST_MOMENT_MS, limit: 1 }
    const [event] = await call(places, 'events.list', query, { deadlineMs: LAST_LOOK_MS })
    return event && requestOf(event)
  } catch {
    return undefined
  }
}

function requestOf(event: WireEvent): RestartRequest {
  const effort = event.fields?.effort_id
  return {
    why: event.type === 'EffortDehydrated' ? 'dehydrated' : 'compaction',
    effort: typeof effort === 'number' ? effort : undefined,
  }
}
