/** Efforts: pieces of work that outlive context windows. */
import { z } from 'zod'
import type { EffortRow, MessageRow, WorkSessionRow } from '../../store/tables/row-types.ts'
import { openCall } from '../definition.ts'

export type { MessageRow as MessageView, WorkSessionRow as WindowView } from '../../store/tables/row-types.ts'

export interface EffortView extends EffortRow {
  readonly title: string
  /** Without sub-agents. */
  readonly windows: number
  readonly openSessions: number
  readonly heartbeat: number
  /** Context usage, 0 to 1. */
  readonly contextUsage: number
  readonly dehydrated: boolean
}

export interface EffortDetail extends EffortView {
  readonly phases: readonly { readonly phase: string; readonly at: number }[]
  readonly sessions: readonly WorkSessionRow[]
  /** The newest ones, oldest first. */
  readonly messages: readonly MessageRow[]
  readonly artifacts: readonly { readonly name: string; readonly path: string }[]
  /** The settings in force for it. */
  readonly settings: {
    readonly heartbeat_warn: number
    readonly heartbeat_block: number
    readonly heartbeat_denials: number
    readonly overflow_warn: number
    readonly overflow_dehydrate: number
  }
}

/** Result of `effort.start`: the effort and its sessions. */
export interface EffortBegun extends EffortView {
  /** Folder of the project. */
  readonly project: string
  /** Names of the sessions that already work on it. */
  readonly sessionsHere: readonly string[]
  readonly settings: EffortDetail['settings']
}

export interface LoggedEffort extends EffortView {
  /** The file it was written to; null if that failed. */
  readonly artifact: string | null
  readonly problem?: string
}

export interface DehydratedEffort extends EffortView {
  /** `gantry run` starts a fresh window. */
  readonly supervised: boolean
}

/** What an agent writes down before its context window closes. */
export const dehydrationSchema = z.strictObject({
  task: z.string().min(1).max(4_000),
  decisions: z.array(z.string().max(2_000)).max(100).default([]),
  files: z.array(z.string().max(1_000)).max(200).default([]),
  nextSteps: z.array(z.string().max(2_000)).min(1).max(100),
  notes: z.string().max(20_000).optional(),
})

const MAX_MESSAGES = 2_000

/** An effort by its number, or the one of a folder. */
const which = { effort: z.int().positive().optional(), cwd: z.string().optional() }

export const effortCalls = {
  'effort.start': openCall({
    summary: 'Starts an effort: a piece of work that outlives context windows',
    args: z.strictObject({
      cwd: z.string().startsWith('/'),
      skill: z.string().regex(/^[A-Za-z0-9][\w-]{0,63}$/),
      mode: z.string().max(64).optional(),
      phase: z.string().max(64).optional(),
      title: z.string().max(200).optional(),
      keywords: z.array(z.string().max(64)).max(20).optional(),
      taskDir: z.string().startsWith('/').optional(),
      agentId: z.string().max(128).optional(),
      /** The engine checks `settings` and `guards` in it. */
      metadata: z.record(z.string(), z.unknown()).optional(),
    }),
    result: z.custom<EffortBegun>(),
    example: { cwd: '/home/dev/app', skill: 'implement', title: 'Search', phase: 'plan' },
  }),
  'effort.log': openCall({
    summary: 'Logs progress and resets the heartbeat',
    args: z.strictObject({ ...which, text: z.string().min(1).max(8_000) }),
    result: z.custom<LoggedEffort>(),
    example: { cwd: '/home/dev/app', text: 'Index built, tests next' },
  }),
  'effort.phase': openCall({
    summary: 'Moves an effort to a phase',
    args: z.strictObject({ ...which, phase: z.string().min(1).max(64) }),
    result: z.custom<EffortView>(),
    example: { cwd: '/home/dev/app', phase: 'test' },
  }),
  'effort.finish': openCall({
    summary: 'Ends an effort for good',
    args: z.strictObject(which),
    result: z.custom<EffortView>(),
    example: { effort: 1 },
  }),
  'effort.dehydrate': openCall({
    summary: 'Stores what the next context window needs; `gantry run` then starts a fresh one',
    args: z.strictObject({ ...which, payload: dehydrationSchema }),
    result: z.custom<DehydratedEffort>(),
    example: {
      cwd: '/home/dev/app',
      payload: { task: 'Search', decisions: ['FTS5'], files: ['src/search.ts'], nextSteps: ['rank'] },
    },
  }),
  'effort.inject': openCall({
    summary: 'Sends the agent a text once, with its next tool call',
    args: z.strictObject({ ...which, text: z.string().min(1).max(20_000) }),
    result: z.custom<EffortView>(),
    example: { effort: 1, text: 'The API changed: see docs/api.md' },
  }),
  'effort.guard': openCall({
    summary: 'Sets the guard rules of an effort',
    /** The engine checks the rules. */
    args: z.strictObject({ ...which, guards: z.unknown() }),
    result: z.custom<EffortView>(),
    example: {
      effort: 1,
      guards: [
        {
          ruleId: 'no-push',
          condition: { field: 'tool', op: '==', value: 'WebFetch' },
          payload: 'No network in this effort.',
          urgency: 'block',
        },
      ],
    },
  }),
  'effort.list': openCall({
    summary: 'Efforts, newest first; with a session, those it worked on',
    args: z.strictObject({ all: z.boolean().default(false), session: z.string().optional() }),
    result: z.custom<EffortView[]>(),
    example: { all: true },
  }),
  'effort.get': openCall({
    summary: 'One effort with its windows, phases, files, settings and newest messages',
    args: z.strictObject({ ...which, messages: z.int().min(0).max(MAX_MESSAGES).default(200) }),
    result: z.custom<EffortDetail>(),
    example: { effort: 1 },
  }),
}
