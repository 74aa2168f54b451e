/** Sessions: their state, transcripts, usage and files. */
import { z } from 'zod'
import type { FileChangeKind, TranscriptMessage } from '../../events/index.ts'
import { DIALECTS, type SessionView } from '../../sessions/state/index.ts'
import { defineRpc } from '../definition.ts'
import type { WireEvent } from './events.ts'

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

/** One session's last write of one file. */
export interface FileWriteView {
  /** Absolute on this host; of another host, the path inside the repository. */
  readonly path: string
  readonly at: number
  readonly tool: string
  readonly session: { readonly key: string; readonly name: string; readonly agent: string }
  /** The sub-agent that wrote it. */
  readonly agentId?: string
  /** It has ended, so nobody collides with it. */
  readonly ended: boolean
  /** Another host of the fleet. */
  readonly host?: string
  /** Address of the repository's remote, or its .git folder. */
  readonly repository?: string
  readonly worktree?: string
}

const which = z.strictObject({ session: z.string().min(1).describe('id, the beginning of one, or name') })

export const sessionCalls = {
  'sessions.list': defineRpc({
    summary: "Sessions, those that need you first; `dialect` gives another tool's format",
    args: z.strictObject({ all: z.boolean().default(false), dialect: z.enum(DIALECTS).default('gantry') }),
    /** In gantry's own dialect. */
    result: z.custom<SessionView[]>(),
    example: { dialect: 'coop' },
  }),
  'sessions.get': defineRpc({
    summary: 'One session',
    args: which,
    result: z.custom<SessionView>(),
    example: { session: 'brave-otter' },
  }),
  'sessions.why': defineRpc({
    summary: 'The event that set the state of a session',
    args: which,
    result: z.custom<{ readonly cause: SessionView['cause'] | null; readonly event: WireEvent | null }>(),
    example: { session: 'brave-otter' },
  }),
  'sessions.rename': defineRpc({
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
  'sessions.seen': defineRpc({
    summary: 'Marks a session as seen',
    args: which,
    result: z.custom<SessionView>(),
    example: { session: 'brave-otter' },
  }),
  'sessions.transcript': defineRpc({
    summary: 'The conversation of a session, from its transcript',
    args: which.extend({ limit: z.int().min(1).max(20_000).default(1000).describe('newest kept') }),
    result: z.custom<TranscriptView>(),
    example: { session: 'brave-otter', limit: 20 },
  }),
  'sessions.usage': defineRpc({
    summary: 'Tokens and cost of a session by turn and model',
    args: which,
    result: z.custom<SessionUsageView>(),
    example: { session: 'brave-otter' },
  }),
  'sessions.files': defineRpc({
    summary: 'Files that a session created, changed or deleted, last changed first',
    args: which,
    result: z.custom<SessionFileView[]>(),
    example: { session: 'brave-otter' },
  }),
  'files.recent': defineRpc({
    summary:
      'Who wrote a file, or the files below a folder, within `collisions.within_minutes`; newest first',
    args: z.strictObject({
      path: z.string().startsWith('/').max(4096).optional().describe('absolute'),
      limit: z.int().min(1).max(1000).default(200),
    }),
    result: z.custom<FileWriteView[]>(),
    example: { path: '/work/app/src/main.ts' },
  }),
}
