/**
 * Calls about handlers, and events that programs put on the bus. There are calls only on the user's own socket:
 * nobody who merely has the HTTP token can have a command run.
 */
import { z } from 'zod'
import { GantryError } from '../../core/errors.ts'
import { type Arrival, isRaised, newId, OWN_AGENT } from '../../events/index.ts'
import type { Pipeline } from '../../ingest/index.ts'
import { isAgentName } from '../../ingest/index.ts'
import { readEvent } from '../../journal/index.ts'
import { defineRpc, type Rpc } from '../../rpc/index.ts'
import type { Store } from '../../store/index.ts'
import type { Handlers } from './handlers.ts'

export interface HandlerCallParts {
  readonly handlers: Handlers
  readonly pipeline: Pipeline
  readonly store: Store
}

const MAX_PAYLOAD_CHARS = 1024 * 1024 // a message of a program, not its data
const MAX_COMMAND_CHARS = 4096

const eventName = z.string().regex(/^[A-Za-z0-9_.:-]{1,64}$/, {
  error: 'the name of an event is letters, digits, ".", ":", "-" and "_"',
})

const handlerId = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,64}$/, { error: 'an id is letters, digits, ".", "-" and "_"' })

const command = z
  .string()
  .trim()
  .min(1)
  .max(MAX_COMMAND_CHARS)
  .refine((text) => !text.includes('\0'), { error: 'a command has no zero bytes' })

export function handlerCalls(parts: HandlerCallParts): Rpc[] {
  return [
    defineRpc({
      name: 'bus.handlers',
      summary: 'The registered handlers in the order they are asked, and how they do',
      args: z.strictObject({}),
      example: {},
      handle: () => parts.handlers.list(),
    }),
    defineRpc({
      name: 'bus.register',
      summary: 'Registers a command for events, in place of one with the same id',
      args: z.strictObject({
        id: handlerId,
        events: z
          .array(z.union([z.literal('*'), eventName]))
          .min(1)
          .max(64),
        command,
        priority: z.int().min(0).max(1000).default(50),
      }),
      example: { id: 'example', events: ['ExampleEvent'], command: 'true' },
      handle: (row) => parts.handlers.register({ ...row, createdAt: Date.now() }),
    }),
    defineRpc({
      name: 'bus.unregister',
      summary: 'Takes a handler out',
      args: z.strictObject({ id: handlerId }),
      example: { id: 'example' },
      handle: ({ id }) => {
        if (parts.handlers.unregister(id)) return { id }
        const message = `There is no handler "${id}". "gantry bus handlers" lists them.`
        throw new GantryError('VALIDATION_ERROR', message)
      },
    }),
    defineRpc({
      name: 'bus.emit',
      summary: 'Puts an event of your own on the bus; the payload is an object, or the text of one',
      args: z.strictObject({
        event: eventName,
        agent: z.string().refine(isAgentName, { error: 'not the name of an agent' }).default(OWN_AGENT),
        payload: z.union([z.string(), z.record(z.string(), z.unknown())]).default({}),
      }),
      example: { event: 'ExampleEvent', payload: { note: 'hello' } },
      handle: ({ event, agent, payload }) => emit(parts, event, agent, payload),
    }),
  ]
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
      `${event} is gantry's own to say. Give your event another name.`,
    )
  const arrival = emitted(
    event,
    agent,
    typeof payload === 'string' ? objectText(payload) : JSON.stringify(payload),
  )
  const reply = await new Promise((resolve) => pipeline.take(arrival, resolve))
  if (reply === undefined) throw new GantryError('DATABASE', 'It could not be stored. See: gantry doctor')
  return { id: arrival.id, seq: store.byId(arrival.id)?.seq ?? 0 }
}

function emitted(event: string, agent: string, raw: string): Arrival {
  if (raw.length > MAX_PAYLOAD_CHARS)
    throw new GantryError(
      'VALIDATION_ERROR',
      'The payload is over 1 MB. Put the data in a file, and its path here.',
    )
  const now = Date.now()
  const arrival: Arrival = {
    id: newId(),
    at: now,
    receivedAt: now,
    agent,
    event,
    client: { env: {} },
    transport: 'emit',
    raw,
  }
  const { native } = readEvent(arrival)
  if (native === event) return arrival
  const message = `The payload calls its event "${native.slice(0, 80)}", not "${event}". Leave hook_event_name out.`
  throw new GantryError('VALIDATION_ERROR', message)
}

function objectText(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text
  } catch {
    // The message below says what is wanted.
  }
  throw new GantryError('VALIDATION_ERROR', `The payload is not a JSON object. Write one: '{"key":"value"}'`)
}
