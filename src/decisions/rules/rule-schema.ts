/** What a rule may say, in a file of the user's. Loaded only where there is such a file. */
import { z } from 'zod'
import { spanOf } from '../../client/since.ts'
import { messageOf } from '../../core/errors.ts'
import { PHASES } from '../../sessions/state/phase.ts'
import { compilePattern, PatternError } from './pattern/index.ts'
import { isSlashed } from './rule.ts'
import { DAYS } from './world.ts'

const DEFAULT_PRIORITY = 50
const MAX_EXAMPLES = 100

const text = z.string().min(1)
const texts = z.union([text, z.array(text).min(1)])
const globs = (about: string) =>
  texts.optional().describe(`${about}. One glob, or a list of which one matches`)

const pattern = text.superRefine((source, context) => checkPattern(source, context))

const folder = z.enum(['worktree', 'home', 'cwd'])
const paths = (about: string) =>
  z
    .union([
      texts,
      z.strictObject({ path: texts.optional(), outside: folder.optional(), inside: folder.optional() }),
    ])
    .optional()
    .describe(
      `${about}: path globs, or { outside: worktree }. "~/x" is in the home, "/x" absolute, "a/b" in the worktree, "x" any file of that name`,
    )

const comparison = (about: string) =>
  z
    .string({ error: ({ input }) => `takes a comparison: '> ${typeof input === 'number' ? input : 5}'` })
    .regex(/^(>=|<=|>|<) ?\d+(\.\d+)?$/, { error: 'takes a comparison such as ">= 80"' })
    .optional()
    .describe(`${about}, such as ">= 80"`)

const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/, { error: 'takes a span such as 22:00-06:00' })

const OPERATORS = ['>', '>>', '>|', '<', '<>', '&>', '&>>', '<<', '<<<', '>&', '<&'] as const
const operator = z.enum(OPERATORS)
const flag = z.string().regex(/^-{1,2}[^-\s]\S*$/, { error: 'takes a flag such as -f or --force' })

const conditions = {
  program: globs('Name of a started program, behind sudo, env, xargs, bash -c and the like, too'),
  subcommand: globs('First operand: push, or "remote add"'),
  flags: z
    .union([flag, z.array(flag).min(1), z.array(z.union([flag, z.array(flag).min(1)])).min(1)])
    .optional()
    .describe('One of these flags, in any order or bundle. A list of lists: one of each'),
  args: globs('Operands behind the subcommand'),
  targets: paths('Files that it reads, writes or deletes'),
  reads: paths('Files that it reads'),
  writes: paths('Files that it writes'),
  deletes: paths('Files that it deletes'),
  network: z
    .union([z.literal(true), z.strictObject({ host: texts.optional(), sends: z.boolean().optional() })])
    .optional()
    .describe('It uses the network: true, or { host: "*.example.com", sends: true }'),
  redirects: z
    .union([z.literal(true), operator, z.array(operator).min(1)])
    .optional()
    .describe('It has a redirect: true, or one of these operators'),
  secret: z
    .literal(true)
    .optional()
    .describe('It reads a credential file, or a credential stands in the command or in what is written'),
  agent: globs('The agent'),
  phase: globs(`What the session does: ${PHASES.join(', ')}`),
  permissionMode: globs("The agent's permission mode"),
  subagent: z.boolean().optional().describe('Whether a sub-agent does it'),
  branch: globs('The branch of the repository'),
  dirty: z.boolean().optional().describe('Whether the repository has uncommitted changes'),
  contextUse: comparison('How full the context window is, in percent'),
  costUsd: comparison('What the session has cost so far, in dollars'),
  repeats: comparison("How often the same call is among the session's last 16 calls"),
  effort: globs('The skill of the effort that the session works on'),
  host: globs('The name of this machine'),
  time: z
    .union([time, z.array(time).min(1)])
    .optional()
    .describe('Time of day on this machine: 22:00-06:00'),
  weekday: z
    .union([z.enum(DAYS), z.array(z.enum(DAYS)).min(1)], { error: `takes some of ${DAYS.join(', ')}` })
    .optional()
    .describe('Day of the week on this machine'),
}

const plainWhen = z.strictObject(conditions)
export type When = z.infer<typeof plainWhen> & { any?: When[] | undefined; not?: When | undefined }

const whenSchema: z.ZodType<When> = z
  .strictObject({
    ...conditions,
    get any(): z.ZodOptional<z.ZodArray<z.ZodType<When>>> {
      return z.array(whenSchema).min(1).optional().describe('One of these, of the same command')
    },
    get not(): z.ZodOptional<z.ZodType<When>> {
      return whenSchema.optional().describe('Not this, of the same command')
    },
  })
  .refine((when) => Object.keys(when).length > 0, { error: 'needs a condition' })

