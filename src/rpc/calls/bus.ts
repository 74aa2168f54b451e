/** The bus: streams, consumers, NATS, webhooks, dead letters, and handlers. */
import { z } from 'zod'
import { isAgentName, OWN_AGENT, STREAMS, type StreamName } from '../../events/index.ts'
import type { ConsumerFacts } from '../../store/tables/row-types.ts'
import { guardedCall, openCall } from '../definition.ts'
import type { Finding } from './daemon.ts'

export type BusStreamName = StreamName

export interface BusStreamStatus {
  readonly name: BusStreamName
  readonly subjects: string
  readonly messages: number
  readonly bytes: number
  readonly firstSeq: number
  readonly lastSeq: number
  /** Messages kept for quiet sessions although they are older than the window. */
  readonly floor: number
  /** Connected readers and consumers. */
  readonly followers: number
  readonly consumers: number
}

export interface BusConsumer extends ConsumerFacts {
  readonly connections: number
  /** The last delivered message. */
  readonly cursor: number
  readonly ackFloor: number
  readonly inFlight: number
  readonly redelivered: number
  /** Not delivered yet. */
  readonly pending: number
  /** Not acknowledged yet, delivered or not. */
  readonly lag: number
  /** Messages that had left the stream before they were read. */
  readonly missed: number
}

export interface NatsStreamStatus {
  readonly name: BusStreamName
  readonly exists: boolean
  /** How it differs from what gantry would have created; empty if it does not. */
  readonly differs: readonly string[]
  readonly messages: number
  /** Messages that are not delivered yet. */
  readonly backlog: number
  /** Age of the oldest of them. */
  readonly lagMs: number
  readonly deadLetters: number
  /** Deleted here before they could be delivered. */
  readonly missed: number
  readonly lastError: string | null
  /** A past incident that is over. */
  readonly note: string | null
}

/** The state of the connection to NATS. */
export interface NatsStatus {
  readonly mode: 'off' | 'managed' | 'external'
  /** Why it is off. */
  readonly why: string | null
  readonly connected: boolean
  readonly url: string | null
  readonly serverVersion: string | null
  /** Pid of the server that gantry runs. */
  readonly serverPid: number | null
  readonly problem: string | null
  readonly streams: readonly NatsStreamStatus[]
}

export interface BusStatus {
  readonly streams: readonly BusStreamStatus[]
  readonly consumers: number
  readonly nats?: NatsStatus
  /** Problems of the bus, each with its fix. */
  readonly problems: readonly Finding[]
  /** The state of other parts of the bus. */
  readonly [part: string]: unknown
}

/** A message that NATS or a webhook rejected. */
export interface DeadLetter {
  readonly id: string
  /** `jetstream`, or `webhook:<name>`. */
  readonly target: string
  readonly stream: string
  readonly seq: number
  readonly session: string
  readonly attempts: number
  readonly error: string
  readonly deadAt: number
}

/** For `gantry bus webhooks` and `gantry doctor`. */
export interface WebhookStatus {
  readonly name: string
  readonly url: string
  readonly stream: BusStreamName
  readonly filter: readonly string[]
  readonly state: 'off' | 'ok' | 'retrying' | 'failing'
  /** What keeps it from sending at all. */
  readonly problem: string | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly lastAt: number | null
  readonly failingSince: number | null
  readonly nextAttemptAt: number | null
  /** Messages of the stream that are not handled yet, whatever their type. */
  readonly backlog: number
  /** Messages that failed and will be retried. */
  readonly waiting: number
  /** Messages that were given up. */
  readonly dead: number
  /** Since the daemon started. */
  readonly delivered: number
  readonly rejected: number
  readonly failed: number
  /** Deleted from the stream before they could be sent. */
  readonly missed: number
}

/**
 * A webhook's response to one message. `rejected`: it will never be accepted. `failed`: not now. `unreachable`: not now,
 * and not because of the message: the connection failed.
 */
export interface WebhookOutcome {
  readonly kind: 'delivered' | 'rejected' | 'failed' | 'unreachable'
  readonly status?: number
  /** One line without the URL, which may hold secrets. */
  readonly error?: string
  /** How long the server asks us to wait. */
  readonly retryAfterMs?: number
  /** The beginning of the response. */
  readonly answer: string
  readonly tookMs: number
}

export interface NatsInfo {
  readonly url: string
  readonly port: number
  readonly token: string
  readonly jetstream: true
  readonly stream: 'HOOK_EVENTS'
  readonly subjects: 'hooks.>'
}

