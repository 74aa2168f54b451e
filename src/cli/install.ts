/** Wires the agents that are here: plan, diff, question, backup, write, receipt. */

import { agentMark } from '../agents/inside-agent.ts'
import { didYouMean } from '../core/closest.ts'
import { GantryError, messageOf } from '../core/errors.ts'
import { downSince } from '../core/kept-down.ts'
import { keepEnvironment, keptEnvironment, ownersEnvironment } from '../core/kept-environment.ts'
import type { Places } from '../core/paths.ts'
import {
  type Asked,
  afresh,
  alone,
  applyInstall,
  beyond,
  type ClientState,
  clientState,
  coverage,
  diffOf,
  type FoundAgent,
  findAgent,
  findAgents,
  type InstallPlan,
  installClient,
  installedClient,
  isSameContent,
  leftOut,
  planInstall,
  wireable,
} from '../install/index.ts'
import { canAsk, chosenOf, isAgreed, line, lostWords, MARKS, showDiff, title } from './changes.ts'
import { type Command, type Input, stringFlag } from './command.ts'
import { howToReach } from './reachable.ts'
import { cyan, dim, out, paragraph, plain, short, yellow } from './terminal.ts'

export const install: Command = {
  name: 'install',
  summary: 'Wire the hooks of the agents that are here',
  usage: '[agent…] [--dry-run] [--yes] [--with Event,…] [--no-statusline] [--json]',
  takes: Infinity,
  options: {
    'dry-run': { type: 'boolean', help: 'Show what would be written, and write nothing' },
    yes: { type: 'boolean', short: 'y', help: 'Write without asking' },
    with: {
      type: 'string',
      value: 'Event,…',
      help: 'Wire these events, too; Event=matcher for those that need one; none for the usual ones again',
    },
    'no-statusline': { type: 'boolean', help: "Leave Claude Code's status line alone" },
    statusline: { type: 'boolean', help: 'Chain it again after --no-statusline' },
    json: { type: 'boolean', help: 'Print the outcome as an array' },
  },
  examples: [
    {
      line: 'gantry install',
      does: 'Says what it would do for every agent found, asks for each, writes; a second run changes nothing',
    },
    { line: 'gantry install claude --dry-run', does: 'Only the diff, and only for Claude Code' },
    {
      line: 'gantry install --yes --with MessageDisplay',
      does: 'Without asking, and with an event that is off by default',
    },
  ],
  run,
}

/** Event → matcher. */
type With = Map<string, string | undefined>

/** What became of one agent. */
type Outcome =
  | { readonly kind: 'planned'; readonly plan: InstallPlan; readonly lost?: readonly string[] }
  | { readonly kind: 'failed'; readonly agent: FoundAgent; readonly why: string }

async function run(input: Input): Promise<number> {
  const { flags, places } = input
  const wanted = parseWith(stringFlag(input, 'with'))
  const chosen = await chooseAgents(input.args)
  if (chosen.length === 0) return nobodyHere(flags.json === true)
  const planFor = (agent: FoundAgent) =>
    planInstall(agent, { places, env: process.env, asked: askedFor(agent, flags, wanted) })
  const outcomes = await Promise.all(chosen.map((agent) => attempt(agent, () => ({ plan: planFor(agent) }))))
  const pending = outcomes.filter(isPending)
  const quiet = flags.json === true
  const isAsked =
    !quiet && !flags['dry-run'] && canAsk() && !(flags.yes && agentMark(process.env) === undefined)
  if (!quiet) for (const outcome of outcomes) show(outcome, flags['dry-run'] === true, !isAsked)

  const agreed = isAsked ? await chosenOf(pending, questionFor, showPlan) : undefined
  const mayWrite = flags['dry-run']
    ? false
    : agreed === undefined
      ? await isAgreed(pending.length > 0, { yes: flags.yes === true, json: quiet })
      : agreed.length > 0 || pending.length === 0
  if (agreed !== undefined && !mayWrite) out('Nothing was written.')
  const chosenOutcomes =
    agreed === undefined ? outcomes : outcomes.filter((one) => !pending.includes(one) || agreed.includes(one))
  const written = mayWrite ? await alone(places, () => write(input, chosenOutcomes, planFor)) : undefined
  const done = written?.outcomes ?? outcomes
  if (quiet)
    out(
      JSON.stringify(
        done.map((one) => report(one, mayWrite)),
        null,
        2,
      ),
    )
  else if (mayWrite) {
    for (const [i, one] of done.entries())
      if (one.kind === 'failed' && chosenOutcomes[i]?.kind !== 'failed') show(one, false, false)
    conclude(done, written?.client)
    if (downSince(places) !== undefined)
      out(`${yellow('!')} gantry is down (gantry down): hooks only spool until ${cyan('gantry up')}`)
  }
  const isRefused = !flags['dry-run'] && !mayWrite
  return isRefused || done.some(({ kind }) => kind === 'failed') ? 1 : 0
}

