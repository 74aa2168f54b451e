/** Rules: those in force, what they say about a payload, an event of the past or, as a draft, all of them. */
import { z } from 'zod'
import { DEFAULT_AGENT } from '../../agents/facts.ts'
import type { HookTool, Verdict } from '../../events/index.ts'
import { guardedCall, openCall } from '../definition.ts'

/** A rule as written, without what only its evaluation needs. */
export interface RuleView {
  readonly id: string
  readonly priority: number
  readonly on: string | readonly string[]
  readonly tool?: string | undefined
  readonly agent?: string | undefined
  readonly decision: string
  readonly reason?: string | undefined
  readonly input?: object | undefined
  readonly context?: string | readonly string[] | undefined
  readonly systemMessage?: string | undefined
  /** What cannot work in it, with file and line. */
  readonly warnings?: readonly string[] | undefined
  /** The repository that brings it along. */
  readonly project?: string | undefined
}

/** The verdict of rules and guards on a payload, and the reply to its agent. */
export interface RuleTrial {
  readonly type: string
  readonly verdict: Verdict
  /** The evaluated rules, in order; a deny or an ask ends the evaluation. */
  readonly rules: readonly {
    readonly id: string
    readonly judged: 'matched' | 'not matched' | 'not understood'
    readonly why?: string
  }[]
  /** The guards that find something, in the input as the rules leave it. */
  readonly guards: readonly { readonly id: string; readonly mode: string; readonly found: string }[]
  readonly [reply: string]: unknown
}

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
export type EffectCounts = Partial<Record<Effect, number>>

/** What was answered at the time. */
export interface Answered {
  readonly decision: string
  readonly by?: string
  /** It replaced the tool's input, too. */
  readonly isChange?: true
}

export interface RehearsalSample {
  readonly id: string
  readonly at: number
  readonly agent: string
  readonly project: string
  readonly line: string
  readonly effect: Effect
  readonly answered: Answered | null
}

/** What one rule or guard (`guard:…`) would have done. */
export interface RuleEffects {
  readonly id: string
  readonly counts: EffectCounts
  /** How many of them were decided otherwise then. */
  differs: number
  /** How many were decided alike then, and by somebody else. */
  byOthers: number
  readonly agents: Record<string, number>
  readonly projects: Record<string, number>
  /** The newest, each line once. */
  readonly samples: RehearsalSample[]
}

export interface RehearsalReport {
  readonly since: number
  /** Events of that time, and how many of them rules or guards can answer. */
  readonly events: number
  readonly judged: number
  /** Each event once for each effect. */
  readonly total: EffectCounts
  readonly rules: readonly RuleEffects[]
  readonly agents: Readonly<Record<string, EffectCounts>>
  readonly projects: Readonly<Record<string, EffectCounts>>
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
    readonly report: RehearsalReport
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

const MAX_DRAFT_CHARS = 64 * 1024
const root = z.string().min(1).max(4096)

const ruleTrialArgs = z
  .strictObject({
    agent: z.string().default(DEFAULT_AGENT),
    payload: z.record(z.string(), z.unknown()).optional(),
    /** A shell command instead of a payload, and the folder it would run in. */
    command: z.string().optional(),
    cwd: z.string().optional(),
  })
  .refine(({ payload, command }) => (payload === undefined) !== (command === undefined), {
    error: 'takes a payload or a command',
  })

export type RuleTrialArgs = z.infer<typeof ruleTrialArgs>

export const ruleCalls = {
  'rules.list': openCall({
    summary: 'The rules in force, in order of evaluation',
    result: z.custom<RuleView[]>(),
  }),
  'rules.test': openCall({
    summary: 'The verdict of rules and guards on a payload and the reply to the agent; nothing is stored',
    args: ruleTrialArgs,
    result: z.custom<RuleTrial>(),
    example: {
      payload: { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } },
    },
  }),
  'rules.trust': guardedCall({
    summary: 'Trusts the rules of a project as they stand; needs a signature',
    args: z.strictObject({
      root,
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      proof: z.string().min(1).max(128),
    }),
    result: z.custom<{ readonly root: string }>(),
    example: { root: '/home/me/project', hash: '0'.repeat(64), proof: '…' },
  }),
  'rules.untrust': guardedCall({
    summary: 'Ends the trust in the rules of a project',
    args: z.strictObject({ root }),
    result: z.custom<{ readonly root: string }>(),
    example: { root: '/home/me/project' },
  }),
  'rules.why': openCall({
    summary: 'What each rule and guard of today says about an event, and what was answered then',
    args: z.strictObject({
      /** Its id, or its sequence number. */
      event: z.string().min(1).max(64),
    }),
    result: z.custom<WhyView>(),
    example: { event: '01KA2Z5V3C7Q9M0XW4T8R6Y1BN' },
  }),
  'rules.rehearse': openCall({
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
}