export interface HandlerStatus {
  readonly id: string
  /** A registered command, or a warm handler. */
  readonly kind: 'command' | 'file'
  readonly events: readonly string[]
  /** The command line, or the path of the warm handler's file. */
  readonly command: string
  readonly priority: number
  readonly createdAt: number
  readonly circuit: 'closed' | 'open' | 'half-open'
  /** When an open circuit is tried again. */
  readonly retryAt: number | null
  readonly running: number
  readonly runs: number
  readonly failures: number
  readonly blocks: number
  /** Runs with invalid output. */
  readonly garbled: number
  /** Events it did not get: its circuit was open, or too many waited. */
  readonly skipped: number
  readonly lastRunAt: number | null
  readonly lastError: string | null
  readonly lastErrorAt: number | null
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
}

const MAX_LISTED = 10_000
const MAX_COMMAND_CHARS = 4096
const whichLetter = z.strictObject({
  /** An event's id, or `all`. */
  id: z.string().min(1),
})

const eventName = z.string().regex(/^[A-Za-z0-9_.:-]{1,64}$/, {
  error: 'an event name is letters, digits, ".", ":", "-" and "_"',
})

const handlerId = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,64}$/, { error: 'an id is letters, digits, ".", "-" and "_"' })

const command = z
  .string()
  .trim()
  .min(1)
  .max(MAX_COMMAND_CHARS)
  .refine((text) => !text.includes('\0'), { error: 'a command must not contain zero bytes' })

export const busCalls = {
  'bus.status': openCall({
    summary: 'Contents of the streams and state of the bus',
    result: z.custom<BusStatus>(),
  }),
  'bus.consumers': openCall({
    summary: 'Durable consumers: position and backlog of each',
    result: z.custom<BusConsumer[]>(),
  }),
  'bus.consumers.delete': openCall({
    summary: 'Deletes a durable consumer and its position, and disconnects its readers',
    args: z.strictObject({ name: z.string(), stream: z.enum(STREAMS).default('HOOK_EVENTS') }),
    result: z.custom<{ readonly deleted: string }>(),
    example: { name: 'reports' },
  }),
  'bus.natsInfo': openCall({
    summary: 'Address and token of the NATS server, as in nats-info.json',
    result: z.custom<NatsInfo>(),
  }),
  'bus.deadLetters': openCall({
    summary: 'Messages that NATS or a webhook rejected, newest first',
    args: z.strictObject({ limit: z.int().min(1).max(MAX_LISTED).default(100) }),
    result: z.custom<DeadLetter[]>(),
    example: { limit: 10 },
  }),
  'bus.deadLetters.requeue': openCall({
    summary: 'Retries a dead letter, or all of them',
    args: whichLetter,
    result: z.custom<{ readonly requeued: number }>(),
    example: { id: 'all' },
  }),
  'bus.deadLetters.drop': openCall({
    summary: 'Deletes a dead letter, or all of them; the events stay in the journal',
    args: whichLetter,
    result: z.custom<{ readonly dropped: number }>(),
    example: { id: '01KA2Z5V3C7Q9M0XW4T8R6Y1BN' },
  }),
  'bus.webhooks': openCall({
    summary: 'The webhooks: state, last response, backlog and failures',
    result: z.custom<WebhookStatus[]>(),
  }),
  'bus.webhooks.test': openCall({
    summary: 'Sends one test message to a webhook and returns its response',
    args: z.strictObject({ name: z.string().min(1) }),
    result: z.custom<WebhookOutcome>(),
    example: { name: 'ci' },
  }),
  'bus.handlers': openCall({
    summary: 'The handlers in the order they run, commands and files, with statistics',
    result: z.custom<HandlerStatus[]>(),
  }),
  'bus.register': guardedCall({
    summary: 'Registers a command for events; replaces one with the same id',
    args: z.strictObject({
      id: handlerId,
      events: z
        .array(z.union([z.literal('*'), eventName]))
        .min(1)
        .max(64),
      command,
      priority: z.int().min(0).max(1000).default(50),
    }),
    result: z.custom<HandlerStatus>(),
    example: { id: 'example', events: ['ExampleEvent'], command: 'true' },
  }),
  'bus.unregister': guardedCall({
    summary: 'Removes a handler',
    args: z.strictObject({ id: handlerId }),
    result: z.custom<{ readonly id: string }>(),
    example: { id: 'example' },
  }),
  'bus.emit': openCall({
    summary: 'Publishes an event of your own on the bus; the payload is an object or JSON text',
    args: z.strictObject({
      event: eventName,
      agent: z.string().refine(isAgentName, { error: 'not a valid agent name' }).default(OWN_AGENT),
      payload: z.union([z.string(), z.record(z.string(), z.unknown())]).default({}),
    }),
    result: z.custom<{ readonly id: string; readonly seq: number }>(),
    example: { event: 'ExampleEvent', payload: { note: 'hello' } },
  }),
}