async function chooseAgents(names: readonly string[]): Promise<FoundAgent[]> {
  const known = wireable()
  for (const name of names) {
    if (known.some(({ id }) => id === name)) continue
    const ids = known.map(({ id }) => id)
    const which = didYouMean(name, ids) ?? `gantry knows: ${ids.join(', ')}`
    throw new GantryError('USAGE', `There is no agent "${name}". ${which}`)
  }
  if (names.length === 0) return findAgents(process.env)
  const wanted = known.filter(({ id }) => names.includes(id))
  return Promise.all(wanted.map(({ id, settings }) => findAgent(id, settings, process.env)))
}

function nobodyHere(json: boolean): number {
  const titles = wireable().map(({ settings }) => settings.title)
  if (json) out('[]')
  else out(`No agent was found here. gantry wires ${titles.join(', ')}: install one, then run this again.`)
  return 1
}

async function attempt(
  agent: FoundAgent,
  work: () => { plan: InstallPlan; lost?: readonly string[] },
): Promise<Outcome> {
  try {
    return { kind: 'planned', ...(await afresh(work)) }
  } catch (error) {
    return { kind: 'failed', agent, why: messageOf(error) }
  }
}

/** `--with` speaks of events; an agent that has none of them keeps what it was asked before. */
function askedFor(agent: FoundAgent, flags: Input['flags'], wanted: With | undefined): Asked {
  const statusLine = flags['no-statusline'] ? false : flags.statusline ? true : undefined
  const own = new Map(
    [...(wanted ?? [])].filter(([event]) => agent.settings.hooks.some((hook) => hook.event === event)),
  )
  return {
    ...(wanted && (wanted.size === 0 || own.size > 0) ? { with: own } : {}),
    ...(statusLine === undefined ? {} : { statusLine }),
  }
}

function parseWith(text: string | undefined): With | undefined {
  if (text === undefined) return undefined
  const wanted: With = new Map()
  for (const part of text === 'none' ? [] : text.split(',')) {
    const [event = '', matcher] = part.trim().split(/=(.*)/s)
    const hooks = wireable().flatMap(({ settings }) => settings.hooks.filter((hook) => hook.event === event))
    const [hook] = hooks
    if (!hook) throw new GantryError('USAGE', `No agent has an event "${event}". docs/events.md lists them.`)
    if (hook.never) throw new GantryError('USAGE', `${event} cannot be wired: ${hook.never}.`)
    if (hook.needsMatcher && !matcher) {
      throw new GantryError(
        'USAGE',
        `${event} has to be told what to watch, for example: --with '${event}=.env|.envrc'`,
      )
    }
    wanted.set(event, matcher)
  }
  return wanted
}

function isPending(outcome: Outcome): boolean {
  return outcome.kind === 'planned' && outcome.plan.kind === 'change' && !isSameFile(outcome.plan.change)
}

function isSameFile({ file, after }: Extract<InstallPlan, { kind: 'change' }>['change']): boolean {
  return isSameContent(file.bytes, after)
}

function questionFor(outcome: Outcome): string {
  const agent = outcome.kind === 'failed' ? outcome.agent : outcome.plan.agent
  return `Wire ${agent.settings.title}?`
}

/** All of it, as it will be written. */
function showPlan(outcome: Outcome): void {
  if (outcome.kind !== 'planned' || outcome.plan.kind !== 'change') return
  showDiff(outcome.plan.change.file.bytes, outcome.plan.change.after, true)
}

