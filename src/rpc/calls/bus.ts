/** The bus: streams, consumers, NATS, other hosts, webhooks and dead letters. */
import { z } from 'zod'
import { STREAMS, type StreamName } from '../../events/index.ts'
import type { SessionView } from '../../sessions/state/index.ts'
import { defineRpc } from '../definition.ts'
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

export interface BusConsumer {
  readonly stream: string
  readonly name: string
  readonly filter: string
  readonly ackWaitMs: number
  readonly maxInFlight: number
  readonly createdAt: number
  readonly activeAt: number
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

export interface FleetHost {
  readonly host: string
  /** silent: no sign of it for a while; stopped: its gantry was stopped. */
  readonly state: 'here' | 'silent' | 'stopped'
  /** Its last sign, by the clock of NATS, UTC milliseconds. */
  readonly heardAt: number
  readonly self: boolean
  readonly version: string
  readonly sessions: number
}

/** The last state its host reported; if that host is not here, it may be outdated. */
export type FleetSession = SessionView & { readonly host: string; readonly hostState: FleetHost['state'] }

export interface FleetSessions {
  readonly hosts: readonly FleetHost[]
  readonly sessions: readonly FleetSession[]
  /** Why only this host is shown. */
  readonly problem: string | null
}

/** The hub that this host is a leaf node of, as this host sees it. */
export interface HubStatus {
  /** Null if it has none. */
  readonly url: string | null
  /** JetStream domains of this host and of the hub. */
  readonly domain: string | null
  readonly hub: string | null
  readonly connected: boolean
  /** When it last answered, UTC milliseconds. */
  readonly reachedAt: number | null
  readonly problem: string | null
  /** The streams on the hub, and the hosts that they take messages of. */
  readonly streams: readonly {
    readonly name: BusStreamName
    readonly messages: number
    readonly bytes: number
    readonly sources: readonly { readonly domain: string; readonly lag: number; readonly quietMs: number }[]
  }[]
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

const MAX_LISTED = 10_000
const whichLetter = z.strictObject({
  /** An event's id, or `all`. */
  id: z.string().min(1),
})

export const busCalls = {
  'bus.status': defineRpc({
    summary: 'Contents of the streams and state of the bus',
    result: z.custom<BusStatus>(),
  }),
  'bus.consumers': defineRpc({
    summary: 'Durable consumers: position and backlog of each',
    result: z.custom<BusConsumer[]>(),
  }),
  'bus.consumers.delete': defineRpc({
    summary: 'Deletes a durable consumer and its position, and disconnects its readers',
    args: z.strictObject({ name: z.string(), stream: z.enum(STREAMS).default('HOOK_EVENTS') }),
    result: z.custom<{ readonly deleted: string }>(),
    example: { name: 'reports' },
  }),
  'bus.natsInfo': defineRpc({
    summary: 'Address and token of the NATS server, as in nats-info.json',
    result: z.custom<NatsInfo>(),
  }),
  'fleet.sessions': defineRpc({
    summary: 'Sessions of all hosts on the same NATS, and the state of each host',
    result: z.custom<FleetSessions>(),
  }),
  'fleet.hub': defineRpc({
    summary: 'The hub that this host is a leaf node of: its streams, and how far each host is behind',
    result: z.custom<HubStatus>(),
  }),
  'fleet.forget': defineRpc({
    summary: "Takes a host out of the hub's streams; what it sent stays",
    args: z.strictObject({ host: z.string().min(1) }),
    result: z.custom<{ readonly forgotten: string }>(),
    example: { host: 'build-3' },
  }),
  'bus.deadLetters': defineRpc({
    summary: 'Messages that NATS or a webhook rejected, newest first',
    args: z.strictObject({ limit: z.int().min(1).max(MAX_LISTED).default(100) }),
    result: z.custom<DeadLetter[]>(),
    example: { limit: 10 },
  }),
  'bus.deadLetters.requeue': defineRpc({
    summary: 'Retries a dead letter, or all of them',
    args: whichLetter,
    result: z.custom<{ readonly requeued: number }>(),
    example: { id: 'all' },
  }),
  'bus.deadLetters.drop': defineRpc({
    summary: 'Deletes a dead letter, or all of them; the events stay in the journal',
    args: whichLetter,
    result: z.custom<{ readonly dropped: number }>(),
    example: { id: '01KA2Z5V3C7Q9M0XW4T8R6Y1BN' },
  }),
  'bus.webhooks': defineRpc({
    summary: 'The webhooks: state, last response, backlog and failures',
    result: z.custom<WebhookStatus[]>(),
  }),
  'bus.webhooks.test': defineRpc({
    summary: 'Sends one test message to a webhook and returns its response',
    args: z.strictObject({ name: z.string().min(1) }),
    result: z.custom<WebhookOutcome>(),
    example: { name: 'ci' },
  }),
}
