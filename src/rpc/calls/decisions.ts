/** Who answers hooks: rules, handlers, and people who approve. */
import { z } from 'zod'
import { DEFAULT_AGENT } from '../../agents/facts.ts'
import { isAgentName, OWN_AGENT, type Verdict } from '../../events/index.ts'
import { defineRpc } from '../definition.ts'

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

/** A held permission request. */
export interface ApprovalView {
  readonly id: string
  /** An answer must repeat it, so it is valid for this question alone. */
  readonly nonce: string
  readonly agent: string
  readonly session: string
  /** The session's name. */
  readonly name: string
  /** The asking sub-agent and its type. */
  readonly agentId?: string
  readonly agentType?: string
  readonly tool: string
  /** The tool's input on one line. */
  readonly line: string
  /** The whole input without secrets; null in a list if it is too large. */
  readonly input: unknown
  readonly isLarge: boolean
  /** Why a rule or a handler asks. */
  readonly reason?: string
  readonly cwd?: string
  readonly since: number
  readonly until: number
}

/** Also waits for a person, but can only be answered in its own terminal. */
export interface AskedElsewhere {
  readonly session: string
  readonly name: string
  readonly agent: string
  readonly kind: string
  readonly reason: string
  /** The asking sub-agent and its type. */
  readonly agentId?: string
  readonly agentType?: string
  readonly tool?: string
  /** The tool's input on one line, if its event is still known. */
  readonly line?: string
  readonly since: number
  readonly pane?: string
}

export interface ApprovalList {
  readonly approvals: readonly ApprovalView[]
  readonly elsewhere: readonly AskedElsewhere[]
}

export type ApprovalDecision = 'allow' | 'deny'

export interface HandlerStatus {
  readonly id: string
  /** A registered command, or a warm handler. */
  readonly kind: 'command' | 'file'
  readonly events: readonly string[]
  /** The command line, or the path of the warm handler's file. */
  readonly command: string
  readonly priority: number
  readonly createdAt: number
  readonly circuit: 'closed' | 'open' | 'half-open'
  /** When an open circuit is tried again. */
  readonly retryAt: number | null
  readonly running: number
  readonly runs: number
  readonly failures: number
  readonly blocks: number
  /** Runs with invalid output. */
  readonly garbled: number
  /** Events it did not get: its circuit was open, or too many waited. */
  readonly skipped: number
  readonly lastRunAt: number | null
  readonly lastError: string | null
  readonly lastErrorAt: number | null
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
}

/** A budget as configured, with what was used of it. */
export interface BudgetView {
  readonly id: string
  readonly per: 'session' | 'effort' | 'project' | 'day'
  readonly then: 'stop' | 'ask'
  readonly agent?: string | undefined
  readonly project?: string | undefined
  /** For each session, effort, project or day that lives. */
  readonly uses: readonly BudgetUseView[]
}

export interface BudgetUseView {
  readonly scope: string
  readonly name: string
  readonly caps: readonly {
    readonly cap: (typeof BUDGET_CAPS)[number]
    readonly used: number
    readonly limit: number
    /** By how much a person raised it. */
    readonly extra: number
  }[]
}

const BUDGET_CAPS = ['cost_usd', 'tokens', 'tool_calls', 'wall_minutes'] as const
const MAX_MESSAGE_CHARS = 4_000
const MAX_COMMAND_CHARS = 4096
const approvalId = z.string().min(1).max(64)

const eventName = z.string().regex(/^[A-Za-z0-9_.:-]{1,64}$/, {
  error: 'an event name is letters, digits, ".", ":", "-" and "_"',
})

const handlerId = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,64}$/, { error: 'an id is letters, digits, ".", "-" and "_"' })

const command = z
  .string()
  .trim()
  .min(1)
  .max(MAX_COMMAND_CHARS)
  .refine((text) => !text.includes('\0'), { error: 'a command must not contain zero bytes' })

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

