/**
 * A stream of the bus as server-sent events.
 *
 *   GET /bus/events?stream=HOOK_EVENTS&filter=Stop&since=10m
 *   id: 17
 *   data: {"stream":"HOOK_EVENTS","seq":17,…}
 */
import { isStream, STREAMS, type Subscriptions } from '../bus/index.ts'
import { type BusDeliver, sinceOf } from '../client/index.ts'
import { refusal } from './bus-subscription.ts'
import { eventStream } from './sse.ts'

const KNOWN = ['stream', 'filter', 'since', 'coalesce']

/** Throws if the query is invalid. */
export function busStream(request: Request, subscriptions: Subscriptions): Response {
  const { searchParams } = new URL(request.url)
  for (const name of searchParams.keys()) {
    if (!KNOWN.includes(name)) throw refusal(`Unknown parameter "${name}". Known: ${KNOWN.join(', ')}.`)
  }
  const stream = searchParams.get('stream') || 'HOOK_EVENTS'
  if (!isStream(stream)) throw refusal(`There is no stream "${stream}". There are ${STREAMS.join(', ')}.`)
  const filter = searchParams.get('filter') || undefined
  const deliver = deliverOf(request.headers.get('last-event-id'), searchParams.get('since'))
  const coalesce = ['1', 'true'].includes(searchParams.get('coalesce') ?? '')
  return eventStream((sink) => subscriptions.read({ stream, filter, deliver, coalesce }, sink, 'sse'))
}

/** A reconnecting browser sends the last id it saw, which overrides the address. */
function deliverOf(lastId: string | null, since: string | null): BusDeliver {
  if (lastId !== null && /^\d{1,15}$/.test(lastId)) return { seq: Number(lastId) + 1 }
  return since === null || since === '' ? 'new' : sinceOf(since, Date.now())
}
