/** Wires the agents on this machine: plan, diff, confirm, back up, write, receipt. */
import { agentMark } from '../../agents/inside-agent.ts'
import { ANSWER_MS, call } from '../../client/index.ts'
import { downSince } from '../../client/kept-down.ts'
import { keepEnvironment, keptEnvironment, ownersEnvironment } from '../../client/kept-environment.ts'
import { messageOf } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { tookWords } from '../../core/text/amount.ts'
import {
  type Asked,
  applyInstall,
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
  moreInNewer,
  planInstall,
  retryIfChanged,
  sendCanary,
  unwiredEvents,
  wireable,
  withInstallLock,
} from '../../install/index.ts'
import { howToReach } from '../daemon/reachable.ts'
import type { Input } from '../framework/define.ts'
import {
  cyan,
  dim,
  isTerminal,
  out,
  outJson,
  paragraph,
  plain,
  short,
  yellow,
} from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import { agentsOf, chosenOf, isAgreed, line, lostWords, MARKS, showDiff, title } from './changes.ts'
import type * as commands from './index.ts'

/** Event → matcher. */
type With = Map<string, string | undefined>

/** The outcome for one agent. */
type Outcome =
  | { readonly kind: 'planned'; readonly plan: InstallPlan; readonly lost?: readonly string[] }
  | { readonly kind: 'failed'; readonly agent: FoundAgent; readonly why: string }

export async function run(input: Input<typeof commands.install>): Promise<number> {
  const { flags, places } = input
  if (flags.verify) return verify(input)
  const wanted = parseWith(flags.with)
  const chosen = await chooseAgents(input.args.agent)
  if (chosen.length === 0) return nobodyHere(flags.json)
  const planFor = (agent: FoundAgent) =>
    planInstall(agent, { places, env: process.env, asked: askedFor(agent, flags, wanted) })
  const outcomes = await Promise.all(chosen.map((agent) => attempt(agent, () => ({ plan: planFor(agent) }))))
  const pending = outcomes.filter(isPending)
  const quiet = flags.json
  const isAsked =
    !quiet && !flags['dry-run'] && isTerminal() && !(flags.yes && agentMark(process.env) === undefined)
  if (!quiet) for (const outcome of outcomes) show(outcome, flags['dry-run'], !isAsked)

  const agreed = isAsked ? await chosenOf(pending, questionFor, showPlan) : undefined
  const mayWrite = flags['dry-run']
    ? false
    : agreed === undefined
      ? await isAgreed(pending.length > 0, { yes: flags.yes, json: quiet })
      : agreed.length > 0 || pending.length === 0
  if (agreed !== undefined && !mayWrite) out('Nothing was written.')
  const chosenOutcomes =
    agreed === undefined ? outcomes : outcomes.filter((one) => !pending.includes(one) || agreed.includes(one))
  const written = mayWrite
    ? await withInstallLock(places, () => write(places, chosenOutcomes, planFor))
    : undefined
  const done = written?.outcomes ?? outcomes
  if (quiet) outJson(done.map((one) => report(one, mayWrite)))
  else if (mayWrite) {
    for (const [i, one] of done.entries())
      if (one.kind === 'failed' && chosenOutcomes[i]?.kind !== 'failed') show(one, false, false)
    conclude(done, written?.client)
    if (agentMark(process.env) === undefined)
      await (await import('../decisions/guards.ts')).choosePreset(places, isAsked)
    await tryHooks(
      places,
      done.flatMap((one) => (one.kind === 'planned' ? one.plan : [])),
      isAsked,
    )
    if (downSince(places) !== undefined)
      out(`${yellow('!')} gantry is down (gantry down): hooks only spool until ${cyan('gantry up')}`)
  }
  const isRefused = !flags['dry-run'] && !mayWrite
  return isRefused || done.some(({ kind }) => kind === 'failed') ? 1 : 0
}

/** `--verify`: tries what is installed. */
async function verify({ args, flags, places }: Input<typeof commands.install>): Promise<number> {
  const chosen = await chooseAgents(args.agent)
  const plans = await Promise.all(
    chosen.map((agent) =>
      attempt(agent, () => ({ plan: planInstall(agent, { places, env: process.env, asked: {} }) })),
    ),
  )
  const wired = plans.flatMap((one) => (one.kind === 'planned' && !isPending(one) ? one.plan : []))
  if (!flags.json && wired.length === 0) {
    out('No agent is wired. Run: gantry install')
    return 1
  }
  if (flags.json) {
    const client = installedClient(places, process.env)
    const tried = await Promise.all(
      wired.map(async (plan) => ({ agent: plan.agent.id, ...(await sendCanary(plan, places, client)) })),
    )
    outJson(tried)
    return tried.some(({ kind }) => kind === 'failed') ? 1 : 0
  }
  return (await tryHooks(places, wired, true)) ? 0 : 1
}

