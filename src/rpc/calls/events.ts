/** Events of the journal: reading, contexts, and import. */
import { z } from 'zod'
import { DEFAULT_AGENT } from '../../agents/facts.ts'
import {
  type EventContext,
  type HookEvent,
  isAgentName,
  OWN_AGENT,
  type Verdict,
} from '../../events/index.ts'
import { openCall } from '../definition.ts'

/** An event as JSON; `rawBase64` replaces `raw` if the payload is not valid UTF-8. */
export type WireEvent = Omit<HookEvent, 'raw'> & { readonly raw?: string; readonly rawBase64?: string }

export interface EventContextView {
  readonly seq: number
  /** Null if the event was deleted. */
  readonly context: EventContext | null
}

/** The query of calls and subscriptions for events. */
export const querySchema = z.strictObject({
  session: z.string().optional(),
  type: z.string().optional(),
  agent: z.string().optional(),
  /** Only events of this sub-agent, by its id. */
  subagent: z.string().optional(),
  /** All agents except this one; "gantry" means the events that gantry itself raises. */
  except: z.string().optional(),
  /** UTC milliseconds. */
  since: z.number().optional(),
  after: z.int().nonnegative().optional(),
  before: z.int().nonnegative().optional(),
  /** Case-insensitive text in the payload. */
  grep: z.string().min(1).optional(),
  /** Requests to one `gantry run`; its reader counts as the supervisor. */
  run: z.string().min(1).optional(),
})

export type EventQuery = Readonly<z.infer<typeof querySchema>>

export type PagedVerdict = Pick<Verdict, 'decision' | 'by' | 'reason'>

/** An event without its payload, and with long texts cut; `events.get` has it whole. */
export type PagedEvent = Omit<HookEvent, 'raw'> & {
  /** Size of the payload. */
  readonly bytes: number
  /** What gantry answered, as far back as the stream of decisions goes. */
  readonly verdict?: PagedVerdict
  /** Texts were cut, or the payload is so large that only its columns were read. */
  readonly shortened?: true
}

export interface EventsPage {
  /** Oldest first. */
  readonly events: readonly PagedEvent[]
  /** The oldest and the newest sequence in the journal, whatever the filters; 0 if it is empty. There are no gaps between. */
  readonly first: number
  readonly last: number
  /** How many events the journal has. */
  readonly total: number
  /** The part that was looked at, both ends included: what passes the filters there is in `events`. */
  readonly from: number
  readonly to: number
  /** There may be more that pass before `from`, or after `to`: ask with `before: from`, or `after: to`. */
  readonly older: boolean
  readonly newer: boolean
  /** Verdicts are known from about this event on; left out if the stream of decisions still has all of them. */
  readonly verdictsFrom?: number
}

export interface EventTools {
  /** In alphabetical order. */
  readonly tools: readonly string[]
  /** Left out if these are all; else those of the newest events. */
  readonly cut?: true
}

/** Which page: the newest, the one around `at`, what follows `after`, or what comes before `before`. */
export const pageSchema = querySchema.omit({ run: true }).extend({
  at: z.int().nonnegative().optional().describe('a sequence; half of the page is before it'),
  tool: z.string().optional(),
  verdict: z
    .enum(['allow', 'deny', 'ask', 'block-stop', 'none'])
    .optional()
    .describe("gantry's answer, as far back as the stream of decisions goes"),
  host: z.string().optional().describe('the journal has only events of this host'),
  limit: z.int().min(1).max(500).default(100),
})

export type PageQuery = Readonly<z.infer<typeof pageSchema>>

const MAX_LISTED = 10_000
const MAX_CONTEXTS = 1_000
const MAX_IMPORTED = 500 // per call: what one commit takes

const importedEvent = z.strictObject({
  /** The same event must have the same id, so that it is stored once. */
  id: z
    .string()
    .regex(/^[\x21-\x7e]{1,128}$/, { error: 'an id is 1 to 128 printable characters without spaces' }),
  agent: z
    .string()
    .refine((name) => isAgentName(name) && name !== OWN_AGENT, { error: 'not a valid agent name' }),
  event: z.string().optional(),
  /** UTC milliseconds. */
  at: z.number(),
  env: z.record(z.string(), z.string()).default({}),
  /** The native payload as text, or as base64 if it is binary. */
  payload: z.string(),
  base64: z.boolean().default(false),
})

export type ImportedEvent = z.infer<typeof importedEvent>

export const eventCalls = {
  'events.list': openCall({
    summary: 'The newest events that match a query, oldest first',
    args: querySchema.extend({ limit: z.int().min(1).max(MAX_LISTED).default(100) }),
    result: z.custom<WireEvent[]>(),
    example: { type: 'Stop', limit: 10 },
  }),
  'events.page': openCall({
    summary:
      'One page of the journal by sequence: the newest, around one, before or after one; without payloads',
    args: pageSchema,
    result: z.custom<EventsPage>(),
    example: { at: 4711, tool: 'Bash', limit: 50 },
  }),
  'events.tools': openCall({
    summary: 'Names of the tools in the journal, for filters',
    args: z.strictObject({}),
    result: z.custom<EventTools>(),
    example: {},
  }),
  'events.get': openCall({
    summary: 'One event by its id',
    args: z.strictObject({ id: z.string().min(1) }),
    result: z.custom<WireEvent>(),
    example: { id: '01KA2Z5V3C7Q9M0XW4T8R6Y1BN' },
  }),
  'events.contexts': openCall({
    summary: 'Context of events: ids, conversation, parent, project, git, changed files',
    args: z.strictObject({ seqs: z.array(z.int().positive()).max(MAX_CONTEXTS) }),
    result: z.custom<EventContextView[]>(),
    example: { seqs: [1] },
  }),
  'events.import': openCall({
    summary: 'Stores past events; sessions, rules, handlers, notifications and streams ignore them',
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
