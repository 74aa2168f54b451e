/** The daemon itself: its state, its end; and all calls that have no prefix and no file of their own. */
import { z } from 'zod'
import type { MissedReason } from '../../events/index.ts'
import { guardedCall, openCall } from '../definition.ts'

export interface Status {
  readonly version: string
  readonly pid: number
  readonly startedAt: number
  readonly socket: string
  readonly http: string | null
  readonly database: string
  readonly events: number
  readonly lastSeq: number
  readonly taken: number
  readonly unstored: number
  readonly fault: string | null
  readonly spooled: number
  /** Events that hooks could not store anywhere. */
  readonly lost: number
  /** Payloads that are not a JSON object or name no event; they are stored as they came. */
  readonly unreadable: number
  /** Hooks without a session id: stored, but shown in no session. */
  readonly sessionless: number
  /** Hooks of unknown agents: stored, but never answered. */
  readonly strangers: number
  /** Decisions that were not made, or did not reach the agent; `gantry coverage` has the reasons. */
  readonly missed: number
  readonly databaseBytes: number
  readonly memoryBytes: number
  readonly connections: number
  readonly subscribers: number
  /** The folder with gantry.toml and the rules. */
  readonly config: string
  /** Why gantry.toml or the rules are refused; the last good ones are in force. */
  readonly configProblem: string | null
  readonly rulesProblem: string | null
  /** Problems since the start, each with its fix: a port in use, a broken database, NATS gone. */
  readonly problems: readonly Pick<Finding, 'about' | 'message' | 'fix'>[]
  readonly log: string
  /** The state of NATS in one line. */
  readonly nats: string
  /** The nats-server that gantry runs. */
  readonly natsServer: string | null
}

/** One line of `gantry doctor`. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly about: string
  readonly message: string
  /** What to do about it. */
  readonly fix?: string
  /** Many findings of one kind are shown as one. */
  readonly kind?: string
  /** How often and when it was seen. */
  readonly seen?: { readonly count: number; readonly firstAt: number; readonly lastAt: number }
}

/** How often an anomaly was seen. */
export interface CounterView {
  readonly kind: string
  readonly key: string
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
}

/** Tool calls of one agent, version and tool. */
export interface CoverageRow {
  readonly agent: string
  readonly version: string | null
  readonly tool: string
  /** `guarded`: a hook came first and could be answered. `observed`: hooks told of it. `blind`: only a transcript shows it. */
  readonly level: 'guarded' | 'observed' | 'blind'
  readonly guarded: number
  readonly observed: number
  readonly blind: number
  readonly lastAt: number
  /** Why not all are guarded, and what to do. */
  readonly says?: string
}

export interface Coverage {
  readonly since: number
  readonly rows: readonly CoverageRow[]
  /** Decisions that were not made, or did not reach the agent. */
  readonly missed: readonly (MissedReason & { readonly count: number; readonly lastAt: number })[]
}

export interface QueryAnswer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly more: boolean
}

export const daemonCalls = {
  status: openCall({ summary: 'The state of the daemon', result: z.custom<Status>() }),
  doctor: openCall({
    summary: 'Problems that the daemon knows of, each with its fix',
    result: z.custom<Finding[]>(),
  }),
  counters: openCall({
    summary: 'Counters of anomalies: unknown fields, duplicates, cut payloads, degraded answers',
    result: z.custom<CounterView[]>(),
  }),
  metrics: openCall({
    summary: 'What `GET /metrics` answers, in the text format of Prometheus',
    result: z.custom<{ readonly text: string; readonly type: string }>(),
  }),
  coverage: openCall({
    summary: 'Which tool calls hooks could decide about, which they only saw, and which they missed',
    args: z.strictObject({ since: z.number().default(0) }),
    result: z.custom<Coverage>(),
    example: { since: 1_790_000_000_000 },
  }),
  query: openCall({
    summary: 'One read-only SQL query on the journal',
    args: z.strictObject({ sql: z.string().min(1), limit: z.int().min(1).max(100_000).default(1000) }),
    result: z.custom<QueryAnswer>(),
    example: { sql: 'SELECT type, count(*) AS n FROM events GROUP BY type' },
  }),
  calls: openCall({
    summary: 'All calls, with an example each',
    result: z.custom<{ readonly name: string; readonly summary: string; readonly example: unknown }[]>(),
  }),
  stop: guardedCall({
    summary: 'Answers pending requests, then stops the daemon',
    /** `whole` is false if its database was removed or broken. */
    result: z.custom<{ readonly stopping: boolean; readonly whole: boolean }>(),
  }),
}
