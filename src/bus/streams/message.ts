/** One message on a stream: what readers on the spot get, and what goes to NATS. */
import { type HookEvent, isImported, isRaised } from '../../events/index.ts'
import type { JournalRow, StoredMessage } from '../../store/index.ts'
import { type StreamName, subjectOf } from './names.ts'

export interface BusMessage {
  readonly stream: StreamName
  readonly seq: number
  /** The event's id: the same message on every road, and counted once. */
  readonly id: string
  /** When it was received, UTC milliseconds. */
  readonly at: number
  readonly subject: string
  readonly type: string
  readonly agent: string
  readonly native: string
  readonly session: string
  /** The native JSON as it came, after redaction; for the other streams gantry's own. */
  readonly data: string | Uint8Array
  /** It has a sequence and is for no reader: gantry's own events are on another stream, and what was imported on none. */
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

/** Of an event that gantry raised itself. */
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