export const decisionCalls = {
  'rules.list': defineRpc({
    summary: 'The rules in force, in order of evaluation',
    result: z.custom<RuleView[]>(),
  }),
  'rules.test': defineRpc({
    summary: 'The verdict of rules and guards on a payload and the reply to the agent; nothing is stored',
    args: ruleTrialArgs,
    result: z.custom<RuleTrial>(),
    example: {
      payload: { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } },
    },
  }),
  'rules.trust': defineRpc({
    summary: 'Trusts the rules of a project as they stand; needs a signature, and is refused inside an agent',
    args: z.strictObject({
      root,
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      proof: z.string().min(1).max(128),
    }),
    result: z.custom<{ readonly root: string }>(),
    example: { root: '/home/me/project', hash: '0'.repeat(64), proof: '…' },
  }),
  'rules.untrust': defineRpc({
    summary: 'Ends the trust in the rules of a project; refused inside an agent',
    args: z.strictObject({ root }),
    result: z.custom<{ readonly root: string }>(),
    example: { root: '/home/me/project' },
  }),
  'budgets.list': defineRpc({
    summary: 'The budgets, with what was used of each; of one session, only those that cap it',
    args: z.strictObject({ session: z.string().min(1).max(400).optional() }),
    result: z.custom<BudgetView[]>(),
    example: { session: 'claude:4f1c' },
  }),
  'budgets.raise': defineRpc({
    summary:
      'Sets a new limit until the session, effort, project or day is over; needs a signature, and is refused inside an agent',
    args: z.strictObject({
      id: z.string().min(1).max(64),
      scope: z.string().min(1).max(4096),
      cap: z.enum(BUDGET_CAPS),
      limit: z.number().positive().max(1e13),
      proof: z.string().min(1).max(128),
    }),
    result: z.custom<BudgetUseView>(),
    example: { id: 'night', scope: '2026-03-01', cap: 'cost_usd', limit: 10, proof: '…' },
  }),
  'approvals.list': defineRpc({
    summary: 'Permissions that wait for an answer, and requests that can only be answered in their terminal',
    result: z.custom<ApprovalList>(),
  }),
  'approvals.get': defineRpc({
    summary: 'One pending permission with its whole input',
    args: z.strictObject({ id: approvalId }),
    result: z.custom<ApprovalView>(),
    example: { id: 'riko7' },
  }),
  'approvals.answer': defineRpc({
    summary: 'Answers a permission; needs a signature with the approval key, and is refused inside an agent',
    args: z.strictObject({
      id: approvalId,
      nonce: z.string().min(1).max(64),
      decision: z.enum(['allow', 'deny']),
      message: z.string().max(MAX_MESSAGE_CHARS).optional(),
      via: z
        .string()
        .regex(/^[a-z]{1,16}$/)
        .default('rpc'),
      proof: z.string().min(1).max(128),
    }),
    result: z.custom<{ readonly id: string; readonly decision: ApprovalDecision }>(),
    example: { id: 'riko7', nonce: '…', decision: 'allow', proof: '…' },
  }),
  'bus.handlers': defineRpc({
    summary: 'The handlers in the order they run, commands and files, with statistics',
    result: z.custom<HandlerStatus[]>(),
  }),
  'bus.register': defineRpc({
    summary: 'Registers a command for events; replaces one with the same id',
    args: z.strictObject({
      id: handlerId,
      events: z
        .array(z.union([z.literal('*'), eventName]))
        .min(1)
        .max(64),
      command,
      priority: z.int().min(0).max(1000).default(50),
    }),
    result: z.custom<HandlerStatus>(),
    example: { id: 'example', events: ['ExampleEvent'], command: 'true' },
  }),
  'bus.unregister': defineRpc({
    summary: 'Removes a handler',
    args: z.strictObject({ id: handlerId }),
    result: z.custom<{ readonly id: string }>(),
    example: { id: 'example' },
  }),
  'bus.emit': defineRpc({
    summary: 'Publishes an event of your own on the bus; the payload is an object or JSON text',
    args: z.strictObject({
      event: eventName,
      agent: z.string().refine(isAgentName, { error: 'not a valid agent name' }).default(OWN_AGENT),
      payload: z.union([z.string(), z.record(z.string(), z.unknown())]).default({}),
    }),
    result: z.custom<{ readonly id: string; readonly seq: number }>(),
    example: { event: 'ExampleEvent', payload: { note: 'hello' } },
  }),
}
