/** Streams to follow: events, sessions, messages of the bus. All continue after a restart of the daemon. */
import { type BusRequest, followBus, type WireMessage } from '../client/bus.ts'
import { subscribe, subscribeSessions } from '../client/connection.ts'
import { doubtsAbout, typeIn } from '../client/known-names.ts'
import { throughRestarts } from '../client/restarts.ts'
import { jsonIn } from '../core/json.ts'
import type { EventType } from '../events/index.ts'
import type { EventQuery, SessionChange, WireEvent } from '../rpc/index.ts'
import { askDaemon, type Link, lasting, type Waiting } from './link.ts'

export interface EventFilter {
  /** One type or several. */
  readonly type?: EventType | readonly EventType[]
  readonly session?: string
  readonly agent?: string
  /** Case-insensitive text in the payload. */
  readonly grep?: string
  /** Starts after this sequence; 0 is the whole journal. Without it and `since`, only new events. */
  readonly after?: number
  /** Starts at this time. */
  readonly since?: Date | number
}

/** A message of a stream. */
export interface BusMessage extends WireMessage {
  /** The payload parsed as JSON; undefined if it is not JSON. */
  json(): unknown
}

/** A message to acknowledge; it is redelivered if that does not happen in time. */
export interface OpenMessage extends BusMessage {
  /** Marks it as processed. */
  ack(): void
  /** Requests redelivery, at once or after a delay. */
  nak(delayMs?: number): void
  /** Never deliver it again. */
  term(): void
}

export type MessageRequest = Omit<BusRequest, 'durable' | 'ackWaitMs' | 'maxInFlight'>
export type ConsumerRequest = Omit<BusRequest, 'durable' | 'coalesce'>

/** Every matching event, once and in order. */
export function events(link: Link, filter: EventFilter, waiting: Waiting): AsyncGenerator<WireEvent, void> {
  const { type, since, after, ...rest } = filter
  const types = type === undefined || typeof type === 'string' ? undefined : new Set<string>(type)
  const query: EventQuery = {
    ...rest,
    ...(typeof type === 'string' ? { type } : {}),
    ...(since === undefined ? {} : { since: Number(since) }),
  }
  const names = { types: type === undefined ? [] : [type].flat(), agent: filter.agent }
  let cursor: number | undefined
  const open = async function* (signal: AbortSignal, here: () => void) {
    if (cursor === undefined) await refuseMisspelt(link, names, signal)
    const { lastSeq } = await askDaemon(link, 'status', {}, { signal, wait: false })
    here()
    cursor ??= after ?? (since === undefined ? lastSeq : 0)
    if (cursor > lastSeq && cursor !== after) cursor = 0 // another journal than before: all of it is new
    for await (const event of subscribe(link.places, { ...query, after: cursor }, signal)) {
      cursor = event.seq
      if (!types || types.has(event.type)) yield event
    }
  }
  return lasting(link, waiting, (through) => throughRestarts(through, open))
}

/** Rejects a filter that nothing can ever match, instead of waiting forever. */
async function refuseMisspelt(
  link: Link,
  names: Parameters<typeof doubtsAbout>[0],
  signal: AbortSignal,
): Promise<void> {
  for (const { query, error } of doubtsAbout(names, 'awaited')) {
    const found = await askDaemon(link, 'events.list', { ...query, limit: 1 }, { signal, wait: false })
    if (found.length === 0) throw error
  }
}

/** The types that a filter on hooks names. */
function namesIn({ stream = 'HOOK_EVENTS', filter }: BusRequest): { types: readonly string[] } {
  return { types: stream !== 'HOOK_EVENTS' || filter === undefined ? [] : [typeIn(filter)] }
}

/** All sessions, again after each restart of the daemon, and in between each session that changes. */
export function sessionChanges(link: Link, waiting: Waiting): AsyncGenerator<SessionChange, void> {
  return lasting(link, waiting, (through) =>
    throughRestarts(through, (signal, here) => subscribeSessions(link.places, signal, here)),
  )
}

/** Messages of a stream without a checkpoint: after a restart it continues with the next one. */
export async function* messages(
  link: Link,
  request: MessageRequest,
  waiting: Waiting,
): AsyncGenerator<BusMessage, void> {
  for await (const { message } of followed(link, request, waiting))
    yield { ...message, json: () => jsonIn(message.data) }
}

/** A durable consumer: the daemon keeps its checkpoint and redelivers unacknowledged messages. */
export async function* consume(
  link: Link,
  durable: string,
  request: ConsumerRequest,
  waiting: Waiting,
): AsyncGenerator<OpenMessage, void> {
  for await (const { message, reading } of followed(link, { ...request, durable }, waiting))
    yield {
      ...message,
      json: () => jsonIn(message.data),
      ack: () => reading.ack(message.seq),
      nak: (delayMs = 0) => reading.nak(message.seq, delayMs),
      term: () => reading.term(message.seq),
    }
}

function followed(link: Link, request: BusRequest, waiting: Waiting) {
  const first = (signal: AbortSignal) => refuseMisspelt(link, namesIn(request), signal)
  return lasting(link, waiting, (through) => followBus(link.places, request, { ...through, first }))
}
