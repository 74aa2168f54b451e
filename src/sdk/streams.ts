/** What a program reads along: events, sessions, messages of the bus. All of it goes on after a restart of the daemon. */
import { type BusRequest, subscribeBus, type WireMessage } from '../client/bus.ts'
import { subscribe, subscribeSessions } from '../client/connection.ts'
import { doubtsAbout, typeIn } from '../client/known-names.ts'
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
  /** Begins after this sequence; 0 is everything there is. Without it and `since`, only what comes. */
  readonly after?: number
  /** Begins at this time. */
  readonly since?: Date | number
}

/** A message of a stream. */
export interface BusMessage extends WireMessage {
  /** The payload as JSON; undefined when it is none. */
  json(): unknown
}

/** A message that is to be acknowledged; it comes again when nothing is said of it in time. */
export interface OpenMessage extends BusMessage {
  /** Done with. */
  ack(): void
  /** Again, at once or after a while. */
  nak(delayMs?: number): void
  /** Never again. */
  term(): void
}

export type MessageRequest = Omit<BusRequest, 'durable' | 'ackWaitMs' | 'maxInFlight'>
export type ConsumerRequest = Omit<BusRequest, 'durable' | 'coalesce'>

/** Every event that passes, once and in order. */
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
  return lasting(link, waiting, async function* (signal, here) {
    if (cursor === undefined) await refuseMisspelt(link, names, signal)
    const { lastSeq } = await askDaemon(link, 'status', {}, { signal, wait: false })
    here()
    cursor ??= after ?? (since === undefined ? lastSeq : 0)
    if (cursor > lastSeq && cursor !== after) cursor = 0 // another journal than before: all of it is new
    for await (const event of subscribe(link.places, { ...query, after: cursor }, signal)) {
      cursor = event.seq
      if (!types || types.has(event.type)) yield event
    }
  })
}

/** What nothing can ever pass would wait in silence. */
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

/** All sessions, again after each restart of the daemon, and between that each one that changed. */
export function sessionChanges(link: Link, waiting: Waiting): AsyncGenerator<SessionChange, void> {
  return lasting(link, waiting, async function* (signal, here) {
    for await (const change of subscribeSessions(link.places, signal)) {
      if ('snapshot' in change) here()
      yield change
    }
  })
}

/** Messages of a stream, without a place of one's own: after a restart it goes on with the next one. */
export function messages(
  link: Link,
  request: MessageRequest,
  waiting: Waiting,
): AsyncGenerator<BusMessage, void> {
  let next: number | undefined
  return lasting(link, waiting, async function* (signal, here) {
    if (next === undefined) await refuseMisspelt(link, namesIn(request), signal)
    const from = next === undefined ? request : { ...request, deliver: { seq: next } }
    const reading = await subscribeBus(link.places, from, signal)
    here()
    next ??= reading.welcome.after + 1
    for await (const message of reading.messages) {
      next = message.seq + 1
      yield { ...message, json: () => jsonOf(message) }
    }
  })
}

/** Messages under a name: the daemon keeps the place, and gives again what was not acknowledged. */
export function consume(
  link: Link,
  durable: string,
  request: ConsumerRequest,
  waiting: Waiting,
): AsyncGenerator<OpenMessage, void> {
  return lasting(link, waiting, async function* (signal, here) {
    await refuseMisspelt(link, namesIn(request), signal)
    const reading = await subscribeBus(link.places, { ...request, durable }, signal)
    here()
    for await (const message of reading.messages) {
      let isLeft = true
      try {
        yield {
          ...message,
          json: () => jsonOf(message),
          ack: () => reading.ack(message.seq),
          nak: (delayMs = 0) => reading.nak(message.seq, delayMs),
          term: () => reading.term(message.seq),
        }
        isLeft = false
      } finally {
        if (isLeft) await reading.end() // what was acknowledged is heard before the connection goes
      }
    }
  })
}

function jsonOf({ data }: WireMessage): unknown {
  try {
    return data === undefined ? undefined : JSON.parse(data)
  } catch {
    return undefined
  }
}
