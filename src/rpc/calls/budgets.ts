/** Budgets: caps on what sessions, efforts, projects and days may use. */
import { z } from 'zod'
import { guardedCall, openCall } from '../definition.ts'

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

export const budgetCalls = {
  'budgets.list': openCall({
    summary: 'The budgets, with what was used of each; of one session, only those that cap it',
    args: z.strictObject({ session: z.string().min(1).max(400).optional() }),
    result: z.custom<BudgetView[]>(),
    example: { session: 'claude:4f1c' },
  }),
  'budgets.raise': guardedCall({
    summary: 'Sets a new limit until the session, effort, project or day is over; needs a signature',
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
}
