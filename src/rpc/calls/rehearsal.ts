/** Rules and guards on the past: why an event was answered so, what a draft would do, how often guards spoke. */
import { z } from 'zod'
import type { HookTool, Verdict } from '../../events/index.ts'
import { defineRpc } from '../definition.ts'

export type Said = 'matched' | 'not matched' | 'not understood'

/** A part of a text, in bytes. */
export interface Span {
  readonly text: string
  readonly from: number
  readonly to: number
}

export interface Condition {
  /** `on`, `tool`, `match.tool.input.command`, `when.program` … */
  readonly name: string
  readonly said: Said
  readonly why?: string
  readonly span?: Span
}

export interface RuleReason {
  readonly id: string
  readonly said: Said
  readonly why?: string
  readonly conditions: readonly Condition[]
  /** A rule before it had decided already. */
  readonly isLate: boolean
  readonly tookMs: number
}

export interface GuardReason {
  readonly id: string
  readonly mode: string
  readonly said: Said
  readonly why?: string
  readonly span?: Span
  readonly tookMs: number
}

export interface Reasons {
  readonly rules: readonly RuleReason[]
  readonly guards: readonly GuardReason[]
  readonly verdict: Verdict
  readonly unknown?: string
}

/** What was answered at the time, and by whom. */
export interface AnsweredThen {
  readonly at: number
  readonly decision: string
  readonly by?: string
  readonly reason?: string
  /** A person was asked: `ApprovalAnswered`, `ApprovalExpired` … */
  readonly person?: string
}

export interface WhyView extends Reasons {
  readonly id: string
  readonly at: number
  readonly agent: string
  readonly type: string
  readonly sessionId: string
  readonly tool?: HookTool
  readonly prompt?: string
  readonly answered?: AnsweredThen
  /** Why today's verdict need not be that of the time. */
  readonly changed?: string
}

export type Effect = 'deny' | 'ask' | 'allow' | 'block-stop' | 'change' | 'context'
export type Counts = Partial<Record<Effect, number>>

/** What was answered at the time. */
export interface Answered {
  readonly decision: string
  readonly by?: string
  /** It replaced the tool's input, too. */
  readonly isChange?: true
}

export interface Sample {
  readonly id: string
  readonly at: number
  readonly agent: string
  readonly project: string
  readonly line: string
  readonly effect: Effect
  readonly answered: Answered | null
}

/** What one rule or guard (`guard:…`) would have done. */
export interface Deeds {
  readonly id: string
  readonly counts: Counts
  /** How many of them were decided otherwise then. */
  differs: number
  /** How many were decided alike then, and by somebody else. */
  byOthers: number
  readonly agents: Record<string, number>
  readonly projects: Record<string, number>
  /** The newest, each line once. */
  readonly samples: Sample[]
}

export interface Report {
  readonly since: number
  /** Events of that time, and how many of them rules or guards can answer. */
  readonly events: number
  readonly judged: number
  /** Each event once for each effect. */
  readonly total: Counts
  readonly rules: readonly Deeds[]
  readonly agents: Readonly<Record<string, Counts>>
  readonly projects: Readonly<Record<string, Counts>>
  /** Events whose verdict cannot be told, and why; they are counted nowhere else. */
  readonly unknown: Readonly<Record<string, number>>
  readonly tookMs: number
}

/** A draft that is not good, or one part of its rehearsal; `next` is where the following part begins. */
export interface Rehearsal {
  readonly problems: readonly DraftProblem[]
  readonly warnings: readonly DraftProblem[]
  /** Its rules, in the order of the file. */
  readonly rules: readonly string[]
  /** Where the draft would be saved; nothing is. */
  readonly file: string
  readonly part?: {
    readonly report: Report
    /** Sequence numbers: the whole goes from `first` to `last`. */
    readonly first: number
    readonly last: number
    readonly next?: number
  }
}

export interface DraftProblem {
  readonly line: number
  readonly text: string
}

/** What `gantry guards --json` prints, and when each found something last. */
export interface GuardList {
  readonly preset: string
  readonly one_strike: boolean
  readonly guards: readonly {
    readonly id: string
    readonly mode: string
    /** Set by its owner, whatever the preset says. */
    readonly own: boolean
    readonly hits: number
    readonly lastAt: number | null
    readonly about: string
    readonly instead: string
  }[]
}

const MAX_DRAFT_CHARS = 64 * 1024

export const rehearsalCalls = {
  'rules.why': defineRpc({
    summary: 'What each rule and guard of today says about an event, and what was answered then',
    args: z.strictObject({
      /** Its id, or its sequence number. */
      event: z.string().min(1).max(64),
    }),
    result: z.custom<WhyView>(),
    example: { event: '01KA2Z5V3C7Q9M0XW4T8R6Y1BN' },
  }),
  'rules.rehearse': defineRpc({
    summary: 'Checks a draft of rules, and says what it alone would have answered; nothing is stored',
    args: z.strictObject({
      text: z.string().max(MAX_DRAFT_CHARS),
      /** Without it the draft is only checked. */
      since: z.number().min(0).optional(),
      /** `next` of the part before. */
      after: z.int().min(0).optional(),
    }),
    result: z.custom<Rehearsal>(),
    example: { text: 'rules: []', since: 1_790_000_000_000 },
  }),
  'guards.list': defineRpc({
    summary: 'The guards: the mode of each, how often it found something, and what to do instead',
    result: z.custom<GuardList>(),
  }),
}
