/** Restores the settings files that install changed. */
import { existsSync } from 'node:fs'
import type { HookClient } from '../../agents/index.ts'
import { refuseInsideAgent } from '../../agents/inside-agent.ts'
import { messageOf } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import {
  applyRemoval,
  diffOf,
  installedClient,
  isNothingWired,
  isSameContent,
  planUninstall,
  removeClient,
  retryIfChanged,
  type Starter,
  startersOf,
  type UninstallPlan,
  withInstallLock,
} from '../../install/index.ts'
import type { Input } from '../framework/define.ts'
import { out, outJson, plain, short } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import { agentsOf, isAgreed, line, lostWords, MARKS, showDiff, title, type WiredAgent } from './changes.ts'
import type * as commands from './index.ts'

interface Outcome {
  readonly agent: string
  readonly title: string
  readonly plan?: UninstallPlan
  readonly why?: string
  readonly lost?: readonly string[]
}

export async function run(input: Input<typeof commands.uninstall>): Promise<number> {
  const { everything, data, json } = input.flags
  if ((everything && (json || input.args.agent.length > 0)) || (data && !everything))
    throw usageError('--everything takes neither an agent nor --json; --data needs --everything.')
  if (!everything) return removeHooks(input)
  refuseInsideAgent()
  const exit = await removeHooks(input)
  const { removeEverything, showEverything } = await import('./everything.ts')
  if (input.flags['dry-run']) showEverything(input.places, data)
  // Hooks that are left need the daemon and its data.
  else if (exit === 0) return removeEverything(input)
  return exit
}

async function removeHooks({ args, flags, places }: Input<typeof commands.uninstall>): Promise<number> {
  const { json } = flags
  const outcomes = agentsOf(args.agent).flatMap((agent) => planned(agent, places))
  if (!json) for (const outcome of outcomes) show(outcome, flags['dry-run'])
  const mayWrite = flags['dry-run'] ? false : await isAgreed(outcomes.some(changes), { yes: flags.yes, json })
  const end = mayWrite ? await withInstallLock(places, () => write(outcomes, places)) : undefined
  const done = end?.outcomes ?? outcomes
  if (json) outJson(done.map((one) => report(one, mayWrite)))
  else if (end) conclude(end)
  else if (flags['dry-run']) foretell(outcomes, places)
  const isRefused = !flags['dry-run'] && !mayWrite
  const isLeft = end !== undefined && (end.starters.length > 0 || done.some(({ plan }) => plan?.left.length))
  return isRefused || isLeft || done.some(({ why }) => why !== undefined) ? 1 : 0
}

function planned({ id, settings }: WiredAgent, places: Places): Outcome[] {
  const about = { agent: id, title: settings.title }
  try {
    return planUninstall(id, settings, { places, env: process.env }).map((plan) => ({ ...about, plan }))
  } catch (error) {
    return [{ ...about, why: messageOf(error) }]
  }
}

interface End {
  readonly outcomes: readonly Outcome[]
  /** The hook client that was removed. */
  readonly client?: string
  /** What still starts the client, so that it was not removed. */
  readonly starters: readonly Starter[]
}

async function write(outcomes: readonly Outcome[], places: Places): Promise<End> {
  const done: Outcome[] = []
  for (const outcome of outcomes) done.push(await apply(outcome, places))
  const { client, starters, mayGo } = clientAfter(done, places, [])
  const isGone = mayGo && removeClient(client)
  return { outcomes: done, starters, ...(isGone ? { client: short(client.path) } : {}) }
}

/** The client goes last, and only if nothing starts it: a hook must not call a missing program. */
function clientAfter(
  outcomes: readonly Outcome[],
  places: Places,
  ahead: readonly UninstallPlan[],
): { client: HookClient; starters: readonly Starter[]; mayGo: boolean } {
  const client = installedClient(places, process.env)
  const receipts = ahead.map(({ change }) => change.receiptPath)
  const files = ahead.map(({ change }) => change.file.path)
  const isLast = outcomes.every(({ why }) => why === undefined) && isNothingWired(places, receipts)
  const all = isLast && existsSync(client.path) ? startersOf(client, process.env) : []
  const starters = all.filter(({ file }) => !files.includes(file))
  return { client, starters, mayGo: isLast && starters.length === 0 }
}

