/** What people and models read about a budget. */
import { amount } from '../../core/text/amount.ts'
import { plain } from '../../core/text/text.ts'
import type { Budget } from './config.ts'
import type { CapUse } from './service.ts'

export function reasonOf(budget: Budget, name: string, use: CapUse): string {
  const which = budget.per === 'session' || budget.per === 'effort' ? ` ${wordOf(budget, name)}` : ''
  return (
    `${usedWords(budget, name, use)}. Stop here and tell the owner what is left to do. ` +
    `Only the owner can raise it, in a terminal of their own: gantry budgets raise ${budget.id}${which}`
  )
}

export function usedWords({ id, per }: Budget, name: string, { cap, used, limit }: CapUse): string {
  const whose = per === 'day' ? 'today' : per === 'session' ? `session ${name}` : name
  return `Budget ${id} (${plain(whose)}): ${amount(cap, used)} of ${amount(cap, limit)} used`
}

/** How a command names it. */
export function wordOf({ per }: Pick<Budget, 'per'>, name: string): string {
  return per === 'effort' ? name.replace(/^effort /, '') : name
}
