/** What sessions did over time: their strips, and their timelines. */
import { z } from 'zod'
import { defineRpc } from '../definition.ts'
import type { EffortDetail } from './work.ts'

/** The statuses that a strip tells apart. A session that is done, or stale, counts as idle. */
export type ActivityStatus = 'starting' | 'working' | 'asks' | 'failed' | 'compacting' | 'idle'

/** UTC milliseconds. */
export interface ActivitySegment {
  readonly from: number
  readonly to: number
  readonly status: ActivityStatus
}

export interface SessionActivity {
  readonly key: string
  /** In order, each begins where the last one ended. Nothing is known of the time before the first. */
  readonly segments: readonly ActivitySegment[]
}

export type EntryKind =
  | 'session'
  | 'prompt'
  | 'tool'
  | 'error'
  | 'ask'
  | 'stop'
  | 'agent'
  | 'window'
  | 'log'
  | 'note'

/** One thing that happened in a session. */
export interface Entry {
  /** Sequence of its first event; entries of the work engine have none. Entries are in this order. */
  readonly seq?: number
  readonly at: number
  readonly kind: EntryKind
  readonly label: string
  readonly text: string
  readonly tookMs?: number
  /** When a call, a question, a sub-agent or a compaction was over. A call that waited for its permission took less time. */
  readonly endAt?: number
  /** Done by a sub-agent, and which one. */
  readonly child?: boolean
  readonly agentId?: string
  readonly agentType?: string
  /** The sub-agent that began or ended here. */
  readonly subagent?: string
  /** Still running. */
  readonly open?: boolean
  /** A call that waits for its permission: it does not run yet. */
  readonly held?: boolean
  /** The call or the prompt was refused. */
  readonly denied?: boolean
  /** The question to a person, if any. */
  readonly asks?: Ask
}

export interface Ask {
  readonly tool: string
  readonly questions: readonly { readonly text: string; readonly options: readonly string[] }[]
  /** The command, file or plan in question. */
  readonly subject: string
}

/** What a timeline tells of an effort. */
export type TimelineEffort = Pick<EffortDetail, 'id' | 'skill' | 'sessions' | 'messages'>

export interface TimelineView {
  readonly session: {
    readonly key: string
    readonly id: string
    readonly agent: string
    readonly name: string
    readonly startedAt: number
    readonly endedAt?: number
  }
  /** In the order of the journal. */
  readonly entries: readonly Entry[]
  /** There are earlier ones. */
  readonly cut: boolean
}

export const activityCalls = {
  'sessions.activity': defineRpc({
    summary: 'What living sessions did lately, or one session: stretches of time by status, for strips',
    args: z.strictObject({
      since: z.number().nonnegative().optional().describe('UTC milliseconds; the last 30 minutes by default'),
      session: z.string().min(1).optional().describe('id, the beginning of one, or name'),
    }),
    result: z.custom<SessionActivity[]>(),
    example: { session: 'brave-otter' },
  }),
  'sessions.timeline': defineRpc({
    summary: 'What happened in a session: prompts, tool calls, questions, sub-agents, compactions, in order',
    args: z.strictObject({
      session: z.string().min(1).describe('id, the beginning of one, or name'),
      limit: z.int().min(1).max(20_000).default(2_000).describe('newest kept'),
    }),
    result: z.custom<TimelineView>(),
    example: { session: 'brave-otter', limit: 200 },
  }),
}
