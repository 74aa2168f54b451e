/** The bus: its streams, consumers, NATS, other hosts, webhooks and what they would not take. */
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
  /** Of the messages, those of quiet sessions that are older than the window. */
  readonly floor: number
  /** Readers and consumers that are connected. */
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
  /** The last message it was given. */
  readonly cursor: number
  readonly ackFloor: number
  readonly inFlight: number
  readonly redelivered: number
  /** Not given yet. */
  readonly pending: number
  /** Not acknowledged yet, given or not. */
  readonly lag: number
  /** Messages that had left the stream when it came to them. */
  readonly missed: number
}

/** How the way to NATS is doing. */
export interface BusNats {
  readonly mode: 'off' | 'managed' | 'external'
  readonly why: string | null
  readonly connected: boolean
  readonly url: string | null
  readonly serverVersion: string | null
  readonly serverPid: number | null
  readonly problem: string | null
  readonly streams: readonly {
    readonly name: BusStreamName
    readonly exists: boolean
    readonly differs: readonly string[]
    readonly messages: number
    readonly backlog: number
    readonly lagMs: number
    readonly deadLetters: number
    readonly missed: number
    readonly lastError: string | null
    readonly note: string | null
  }[]
}

export interface BusStatus {
  readonly streams: readonly BusStreamStatus[]
  readonly consumers: number
  readonly nats?: BusNats
  /** What is wrong with the bus, with the fix for each. */
  readonly problems: readonly Finding[]
  /** What other parts of the bus say of themselves. */
  readonly [part: string]: unknown
}

export interface FleetHost {
  readonly host: string
  /** silent: nothing was heard of it for a while; stopped: its gantry was stopped. */
  readonly state: 'here' | 'silent' | 'stopped'
  /** When it was last heard of, by the clock of NATS, UTC milliseconds. */
  readonly heardAt: number
  readonly self: boolean
  readonly version: string
  readonly sessions: number
}

/** What its host told last; of a host that is not here, it may be over by now. */
export type FleetSession = SessionView & { readonly host: string; readonly hostState: FleetHost['state'] }

export interface FleetSessions {
  readonly hosts: readonly FleetHost[]
  readonly sessions: readonly FleetSession[]
  /** Why only this host is shown. */
  readonly problem: string | null
}

/** A message that NATS or a webhook would not take. */
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
  /** Messages of the stream that were not dealt with yet, whatever their type. */
  readonly backlog: number
  /** Messages that failed and will be tried again. */
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
 * What a webhook answered to one message. `rejected`: it will never be taken. `failed`: not now. `unreachable`: not now, and the message has nothing to do with
 * it: nobody took the connection.
 */
export interface WebhookOutcome {
  readonly kind: 'delivered' | 'rejected' | 'failed' | 'unreachable'
  readonly status?: number
  /** One line without the address, which may hold secrets. */
  readonly error?: string
  /** How long the other side asks to be left alone. */
  readonly retryAfterMs?: number
  /** The beginning of what it answered. */
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
    summary: 'What the streams hold, and how the parts of the bus are',
    result: z.custom<BusStatus>(),
  }),
  'bus.consumers': defineRpc({
    summary: 'Durable consumers: where each is, and what it has before it',
    result: z.custom<BusConsumer[]>(),
  }),
  'bus.consumers.delete': defineRpc({
    summary: 'Forgets a durable consumer and its place; whoever is connected under its name is sent away',
    args: z.strictObject({ name: z.string(), stream: z.enum(STREAMS).default('HOOK_EVENTS') }),
    result: z.custom<{ readonly deleted: string }>(),
    example: { name: 'reports' },
  }),
  'bus.natsInfo': defineRpc({
    summary: 'Where the NATS server is and how to sign in, as in nats-info.json',
    result: z.custom<NatsInfo>(),
  }),
  'fleet.sessions': defineRpc({
    summary: 'Sessions of all hosts on the same NATS, and which of these hosts are there',
    result: z.custom<FleetSessions>(),
  }),
  'bus.deadLetters': defineRpc({
    summary: 'Messages that NATS or a webhook would not take, newest first',
    args: z.strictObject({ limit: z.int().min(1).max(MAX_LISTED).default(100) }),
    result: z.custom<DeadLetter[]>(),
    example: { limit: 10 },
  }),
  'bus.deadLetters.requeue': defineRpc({
    summary: 'Sends a dead letter again, or all of them',
    args: whichLetter,
    result: z.custom<{ readonly requeued: number }>(),
    example: { id: 'all' },
  }),
  'bus.deadLetters.drop': defineRpc({
    summary: 'Gives a dead letter up for good, or all of them; the events stay in the journal',
    args: whichLetter,
    result: z.custom<{ readonly dropped: number }>(),
    example: { id: '01KA2Z5V3C7Q9M0XW4T8R6Y1BN' },
  }),
  'bus.webhooks': defineRpc({
    summary: 'The webhooks: their state, last answer, backlog and failures',
    result: z.custom<WebhookStatus[]>(),
  }),
  'bus.webhooks.test': defineRpc({
    summary: 'Sends one test message to a webhook and gives its answer',
    args: z.strictObject({ name: z.string().min(1) }),
    result: z.custom<WebhookOutcome>(),
    example: { name: 'ci' },
  }),
}
