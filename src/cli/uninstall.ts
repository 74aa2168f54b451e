/** Takes back what install wrote, exactly. */

import { GantryError, messageOf } from '../errors.ts'
import {
  applyRemoval,
  diffOf,
  installedClient,
  isNothingWired,
  isSameContent,
  planUninstall,
  removeClient,
  type UninstallPlan,
  wireable,
} from '../install/index.ts'
import { confirm, line, MARKS, short, showDiff, title } from './changes.ts'
import type { Command, Input } from './command.ts'
import { cyan, out, plain } from './terminal.ts'

export const uninstall: Command = {
  name: 'uninstall',
  summary: 'Take the hooks out again, exactly',
  usage: '[agent…] [--dry-run] [--yes] [--json]',
  options: {
    'dry-run': { type: 'boolean', help: 'Show what would be written, and write nothing' },
    yes: { type: 'boolean', short: 'y', help: 'Write without asking' },
    json: { type: 'boolean', help: 'Print the outcome as an array' },
  },
  examples: [
    {
      line: 'gantry uninstall',
      does: 'Brings every settings file back to what it was, or takes out only what is ours',
    },
    { line: 'gantry uninstall gemini --yes', does: 'Only Gemini CLI, without asking' },
  ],
  run,
}

interface Outcome {
  readonly agent: string
  readonly title: string
  readonly plan?: UninstallPlan
  readonly why?: string
}

async function run({ args, flags, places }: Input): Promise<number> {
  const json = flags.json === true
  const outcomes = chosen(args).flatMap(({ id, settings }): Outcome[] => {
    const about = { agent: id, title: settings.title }
    try {
      return planUninstall(id, settings, { places, env: process.env }).map((plan) => ({ ...about, plan }))
    } catch (error) {
      return [{ ...about, why: messageOf(error) }]
    }
  })
  if (!json) for (const outcome of outcomes) show(outcome, flags['dry-run'] === true)
  const mayWrite = flags['dry-run'] ? false : await isAgreed(outcomes, flags.yes === true, json)
  const done = mayWrite ? outcomes.map((one) => apply(one, places)) : outcomes
  const client = installedClient(places, process.env)
  const isLast = mayWrite && done.every(({ why }) => why === undefined) && isNothingWired(places)
  const hadClient = isLast && removeClient(client)
  if (json)
    out(
      JSON.stringify(
        done.map((one) => report(one, mayWrite)),
        null,
        2,
      ),
    )
  else if (mayWrite) conclude(done, hadClient ? short(client.path) : undefined)
  const isRefused = !flags['dry-run'] && !mayWrite
  return isRefused || done.some(({ why }) => why !== undefined) ? 1 : 0
}

function chosen(names: readonly string[]): ReturnType<typeof wireable> {
  const known = wireable()
  for (const name of names) {
    if (known.some(({ id }) => id === name)) continue
    throw new GantryError(
      'USAGE',
      `There is no agent "${name}". gantry knows: ${known.map(({ id }) => id).join(', ')}`,
    )
  }
  return names.length === 0 ? known : known.filter(({ id }) => names.includes(id))
}

function changes({ plan }: Outcome): boolean {
  return plan !== undefined && !isSameContent(plan.change.file.bytes, plan.change.after)
}

/** The way back to the very same bytes needs no proof, unless somebody asks for it. */
function show(outcome: Outcome, whole: boolean): void {
  const { plan, why } = outcome
  if (!plan) {
    title(MARKS.failed, outcome.title, undefined, '')
    line(why ?? '')
    out('')
    return
  }
  const { file, after } = plan.change
  title(changes(outcome) ? MARKS.plan : MARKS.done, outcome.title, undefined, short(file.path))
  if (!changes(outcome)) line('nothing of ours is in it any more')
  else if (plan.way === 'exact')
    line(after ? 'becomes what it was, byte for byte' : 'goes: there was no such file before')
  else line('was changed since; only what is ours goes')
  for (const note of plan.notes) line(note)
  if (changes(outcome) && (whole || plan.way !== 'exact')) showDiff(file.bytes, after, whole)
  out('')
}

async function isAgreed(outcomes: readonly Outcome[], yes: boolean, json: boolean): Promise<boolean> {
  if (yes || !outcomes.some(changes)) return true
  const answer = json ? undefined : await confirm('Write this?')
  if (answer === undefined && !json) out(`Nothing was written. Add ${cyan('--yes')} to write it.`)
  if (answer === false) out('Nothing was written.')
  return answer === true
}

function apply(outcome: Outcome, places: Input['places']): Outcome {
  try {
    if (outcome.plan) applyRemoval(places, outcome.plan.change)
    return outcome
  } catch (error) {
    return { ...outcome, why: messageOf(error) }
  }
}

function conclude(outcomes: readonly Outcome[], client: string | undefined): void {
  for (const outcome of outcomes) {
    if (outcome.plan && outcome.why) out(`${MARKS.failed} ${outcome.title}: ${plain(outcome.why)}`)
    else if (changes(outcome)) out(`${MARKS.done} ${outcome.title} is as it was without gantry`)
  }
  if (client) out(`${MARKS.done} ${client} is gone, too`)
  if (!outcomes.some(({ plan, why }) => plan || why)) out('No agent is wired.')
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
    diff: diffOf(file.bytes, after).join('\n'),
  }
}
