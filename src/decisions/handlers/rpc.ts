/**
 * Calls about handlers, and events that programs put on the bus. There are calls only on the user's own socket:
 * nobody who merely has the HTTP token can have a command run.
 */
import { GantryError } from '../../core/errors.ts'
import { objectIn } from '../../core/json.ts'
import { isRaised, newId, type RawEvent } from '../../events/index.ts'
import type { Pipeline } from '../../ingest/index.ts'
import { readEvent } from '../../journal/index.ts'
import type { CallHandlers } from '../../rpc/index.ts'
import type { Store } from '../../store/index.ts'
import type { Handlers } from './handlers.ts'

interface HandlerCallParts {
  readonly handlers: Handlers
  readonly pipeline: Pipeline
  readonly store: Store
}

const MAX_PAYLOAD_CHARS = 1024 * 1024 // a message of a program, not its data
export function handlerCalls(parts: HandlerCallParts) {
  return {
    'bus.handlers': () => parts.handlers.list(),
    'bus.register': (row) => parts.handlers.register({ ...row, createdAt: Date.now() }),
    'bus.unregister': ({ id }) => {
      if (parts.handlers.unregister(id)) return { id }
      const message = `There is no handler "${id}". "gantry bus handlers" lists them.`
      throw new GantryError('VALIDATION_ERROR', message)
    },
    'bus.emit': ({ event, agent, payload }) => emit(parts, event, agent, payload),
  } satisfies Partial<CallHandlers>
}

async function emit(
  { pipeline, store }: HandlerCallParts,
  event: string,
  agent: string,
  payload: string | Record<string, unknown>,
): Promise<{ id: string; seq: number }> {
  if (isRaised({ agent, type: event }))
    throw new GantryError(
      'VALIDATION_ERROR',
      `${event} is reserved for gantry itself. Give your event another name.`,
    )
  const rawEvent = emitted(
    event,
    agent,
    typeof payload === 'string' ? objectText(payload) : JSON.stringify(payload),
  )
  const reply = await new Promise((resolve) => pipeline.take(rawEvent, resolve))
  if (reply === undefined) throw new GantryError('DATABASE', 'It could not be stored. See: gantry doctor')
  return { id: rawEvent.id, seq: store.byId(rawEvent.id)?.seq ?? 0 }
}

function emitted(event: string, agent: string, raw: string): RawEvent {
  if (raw.length > MAX_PAYLOAD_CHARS)
    throw new GantryError(
      'VALIDATION_ERROR',
      'The payload is over 1 MB. Put the data in a file, and its path here.',
    )
  const now = Date.now()
  const rawEvent: RawEvent = {
    id: newId(),
    at: now,
    receivedAt: now,
    agent,
    event,
    client: { env: {} },
    transport: 'emit',
    raw,
  }
  const { native } = readEvent(rawEvent)
  if (native === event) return rawEvent
  const message = `The payload calls its event "${native.slice(0, 80)}", not "${event}". Leave hook_event_name out.`
  throw new GantryError('VALIDATION_ERROR', message)
}

function objectText(text: string): string {
  if (objectIn(text) !== undefined) return text
  throw new GantryError('VALIDATION_ERROR', `The payload is not a JSON object. Write one: '{"key":"value"}'`)
}
