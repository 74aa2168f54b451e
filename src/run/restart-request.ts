/**
 * The daemon's request for a fresh start, because the effort is dehydrated or the context is full. If the daemon is
 * down, there is no request, and the connection is retried.
 */
import { call, subscribe, type WireEvent } from '../client/index.ts'
import type { Places } from '../core/files/paths.ts'
import { pause } from '../core/time/waits.ts'
import { within } from './agent-process.ts'

export interface RestartRequest {
  readonly why: 'dehydrated' | 'compaction'
  readonly effort: number | undefined
}

const AGAIN_FIRST_MS = 200
const AGAIN_LAST_MS = 2_000
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
  await within(LISTENS_MS, tried)
  return { next, [Symbol.dispose]: () => over.abort() }
}

async function nextRequest(
  places: Places,
  runId: string,
  signal: AbortSignal,
  tried: () => void,
): Promise<RestartRequest | undefined> {
  let after: number | undefined
  for (let waitMs = AGAIN_FIRST_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, AGAIN_LAST_MS)) {
    try {
      after ??= Math.max(0, (await call(places, 'status')).lastSeq - LOOK_BACK)
      for await (const event of subscribe(places, { run: runId, after }, signal, tried))
        return requestOf(event)
      waitMs = AGAIN_FIRST_MS
    } catch {
      // down, stuck, or another version: the agent runs on
    }
    tried()
    await pause(waitMs, signal)
  }
  return undefined
}

/** A request of the last moment, for an agent that has just ended. */
export async function lastRequest(places: Places, runId: string): Promise<RestartRequest | undefined> {
  try {
    const query = { run: runId, since: Date.now() - LAST_MOMENT_MS, limit: 1 }
    const asked = await call(places, 'events.list', query, { deadlineMs: LAST_LOOK_MS })
    const [event] = asked as WireEvent[]
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