function show(outcome: Outcome, whole: boolean, withDiff: boolean): void {
  if (outcome.kind === 'failed') {
    title(MARKS.failed, outcome.agent.settings.title, outcome.agent.version, '')
    line(outcome.why)
    out('')
    return
  }
  const { plan } = outcome
  const { settings, version } = plan.agent
  const isNew = isPending(outcome)
  title(isNew ? MARKS.plan : MARKS.done, settings.title, version, short(plan.file))
  const more = [coverage(plan.agent, plan.events), beyond(plan.agent)].filter(Boolean)
  line(
    isNew ? `wires ${more.join('; ')}; everything else stays as it is` : `already wired: ${more.join('; ')}`,
  )
  const left = leftOut(plan.agent, plan.events)
  if (isNew && left.length > 0) line(`without ${left.map(({ event }) => event).join(', ')}`, dim)
  if (isNew) for (const note of plan.notes) showNote(note)
  const yours = plan.yours.map(({ place }) => place)
  if (yours.length > 0)
    line(
      `${yours.join(', ')} ${yours.length > 1 ? 'are' : 'is'} yours: left as ${yours.length > 1 ? 'they are' : 'it is'}`,
    )
  if (isNew && withDiff && plan.kind === 'change') showDiff(plan.change.file.bytes, plan.change.after, whole)
  out('')
}

/** Words, broken to the width; below them a line to copy, which stays whole. */
function showNote(note: string): void {
  const [words = '', ...toCopy] = note.split('\n')
  out(paragraph('  ', plain(words)))
  for (const text of toCopy) line(text, cyan)
}

interface Written {
  readonly outcomes: readonly Outcome[]
  /** What the hook client was before. */
  readonly client: ClientState
}

/**
 * The client first: no settings may name a program that is not there yet. Then each plan is made anew, since agents
 * write their settings, too, and other installs may have been here while this one waited for its turn or for a person.
 */
async function write(
  { places }: Input,
  outcomes: readonly Outcome[],
  planFor: (agent: FoundAgent) => InstallPlan,
): Promise<Written> {
  const client = installedClient(places, process.env)
  const state = clientState(client)
  const isNeeded = outcomes.some(({ kind }) => kind === 'planned')
  if (isNeeded && state !== 'current') await installClient(client)
  if (isNeeded) keepFirst(places)
  const done: Outcome[] = []
  for (const outcome of outcomes) {
    if (outcome.kind === 'failed') done.push(outcome)
    else {
      const { agent } = outcome.plan
      done.push(
        await attempt(agent, () => {
          const plan = planFor(agent)
          return { plan, lost: plan.kind === 'change' ? applyInstall(places, plan.change) : [] }
        }),
      )
    }
  }
  return { outcomes: done, client: state }
}

/** For a start by a hook before the first `gantry up`, which then has its say. */
function keepFirst(places: Places): void {
  if (keptEnvironment(places) !== undefined || agentMark(process.env) !== undefined) return
  keepEnvironment(places, ownersEnvironment(process.env))
}

function conclude(outcomes: readonly Outcome[], state: ClientState | undefined): void {
  if (state === 'outdated') out(`${MARKS.done} the hook client is up to date again`)
  const written = outcomes.filter(isPending)
  for (const outcome of written) {
    if (outcome.kind !== 'planned') continue
    const { settings } = outcome.plan.agent
    out(`${MARKS.done} ${settings.title} is wired`)
    for (const name of outcome.lost ?? []) line(lostWords(name))
    if (settings.next) out(paragraph(`  ${cyan('→')} `, plain(settings.next)))
  }
  if (written.length > 0) {
    for (const text of howToReach()) out(text)
    out(
      `\nNext: ${cyan('gantry events --follow')} shows hooks as they come; ${cyan('gantry uninstall')} takes all of it back.`,
    )
  }
}

function report(outcome: Outcome, isWritten: boolean): Record<string, unknown> {
  if (outcome.kind === 'failed') {
    const { id, version = null } = outcome.agent
    return { agent: id, version, status: 'failed', message: outcome.why }
  }
  const { agent, file, events, notes, yours } = outcome.plan
  const isNew = isPending(outcome)
  return {
    agent: agent.id,
    version: agent.version ?? null,
    file,
    status: isNew ? (isWritten ? 'written' : 'planned') : 'wired',
    events,
    left: leftOut(agent, events),
    notes,
    yours: yours.map(({ place }) => place),
    diff:
      outcome.plan.kind === 'change'
        ? diffOf(outcome.plan.change.file.bytes, outcome.plan.change.after).join('\n')
        : '',
  }
}
