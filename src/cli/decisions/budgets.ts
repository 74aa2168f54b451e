/** Lists the budgets with what was used of them, and raises one. */
import { type BudgetView, call, raiseBudget } from '../../client/index.ts'
import { amount, percentWords } from '../../core/text/amount.ts'
import { firstNames, whichOf } from '../../core/text/closest.ts'
import { wordOf } from '../../decisions/budgets/index.ts'
import type { Input } from '../framework/define.ts'
import { bold, cyan, dim, green, out, outJson, paragraph, plain } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import { bar } from '../work/effort.ts'
import type * as commands from './index.ts'

type Use = BudgetView['uses'][number]
type CapUse = Use['caps'][number]

const LIMITS = { warn: 0.8, full: 1 }

export async function run({ flags, places }: Input<typeof commands.budgets>): Promise<number> {
  const budgets = await call(places, 'budgets.list')
  if (flags.json) return outJson(budgets)
  if (budgets.length === 0)
    out(
      paragraph(
        '',
        `There are no budgets. Add one with ${cyan('gantry config edit')}: each is a table [[budgets]] of gantry.toml.`,
      ),
    )
  for (const { id, per, then, uses } of budgets) {
    out(`${bold(plain(id))} ${dim(`per ${per}, then ${then}`)}`)
    if (uses.length === 0) out(dim('  nothing is used yet'))
    for (const { name, caps } of uses) for (const cap of caps) out(`  ${line(cap)}  ${plain(name)}`)
  }
  return 0
}

export async function raise({ args, flags, places }: Input<typeof commands.budgetsRaise>): Promise<number> {
  const budgets = await call(places, 'budgets.list')
  const budget = budgets.find(({ id }) => id === args.id)
  if (!budget) throw usageError(`There is no budget "${args.id}". Run: gantry budgets`)
  const { scope, name, caps } = useOf(budget, args.which)
  const { cap, limit: before, extra } = capOf(caps, flags.cap)
  const limit = before + (flags.by ?? before - extra) // without --by, as much again
  const raised = await raiseBudget(places, { id: budget.id, scope, cap, limit })
  if (flags.json) return outJson(raised)
  const words = `${amount(cap, before)} → ${amount(cap, limit)}`
  out(`${green('✓')} ${bold(plain(budget.id))} of ${plain(name)}: ${words}`)
  return 0
}

/** The one that was named; else the only one that is used up, or the only one there is. */
function useOf(budget: BudgetView, which: string | undefined): Use {
  const { id, uses } = budget
  const isMeant = ({ scope, name }: Use) =>
    [scope, name, wordOf(budget, name)].includes(which ?? '') || scope.endsWith(`:${which}`)
  const over = uses.filter(({ caps }) => caps.some(isOver))
  const meant = which === undefined ? (over.length > 0 ? over : uses) : uses.filter(isMeant)
  const [only, ...others] = meant
  if (only !== undefined && others.length === 0) return only
  const names = (only === undefined ? uses : meant).map(({ name }) => plain(wordOf(budget, name)))
  if (names.length === 0) throw usageError(`Nothing is used of the budget "${id}" yet.`)
  const isOther = only === undefined && which !== undefined
  const there = isOther ? whichOf(which, names) : `There are: ${firstNames(names)}.`
  throw usageError(`Say which: gantry budgets raise ${id} <name>. ${there}`)
}

function capOf(caps: readonly CapUse[], name: string | undefined): CapUse {
  const over = caps.filter(isOver)
  const meant = name === undefined ? (over.length > 0 ? over : caps) : caps.filter(({ cap }) => cap === name)
  const [only, ...others] = meant
  if (only !== undefined && others.length === 0) return only
  const names = (only === undefined ? caps : meant).map(({ cap }) => cap)
  throw usageError(`Say which cap: --cap ${names.join(' or --cap ')}.`)
}

function isOver({ used, limit }: CapUse): boolean {
  return used >= limit
}

function line({ cap, used, limit, extra }: CapUse): string {
  const share = used / limit
  const raised = extra > 0 ? dim(` (raised by ${amount(cap, extra)})`) : ''
  const said = `${amount(cap, used)} of ${amount(cap, limit)}`
  return `${bar(share, LIMITS)} ${percentWords(Math.floor(share * 100)).padStart(5)}  ${said}${raised}`
}