const DECISIONS = ['deny', 'ask', 'allow', 'block-stop'] as const
const said = (about: string) =>
  z
    .union([z.literal(true), text])
    .optional()
    .describe(`${about}: the reason, or true`)

const thenSchema = z
  .strictObject({
    deny: said('Refuse it'),
    ask: said('Ask the person'),
    allow: said('Approve it'),
    'block-stop': said('Keep the turn going'),
    rewrite: z.record(z.string(), z.unknown()).optional().describe("Fields laid over the tool's input"),
    context: texts.optional().describe('Text for the model'),
    notify: text
      .optional()
      .describe('Text for the person: in the terminal of the agent, and as a notification'),
  })
  .refine((then) => DECISIONS.filter((word) => then[word] !== undefined).length <= 1, {
    error: 'takes only one of deny, ask, allow and block-stop',
  })
  .refine((then) => Object.keys(then).length > 0, { error: 'needs something to do' })

const example = z.union([text, z.record(z.string(), z.unknown())])
const examples = z.array(example).max(MAX_EXAMPLES).default([])

const ruleSchema = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,64}$/, { error: 'an id is letters, digits, ".", "-" and "_"' })
      .describe('A name of its own'),
    priority: z.int().min(0).max(1000).default(DEFAULT_PRIORITY).describe('Lower speaks first'),
    on: texts.describe('A canonical event type such as PreToolUse, a list of them, or "*"'),
    agent: z.string().optional(),
    tool: text
      .superRefine((name, context) => {
        if (isSlashed(name)) checkPattern(name.slice(1, -1), context)
      })
      .optional()
      .describe('A name, or /pattern/'),
    match: z
      .record(text, pattern)
      .default({})
      .describe('Dotted path in the canonical event → pattern. All must match'),
    when: whenSchema.optional().describe('What the call does, and the facts of its session. All must hold'),
    // biome-ignore lint/suspicious/noThenProperty: a key of the file; it is gone after the transform
    then: thenSchema
      .optional()
      .describe('What the rule does. It replaces decision, reason, input and context'),
    decision: z.enum(['none', 'allow', 'deny', 'ask', 'block-stop']).default('none'),
    onUnknown: z
      .enum(['ask', 'deny', 'pass'])
      .optional()
      .describe('If it cannot be judged. Unset: ask for deny and ask, pass for the rest'),
    onFailure: z
      .enum(['open', 'closed'])
      .optional()
      .describe('If judging fails: open ignores the rule, closed denies. Unset: like onUnknown'),
    once: z.enum(['session', 'turn']).optional().describe('It speaks once in each session, or in each turn'),
    cooldown: z
      .string()
      .refine((span) => spanOf(span) !== undefined, { error: 'takes a time such as 90s, 10m or 2h' })
      .optional()
      .describe('After it spoke, it is silent in that session for so long: 10m'),
    reason: z.string().optional(),
    input: z.record(z.string(), z.unknown()).optional().describe("Fields laid over the tool's input"),
    context: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('Text for the model'),
    systemMessage: z.string().optional().describe('Text for the person'),
    examples: z
      .strictObject({ match: examples, noMatch: examples })
      .optional()
      .describe('Checked when the file is loaded. Text is a shell command; an object is an event'),
  })
  .superRefine((rule, context) => {
    if (rule.then === undefined) return
    const other = (['reason', 'input', 'context', 'systemMessage'] as const).find(
      (key) => rule[key] !== undefined,
    )
    const twice = rule.decision === 'none' ? other : 'decision'
    if (twice !== undefined)
      context.addIssue({ code: 'custom', path: [twice], message: 'say it in "then", or leave "then" out' })
  })
  .transform(({ then, ...rule }) => (then === undefined ? rule : { ...rule, ...plainly(then) }))

export const rulesFileSchema = z.strictObject({ rules: z.array(ruleSchema) })

export type RuleText = z.infer<typeof ruleSchema> & { readonly notify?: string | undefined }
export type Example = z.infer<typeof example>

/** `then` in the words of a verdict. */
function plainly(then: z.infer<typeof thenSchema>) {
  const decision = DECISIONS.find((word) => then[word] !== undefined)
  const reason = decision && then[decision]
  return {
    decision: decision ?? ('none' as const),
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(then.rewrite === undefined ? {} : { input: then.rewrite }),
    ...(then.context === undefined ? {} : { context: then.context }),
    ...(then.notify === undefined ? {} : { systemMessage: then.notify, notify: then.notify }),
  }
}

/** For editors. */
export function rulesJsonSchema(): object {
  return { title: 'Rules of gantry', ...z.toJSONSchema(rulesFileSchema, { io: 'input' }) }
}

function checkPattern(source: string, context: z.RefinementCtx<string>): void {
  try {
    compilePattern(source)
  } catch (error) {
    const why = messageOf(error)
    const message = error instanceof PatternError ? why : `not a valid regular expression: ${why}`
    context.addIssue({ code: 'custom', message })
  }
}