/** For --dry-run, what the end of a real run would say. */
function foretell(outcomes: readonly Outcome[], places: Places): void {
  const ahead = outcomes.flatMap(({ plan }) => (plan && plan.left.length === 0 ? [plan] : []))
  const { client, starters, mayGo } = clientAfter(outcomes, places, ahead)
  sayKept(starters)
  if (mayGo && existsSync(client.path)) out(`${MARKS.plan} ${short(client.path)} goes, too`)
  if (outcomes.length === 0) out('No agent is wired.')
}

function changes({ plan }: Outcome): boolean {
  return plan !== undefined && !isSameContent(plan.change.file.bytes, plan.change.after)
}

/** An exact restore is shown without a diff, except with --dry-run. */
function show(outcome: Outcome, whole: boolean): void {
  const { plan, why } = outcome
  if (!plan) {
    title(MARKS.failed, outcome.title, undefined, '')
    line(short(why ?? ''))
    out('')
    return
  }
  const { file, after } = plan.change
  title(changes(outcome) ? MARKS.plan : MARKS.done, outcome.title, undefined, short(file.path))
  if (!changes(outcome)) line('nothing of ours is in it any more')
  else if (plan.left.length > 0) line('only what is ours goes')
  else if (plan.way === 'exact')
    line(after ? 'becomes what it was, byte for byte' : 'goes: there was no such file before')
  else line('was changed since; only what is ours goes')
  for (const note of plan.notes) line(note)
  if (plan.left.length > 0) line(leftWords(plan))
  if (changes(outcome) && (whole || plan.way !== 'exact' || plan.left.length > 0))
    showDiff(file.bytes, after, whole)
  out('')
}

/** Plans again: an agent may have written the file since. */
async function apply(outcome: Outcome, places: Places): Promise<Outcome> {
  const { agent, plan: shown } = outcome
  if (!shown) return outcome
  try {
    return await retryIfChanged(() => {
      const settings = agentsOf([agent])[0]?.settings
      const plans = settings ? planUninstall(agent, settings, { places, env: process.env }) : []
      const plan = plans.find(({ change }) => change.file.path === shown.change.file.path)
      return plan ? { ...outcome, plan, lost: applyRemoval(places, plan.change) } : outcome
    })
  } catch (error) {
    return { ...outcome, why: messageOf(error) }
  }
}

function leftWords({ left }: UninstallPlan): string {
  return `Somebody has changed ${left.join(', ')}, so that stays, and still starts the hook client. Remove it by hand, then run this again.`
}

function conclude({ outcomes, client, starters }: End): void {
  for (const outcome of outcomes) {
    const { plan, why, title: name, lost = [] } = outcome
    if (plan && why) out(`${MARKS.failed} ${name}: ${plain(why)}`)
    else if (plan && plan.left.length > 0)
      out(`${MARKS.left} ${name}: ${plain(plan.left.join(', '))} in ${short(plan.change.file.path)} is left`)
    else if (changes(outcome)) out(`${MARKS.done} ${name} is as it was without gantry`)
    for (const one of lost) line(lostWords(one))
  }
  sayKept(starters)
  if (client) out(`${MARKS.done} ${client} is gone, too`)
  else if (outcomes.some(({ plan }) => plan?.left.length))
    out(`${MARKS.left} the hook client stays until nothing starts it`)
  if (!outcomes.some(({ plan, why }) => plan || why)) out('No agent is wired.')
}

function sayKept(starters: readonly Starter[]): void {
  for (const { file, places } of starters)
    out(`${MARKS.left} the hook client stays: ${plain(places.join(', '))} in ${short(file)} starts it`)
}

function report(outcome: Outcome, isWritten: boolean): Record<string, unknown> {
  const { agent, plan, why } = outcome
  if (!plan || why !== undefined) return { agent, status: 'failed', message: why ?? '' }
  const status = changes(outcome) ? (isWritten ? 'written' : 'planned') : 'unchanged'
  const { file, after } = plan.change
  return {
    agent,
    file: file.path,
    status,
    way: plan.way,
    notes: plan.notes,
    left: plan.left,
    diff: diffOf(file.bytes, after).join('\n'),
  }
}
