/** The daemon itself: its state, its configuration, its end. */
import { z } from 'zod'
import { defineRpc } from '../definition.ts'

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
  /** Events that hooks could keep nowhere, as they noted it. */
  readonly lost: number
  /** Payloads that are no JSON object, or name no event; they are stored as they came. */
  readonly unreadable: number
  /** Hooks without a session id: stored, and no session shows them. */
  readonly sessionless: number
  /** Hooks of agents that gantry does not know: kept, and never answered. */
  readonly strangers: number
  readonly databaseBytes: number
  readonly memoryBytes: number
  readonly connections: number
  readonly subscribers: number
  /** The folder with gantry.toml and the rules. */
  readonly config: string
  /** What of gantry.toml is refused, and of the rules; the last good ones are in force. */
  readonly configProblem: string | null
  readonly rulesProblem: string | null
  /** What went wrong at the start or since, with what to do: a port that is taken, a broken database, NATS that is gone. */
  readonly problems: readonly Pick<Finding, 'about' | 'message' | 'fix'>[]
  readonly log: string
  /** Where the bus is on NATS, in a line. */
  readonly nats: string
  /** The nats-server that gantry runs by itself. */
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
  /** How often it was seen, and when. */
  readonly seen?: { readonly count: number; readonly firstAt: number; readonly lastAt: number }
}

/** How often something odd was seen. */
export interface CounterView {
  readonly kind: string
  readonly key: string
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
}

export interface ConfigRow {
  readonly key: string
  readonly value: unknown
  /** `default`, the name of a variable of the environment, or `gantry.toml:12`. */
  readonly from: string
}

export interface QueryAnswer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly more: boolean
}

export const daemonCalls = {
  status: defineRpc({ summary: 'What the daemon is doing', result: z.custom<Status>() }),
  doctor: defineRpc({
    summary: 'What the daemon knows to be wrong, with the fix for each',
    result: z.custom<Finding[]>(),
  }),
  counters: defineRpc({
    summary: 'Counts of what was odd: unknown fields, duplicates, cut payloads, degraded answers',
    result: z.custom<CounterView[]>(),
  }),
  'config.show': defineRpc({
    summary:
      'The configuration that is in force: every key, its value without secrets, and where it comes from',
    result: z.custom<ConfigRow[]>(),
  }),
  query: defineRpc({
    summary: 'One read-only SQL question on the journal',
    args: z.strictObject({ sql: z.string().min(1), limit: z.int().min(1).max(100_000).default(1000) }),
    result: z.custom<QueryAnswer>(),
    example: { sql: 'SELECT type, count(*) AS n FROM events GROUP BY type' },
  }),
  calls: defineRpc({
    summary: 'All calls, with an example each',
    result: z.custom<{ readonly name: string; readonly summary: string; readonly example: unknown }[]>(),
  }),
  stop: defineRpc({
    summary: 'Answers what waits, then stops the daemon',
    /** Not whole: its database was removed or broken. */
    result: z.custom<{ readonly stopping: boolean; readonly whole: boolean }>(),
  }),
}
