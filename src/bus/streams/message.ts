/** One message of a stream, for readers on this host and for NATS. */
import type { WireMessage } from '../../client/bus.ts'
import { type HookEvent, isImported, isRaised } from '../../events/index.ts'
import type { JournalRow, StoredMessage } from '../../store/index.ts'
import { type StreamName, subjectOf } from './names.ts'

export interface BusMessage extends Omit<WireMessage, 'host' | 'data' | 'dataBase64' | 'deliveries'> {
  /** The native JSON as received, after redaction; on the other streams, gantry's own JSON. */
  readonly data: string | Uint8Array
  /** It has a sequence but no reader gets it: internal events are on another stream, imported ones on none. */
  readonly isAside?: true
}

export function hookMessage(event: HookEvent | JournalRow): BusMessage {
  return {
    stream: 'HOOK_EVENTS',
    seq: event.seq,
    id: event.id,
    at: event.receivedAt,
    subject: subjectOf('HOOK_EVENTS', event.type),
    type: event.type,
    agent: event.agent,
    native: event.native,
    session: event.sessionId,
    data: event.raw,
    ...(isRaised(event) || isImported(event) ? { isAside: true } : {}),
  }
}

/** The message of an internal event. */
export function ownMessage(event: HookEvent): Omit<StoredMessage, 'seq'> | undefined {
  if (!isRaised(event) || isImported(event)) return undefined
  const { id, receivedAt: at, type, agent, native, sessionId, raw } = event
  return {
    id,
    at,
    type,
    agent,
    native,
    sessionId,
    data: typeof raw === 'string' ? raw : Buffer.from(raw).toString(),
  }
}

export function derivedMessage(stream: StreamName, stored: StoredMessage): BusMessage {
  const { sessionId, ...rest } = stored
  return { ...rest, stream, session: sessionId, subject: subjectOf(stream, stored.type) }
}
