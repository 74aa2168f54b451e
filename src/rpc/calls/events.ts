/** Events of the journal: read, looked at more closely, and brought in from elsewhere. */
import { z } from 'zod'
import { DEFAULT_AGENT } from '../../agents/facts.ts'
import { type EventContext, type HookEvent, isAgentName, OWN_AGENT } from '../../events/index.ts'
import { defineRpc } from '../definition.ts'

/** An event as JSON; `rawBase64` stands in for `raw` when the payload was not valid UTF-8. */
export type WireEvent = Omit<HookEvent, 'raw'> & { readonly raw?: string; readonly rawBase64?: string }

export interface EventContextView {
  readonly seq: number
  /** Null for an event that is gone. */
  readonly context: EventContext | null
}

/** What calls and subscriptions may ask of the events. */
export const querySchema = z.strictObject({
  session: z.string().optional(),
  type: z.string().optional(),
  agent: z.string().optional(),
  /** Only events of this sub-agent, by its id. */
  subagent: z.string().optional(),
  /** All agents but this one; "gantry" are the events that it raises itself. */
  except: z.string().optional(),
  /** UTC milliseconds. */
  since: z.number().optional(),
  after: z.int().nonnegative().optional(),
  before: z.int().nonnegative().optional(),
  /** Case-insensitive text in the payload. */
  grep: z.string().min(1).optional(),
  /** What is asked of one `gantry run`; whoever reads this is taken for its supervisor. */
  run: z.string().min(1).optional(),
})

export type EventQuery = Readonly<z.infer<typeof querySchema>>

const MAX_LISTED = 10_000
const MAX_CONTEXTS = 1_000
const MAX_IMPORTED = 500 // of one call: what one commit takes

const importedEvent = z.strictObject({
  /** The same event has the same id, so that it is stored once. */
  id: z.string().regex(/^[\x21-\x7e]{1,128}$/, { error: 'an id is up to 128 letters without spaces' }),
  agent: z
    .string()
    .refine((name) => isAgentName(name) && name !== OWN_AGENT, { error: 'no agent has this name' }),
  event: z.string().optional(),
  /** UTC milliseconds. */
  at: z.number(),
  env: z.record(z.string(), z.string()).default({}),
  /** The native payload as text, or as base64 where it is none. */
  payload: z.string(),
  base64: z.boolean().default(false),
})

export type ImportedEvent = z.infer<typeof importedEvent>

export const eventCalls = {
  'events.list': defineRpc({
    summary: 'The newest events that pass a query, oldest first',
    args: querySchema.extend({ limit: z.int().min(1).max(MAX_LISTED).default(100) }),
    result: z.custom<WireEvent[]>(),
    example: { type: 'Stop', limit: 10 },
  }),
  'events.get': defineRpc({
    summary: 'One event by its id',
    args: z.strictObject({ id: z.string().min(1) }),
    result: z.custom<WireEvent>(),
    example: { id: '01KA2Z5V3C7Q9M0XW4T8R6Y1BN' },
  }),
  'events.contexts': defineRpc({
    summary: 'What was around events: ids, conversation, parent, project, git, changed files',
    args: z.strictObject({ seqs: z.array(z.int().positive()).max(MAX_CONTEXTS) }),
    result: z.custom<EventContextView[]>(),
    example: { seqs: [1] },
  }),
  'events.import': defineRpc({
    summary: 'Stores events of another time: no session, rule, handler, notification or stream hears of them',
    args: z.strictObject({ events: z.array(importedEvent).min(1).max(MAX_IMPORTED) }),
    result: z.custom<{ readonly added: number; readonly known: number }>(),
    example: {
      events: [
        {
          id: 'import-example',
          agent: DEFAULT_AGENT,
          at: 1763000000000,
          payload: '{"hook_event_name":"Stop","session_id":"s1"}',
        },
      ],
    },
  }),
}
