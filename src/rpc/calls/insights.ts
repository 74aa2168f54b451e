/** Where time and money went. */
import { z } from 'zod'
import type { MissedReason } from '../../events/index.ts'
import type { UsageSum } from '../../store/tables/row-types.ts'
import { openCall } from '../definition.ts'

/** Milliseconds of all sessions together. */
export interface TimeSpent {
  readonly workedMs: number
  /** Stood still until a person answered. */
  readonly waitedMs: number
  /** Had nothing to do; an hour in a row at most, longer is not meant. */
  readonly idleMs: number
}

export interface DaySpent extends TimeSpent {
  /** As in `2026-03-01`, by this machine's clock. */
  readonly day: string
  readonly prompts: number
  readonly toolCalls: number
}

export interface ProjectSpent extends TimeSpent {
  readonly project: string
  readonly sessions: number
}

export interface WaitView {
  readonly session: string
  readonly name?: string
  readonly kind: 'permission' | 'question' | 'plan' | 'elicitation'
  readonly tool?: string
  readonly at: number
  readonly ms: number
}

export interface ToolRow {
  readonly agent: string
  readonly tool: string
  readonly calls: number
  readonly failures: number
  readonly denied: number
  /** Of calls that waited for nobody; null if there is none. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly totalMs: number
}

export interface LatencyView {
  readonly count: number
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  readonly maxMs: number | null
}

export interface Insights {
  readonly since: number
  readonly until: number
  /** The days of `since` and `until` by this machine's clock; a reader's own may say another day. */
  readonly firstDay: string
  readonly lastDay: string
  /** Events that were looked at. */
  readonly events: number
  /** Events that were not, and the time before or after which they are; absent if all were. */
  readonly left?: { readonly events: number; readonly before?: number; readonly after?: number }
  readonly sessions: number
  readonly time: TimeSpent
  readonly days: readonly DaySpent[]
  /** Most time first. */
  readonly projects: readonly ProjectSpent[]
  readonly waits: {
    readonly count: number
    readonly totalMs: number
    readonly p50Ms: number | null
    readonly p95Ms: number | null
    /** Longest first. */
    readonly longest: readonly WaitView[]
  }
  /** By day, agent, model and project; by transcripts, else what the agent said of the whole session. */
  readonly cost: readonly UsageSum[]
  /** Most calls first. */
  readonly tools: readonly ToolRow[]
  readonly hooks: {
    /** From the start of the hook client until the daemon had the event. */
    readonly arrival: LatencyView
    /** From then until the answer was decided, people included; as far back as the stream of decisions goes. */
    readonly decision: LatencyView
  }
  readonly missed: readonly (MissedReason & { readonly count: number; readonly lastAt: number })[]
  /** By weekday (Sunday is 0) and hour of this machine's clock. */
  readonly heat: {
    readonly workedMs: readonly (readonly number[])[]
    readonly waitedMs: readonly (readonly number[])[]
  }
}

export const insightsCalls = {
  insights: openCall({
    summary: 'Where time and money went: work, waits for you, cost, tools, hooks, by day and hour',
    args: z
      .strictObject({
        since: z.number().nonnegative().optional().describe('UTC milliseconds'),
        days: z
          .int()
          .min(1)
          .max(366)
          .optional()
          .describe("In place of since: so many days by this machine's clock, the one of until among them"),
        until: z.number().nonnegative().optional().describe('UTC milliseconds; now by default'),
      })
      .refine(({ since, days }) => (since === undefined) !== (days === undefined), {
        error: 'either since or days is needed',
      }),
    result: z.custom<Insights>(),
    example: { days: 7 },
  }),
}
