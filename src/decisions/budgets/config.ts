/** `[[budgets]]` and `[loops]` of gantry.toml. */
import { z } from 'zod'
import { AGENT_NAMES } from '../../agents/facts.ts'
import { CAP_NAMES } from './caps.ts'

const MAX_BUDGETS = 64
const cap = (max: number, text: string) => z.number().positive().max(max).optional().describe(text)

const budgetSchema = () =>
  z
    .strictObject({
      id: z
        .string()
        .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'lower-case letters, digits, "-" and "_", at most 32')
        .describe('Name in `gantry budgets`'),
      per: z
        .enum(['session', 'effort', 'project', 'day'])
        .describe('What each has its own: a session with its sub-agents, an effort, a repository, a day'),
      cost_usd: cap(1e6, 'Cap on the cost in dollars, as the agent reports it or at list prices'),
      tokens: cap(1e12, 'Cap on tokens in and out, without those from the cache'),
      tool_calls: cap(1e9, 'Cap on tool calls that were not refused'),
      wall_minutes: cap(1e6, 'Cap on the time that turns take, in minutes'),
      // biome-ignore lint/suspicious/noThenProperty: a key of gantry.toml, as in rules; nothing awaits it
      then: z
        .enum(['stop', 'ask'])
        .default('ask')
        .describe('Beyond a cap: `ask` asks about each tool call; `stop` denies tool calls and prompts'),
      agent: z.enum(AGENT_NAMES).optional().describe('Only for this agent'),
      project: z
        .string()
        .min(1)
        .max(4096)
        .optional()
        .describe('Only for repositories and folders in this folder; `~/` is your home'),
    })
    .refine((budget) => CAP_NAMES.some((name) => budget[name] !== undefined), {
      error: `needs at least one cap: ${CAP_NAMES.join(', ')}`,
    })

export const budgetsSchema = () =>
  z
    .array(budgetSchema())
    .max(MAX_BUDGETS)
    .refine((budgets) => new Set(budgets.map(({ id }) => id)).size === budgets.length, {
      error: 'two budgets have the same id',
    })
    .default([])

export const loopsSchema = () =>
  z.strictObject({
    mode: z
      .enum(['off', 'context', 'ask'])
      .default('context')
      .describe(
        'When an agent makes the same calls with the same results three times: `context` tells the model so; `ask` asks at the next repeat, too',
      ),
  })

export type Budget = z.infer<ReturnType<typeof budgetSchema>>
export type LoopSettings = z.infer<ReturnType<typeof loopsSchema>>
