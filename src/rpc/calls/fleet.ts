/** The fleet: sessions of other hosts, the hub, and agents that coordinate. */
import { z } from 'zod'
import type { StreamName } from '../../events/index.ts'
import type { SessionView } from '../../sessions/state/index.ts'
import type { AgentRow } from '../../store/tables/row-types.ts'
import { openCall } from '../definition.ts'

export type { AgentRow as AgentView } from '../../store/tables/row-types.ts'

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
    readonly name: StreamName
    readonly messages: number
    readonly bytes: number
    readonly sources: readonly { readonly domain: string; readonly lag: number; readonly quietMs: number }[]
  }[]
}

export interface FleetView {
  /** The most urgent of all. */
  readonly status: string
  readonly agents: readonly AgentRow[]
}

export interface SignalView {
  readonly n: number
  readonly kind: 'CHILD' | 'WORK'
  readonly about: string
  readonly detail?: string
  readonly effort?: number
  readonly at: number
}

export interface AwaitedView {
  readonly result: 'CHILD' | 'WORK' | 'TIMEOUT'
  readonly signals: readonly SignalView[]
}

const MAX_WAIT_MS = 600_000

/** Whose signals: an effort's, those of the project around a folder, or all. */
const scope = {
  effort: z.int().positive().optional(),
  project: z.string().startsWith('/').optional().describe('A folder in the project'),
  cwd: z
    .string()
    .startsWith('/')
    .optional()
    .describe('Like `project`, but all signals if no project contains it'),
}

export const fleetCalls = {
  'fleet.sessions': openCall({
    summary: 'Sessions of all hosts on the same NATS, and the state of each host',
    result: z.custom<FleetSessions>(),
  }),
  'fleet.hub': openCall({
    summary: 'The hub that this host is a leaf node of: its streams, and how far each host is behind',
    result: z.custom<HubStatus>(),
  }),
  'fleet.forget': openCall({
    summary: "Takes a host out of the hub's streams; what it sent stays",
    args: z.strictObject({ host: z.string().min(1) }),
    result: z.custom<{ readonly forgotten: string }>(),
    example: { host: 'build-3' },
  }),
  'fleet.status': openCall({
    summary: 'The status of every agent of the work engine, the most urgent first',
    result: z.custom<FleetView>(),
  }),
  'fleet.await': openCall({
    summary:
      'Waits until a child is done or stuck (CHILD), there is new work (WORK), or the time is up (TIMEOUT)',
    args: z.strictObject({
      timeoutMs: z.int().min(0).max(MAX_WAIT_MS).default(25_000),
      keep: z.boolean().default(false).describe('The signals stay until `fleet.heard`'),
      ...scope,
    }),
    result: z.custom<AwaitedView>(),
    example: { timeoutMs: 1000 },
  }),
  'fleet.heard': openCall({
    summary: 'Deletes signals of `fleet.await` up to a number, because their coordinator has received them',
    args: z.strictObject({ upTo: z.int().nonnegative(), ...scope }),
    result: z.null(),
    example: { upTo: 1763000000001 },
  }),
}