/** Proves each hook by an event of its own. Where gantry does not run, only a person's own install may start it. */
async function tryHooks(places: Places, plans: readonly InstallPlan[], mayStart: boolean): Promise<boolean> {
  if (plans.length === 0 || downSince(places) !== undefined) return true
  if (!mayStart && !(await isUp(places))) {
    out(`Not tried, because gantry does not run: ${cyan('gantry up && gantry install --verify')}`)
    return true
  }
  const client = installedClient(places, process.env)
  const outcomes = await Promise.all(plans.map((plan) => sendCanary(plan, places, client)))
  for (const [i, outcome] of outcomes.entries()) {
    const { id, settings } = (plans[i] as InstallPlan).agent
    if (outcome.kind === 'arrived')
      out(`${MARKS.done} ${settings.title}: its hook reached gantry (${tookWords(outcome.ms)})`)
    else if (outcome.kind === 'failed')
      out(
        paragraph(
          `${MARKS.failed} `,
          plain(`${settings.title}: its hook does not work: ${outcome.why}. Run: gantry doctor`),
        ),
      )
    else
      out(
        paragraph(
          '  ',
          `${settings.title}: start it once; ${cyan('gantry coverage')} then shows its calls as guarded`,
        ),
      )
    if (outcome.kind === 'arrived' && settings.next)
      line(`whether ${id} itself runs it: start it once, then ${cyan('gantry coverage')}`, dim)
  }
  return outcomes.every(({ kind }) => kind !== 'failed')
}

async function isUp(places: Places): Promise<boolean> {
  return call(places, 'status', {}, { deadlineMs: ANSWER_MS }).then(
    () => true,
    () => false,
  )
}

async function chooseAgents(names: readonly string[]): Promise<FoundAgent[]> {
  if (names.length === 0) return findAgents(process.env)
  return Promise.all(agentsOf(names).map(({ id, settings }) => findAgent(id, settings, process.env)))
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
    return { kind: 'planned', ...(await retryIfChanged(work)) }
  } catch (error) {
    return { kind: 'failed', agent, why: messageOf(error) }
  }
}

/** `--with` names events; an agent that has none of them keeps its earlier choice. */
function askedFor(
  agent: FoundAgent,
  flags: Input<typeof commands.install>['flags'],
  wanted: With | undefined,
): Asked {
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
    if (!hook) throw usageError(`No agent has an event "${event}". docs/events.md lists them.`)
    if (hook.never) throw usageError(`${event} cannot be wired: ${hook.never}.`)
    if (hook.needsMatcher && !matcher) {
      throw usageError(`${event} has to be told what to watch, for example: --with '${event}=.env|.envrc'`)
    }
    wanted.set(event, matcher)
  }
  return wanted
}

function isPending(outcome: Outcome): boolean {
  if (outcome.kind !== 'planned' || outcome.plan.kind !== 'change') return false
  const { file, after } = outcome.plan.change
  return !isSameContent(file.bytes, after)
}

function questionFor(outcome: Outcome): string {
  const agent = outcome.kind === 'failed' ? outcome.agent : outcome.plan.agent
  return `Wire ${agent.settings.title}?`
}

/** The whole diff. */
function showPlan(outcome: Outcome): void {
  if (outcome.kind !== 'planned' || outcome.plan.kind !== 'change') return
  showDiff(outcome.plan.change.file.bytes, outcome.plan.change.after, true)
}

function show(outcome: Outcome, whole: boolean, withDiff: boolean): void {
  if (outcome.kind === 'failed') {
    title(MARKS.failed, outcome.agent.settings.title, outcome.agent.version, '')
    line(short(outcome.why))
    out('')
    return
  }
  const { plan } = outcome
  const { settings, version } = plan.agent
  const isNew = isPending(outcome)
  title(isNew ? MARKS.plan : MARKS.done, settings.title, version, short(plan.file))
  const more = [coverage(plan.agent, plan.events), moreInNewer(plan.agent)].filter(Boolean)
  line(
    isNew ? `wires ${more.join('; ')}; everything else stays as it is` : `already wired: ${more.join('; ')}`,
  )
  const left = unwiredEvents(plan.agent, plan.events)
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

/** Wraps the text; a line to copy below it is not wrapped. */
function showNote(note: string): void {
  const [words = '', ...toCopy] = note.split('\n')
  out(paragraph('  ', plain(words)))
  for (const text of toCopy) out(`  ${cyan(plain(text))}`)
}

interface Written {
  readonly outcomes: readonly Outcome[]
  /** The hook client's state before. */
  readonly client: ClientState
}

/**
 * Installs the client first: settings must not name a missing program. Then plans again, since agents and other installs may
 * have changed the settings while this one waited for the lock or for the user.
 */
async function write(
  places: Places,
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

/** For a daemon that a hook starts before the first `gantry up`. */
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
    const next = `${cyan('gantry events --follow')} shows hooks as they come; ${cyan('gantry uninstall')} takes all of it back.`
    out(`\n${paragraph('Next: ', next)}`)
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
    left: unwiredEvents(agent, events),
    notes,
    yours: yours.map(({ place }) => place),
    diff:
      outcome.plan.kind === 'change'
        ? diffOf(outcome.plan.change.file.bytes, outcome.plan.change.after).join('\n')
        : '',
  }
}
