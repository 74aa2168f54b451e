/** Sessions: their state, transcripts, usage, files, exact edits, and what they did over time. */
import { z } from 'zod'
import type { FileChangeKind, TranscriptMessage } from '../../events/index.ts'
import { type ActivityStatus, DIALECTS, type SessionView } from '../../sessions/state/index.ts'
import { openCall } from '../definition.ts'
import type { EffortDetail } from './effort.ts'
import type { WireEvent } from './events.ts'

export type { ActivityStatus }

/**
 * Messages of a subscription to sessions: all of them first, then one at a time. `seq` numbers the changes consecutively; a
 * gap means that intermediate states were skipped for a slow reader.
 */
export type SessionChange =
  | { readonly snapshot: { readonly seq: number; readonly sessions: readonly SessionView[] } }
  | { readonly seq: number; readonly session: SessionView }

export interface TranscriptView {
  readonly session: {
    readonly id: string
    readonly agent: string
    readonly name: string
    readonly title?: string
  }
  readonly messages: readonly TranscriptMessage[]
  /** Older messages are left out. */
  readonly cut: boolean
}

export interface UsageView {
  readonly turn: string
  readonly turnAt: number
  /** Set for a sub-agent's own requests. */
  readonly agentId?: string
  readonly model: string
  readonly requests: number
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  /** By list prices; null if a request's price is unknown. */
  readonly costUsd: number | null
}

export interface SessionUsageView {
  readonly turns: readonly UsageView[]
  readonly total: Omit<UsageView, 'turn' | 'turnAt' | 'agentId' | 'model'>
  /** Date of the newest price list. */
  readonly pricesAsOf: string
}

export interface SessionFileView {
  readonly path: string
  /** The last change. */
  readonly change: FileChangeKind
  /** It did not exist before this session. */
  readonly created: boolean
  readonly changes: number
}

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

/** A part of a diff. Line numbers are 0 where only the edited piece of the file is known. */
export interface ChangeHunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** With ' ', '-' or '+' before them. */
  readonly lines: readonly string[]
}

export interface ChangeEdit {
  /** Sequence of the event. */
  readonly seq: number
  readonly at: number
  /** Sequence of the prompt it belongs to. */
  readonly promptSeq?: number
  readonly tool: string
  readonly agentId?: string
  readonly kind: 'write' | 'edit' | 'patch' | 'delete'
  /** The replaced text and what replaced it; of a write, the whole file. Absent where they are unknown or long. */
  readonly before?: string
  readonly after?: string
  /** Absent where they are left out. */
  readonly hunks?: readonly ChangeHunk[]
  readonly movedFrom?: string
  readonly added: number
  readonly removed: number
}

export interface ChangedFile {
  readonly path: string
  /** Below the repository or the session's folder; else the path itself. */
  readonly rel: string
  /** Oldest first. */
  readonly edits: readonly ChangeEdit[]
  /** From before the first edit to after the last, where both are known. */
  readonly net?: readonly ChangeHunk[]
  /** The session made it. */
  readonly created: boolean
  /**
   * Whether the file is now what the edits left. Where only pieces of it are known, those are looked for. `gone`: it is not
   * there. `unknown`: it may not be looked at, is large, or a secret in it was redacted.
   */
  readonly disk: 'same' | 'changed' | 'gone' | 'unknown'
  readonly added: number
  readonly removed: number
}

export interface SessionChanges {
  /** Those with edits, oldest first. */
  readonly prompts: readonly { readonly seq: number; readonly at: number; readonly text: string }[]
  /** Last changed first. */
  readonly files: readonly ChangedFile[]
  /** Earlier edits, or the texts of some, are left out. */
  readonly cut: boolean
}

const which = z.strictObject({ session: z.string().min(1).describe('id, the beginning of one, or name') })

export const sessionCalls = {
  'sessions.list': openCall({
    summary: "Sessions, those that need you first; `dialect` gives another tool's format",
    args: z.strictObject({ all: z.boolean().default(false), dialect: z.enum(DIALECTS).default('gantry') }),
    /** In gantry's own dialect. */
    result: z.custom<SessionView[]>(),
    example: { dialect: 'coop' },
  }),
  'sessions.get': openCall({
    summary: 'One session',
    args: which,
    result: z.custom<SessionView>(),
    example: { session: 'brave-otter' },
  }),
  'sessions.why': openCall({
    summary: 'The event that set the state of a session',
    args: which,
    result: z.custom<{ readonly cause: SessionView['cause'] | null; readonly event: WireEvent | null }>(),
    example: { session: 'brave-otter' },
  }),
  'sessions.rename': openCall({
    summary: 'Gives a session another name',
    args: which.extend({
      name: z
        .string()
        .regex(
          /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
          'A name has up to 64 letters, digits, dots, dashes and underscores, and starts with a letter or digit.',
        ),
    }),
    result: z.custom<SessionView>(),
    example: { session: 'brave-otter', name: 'release' },
  }),
  'sessions.seen': openCall({
    summary: 'Marks a session as seen',
    args: which,
    result: z.custom<SessionView>(),
    example: { session: 'brave-otter' },
  }),
  'sessions.transcript': openCall({
    summary: 'The conversation of a session, from its transcript',
    args: which.extend({ limit: z.int().min(1).max(20_000).default(1000).describe('newest kept') }),
    result: z.custom<TranscriptView>(),
    example: { session: 'brave-otter', limit: 20 },
  }),
  'sessions.usage': openCall({
    summary: 'Tokens and cost of a session by turn and model',
    args: which,
    result: z.custom<SessionUsageView>(),
    example: { session: 'brave-otter' },
  }),
  'sessions.files': openCall({
    summary: 'Files that a session created, changed or deleted, last changed first',
    args: which,
    result: z.custom<SessionFileView[]>(),
    example: { session: 'brave-otter' },
  }),
  'sessions.activity': openCall({
    summary: 'What living sessions did lately, or one session: stretches of time by status, for strips',
    args: z.strictObject({
      since: z.number().nonnegative().optional().describe('UTC milliseconds; the last 30 minutes by default'),
      session: z.string().min(1).optional().describe('id, the beginning of one, or name'),
    }),
    result: z.custom<SessionActivity[]>(),
    example: { session: 'brave-otter' },
  }),
  'sessions.timeline': openCall({
    summary: 'What happened in a session: prompts, tool calls, questions, sub-agents, compactions, in order',
    args: z.strictObject({
      session: z.string().min(1).describe('id, the beginning of one, or name'),
      limit: z.int().min(1).max(20_000).default(2_000).describe('newest kept'),
    }),
    result: z.custom<TimelineView>(),
    example: { session: 'brave-otter', limit: 200 },
  }),
  'sessions.changes': openCall({
    summary:
      'What a session changed in files: every edit by file and prompt, and whether the disk still has it',
    args: z.strictObject({ session: z.string().min(1).describe('id, the beginning of one, or name') }),
    result: z.custom<SessionChanges>(),
    example: { session: 'brave-otter' },
  }),
}
