/** Findings of `gantry doctor` about each installed agent. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Env, type HookClient, knownHooks } from '../../agents/index.ts'
import type { Finding, WireEvent } from '../../client/index.ts'
import { messageOf } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { age } from '../../core/text/amount.ts'
import { isSameContent } from '../change.ts'
import { yoursFindings } from '../changed-entries.ts'
import { pointersIn } from '../edit/pointers.ts'
import { settingsIn } from '../edit/settings-text.ts'
import { type FoundAgent, findAgents, wireable } from '../find.ts'
import { countForeign } from '../foreign.ts'
import { clientState, installedClient } from '../hook-client.ts'
import { type InstallPlan, planInstall } from '../install.ts'
import { readReceipts } from '../receipt.ts'
import { coverage, moreInNewer } from '../show.ts'
import { askTrust } from '../trust.ts'

/** The newest event of an agent; empty if none, undefined if the daemon is down. */
export type LastEvent = (agent: string) => Promise<readonly Pick<WireEvent, 'type' | 'at'>[] | undefined>

interface AgentsInput {
  readonly places: Places
  readonly env: Env
  readonly cwd: string
  readonly lastEvent: LastEvent
}

export async function examineAgents(input: AgentsInput): Promise<Finding[]> {
  const found = await findAgents(input.env)
  if (found.length === 0) {
    const titles = wireable().map(({ settings }) => settings.title)
    return [{ level: 'ok', about: 'agents', message: `none found here; gantry wires ${titles.join(', ')}` }]
  }
  const lines = await Promise.all(found.map((agent) => examineAgent(agent, input)))
  return [...examineClient(input), ...lines.flat()]
}

/** Only if somebody's settings name the client. */
function examineClient({ places, env }: AgentsInput): Finding[] {
  if (!wireable().some(({ id }) => isWired(places, id))) return []
  const client = installedClient(places, env)
  const state = clientState(client)
  if (state === 'current') return [{ level: 'ok', about: 'client', message: `agents start ${client.path}` }]
  const level = state === 'missing' ? 'fail' : 'warn'
  const message =
    state === 'missing'
      ? `agents start ${client.path}, which is gone`
      : `${client.path} is not of this gantry`
  return [{ level, about: 'client', message, fix: 'gantry install' }]
}

async function examineAgent(agent: FoundAgent, input: AgentsInput): Promise<Finding[]> {
  const { id, settings, version } = agent
  const name = [settings.title, version].filter(Boolean).join(' ')
  const finding = (level: Finding['level'], message: string, fix?: string): Finding => {
    return { level, about: id, message, ...(fix === undefined ? {} : { fix }) }
  }
  let plan: InstallPlan
  try {
    plan = planInstall(agent, { ...input, asked: {} })
  } catch (error) {
    return [finding('fail', ...refusal(messageOf(error), id))]
  }
  const client = installedClient(input.places, input.env)
  const beside = foreignLine(agent, client, input, plan)
  if (!isWired(input.places, id)) {
    return [
      finding('warn', `${name} is here, but not wired`, `gantry install ${id}`),
      ...leftBehind(input, id).map((text) => finding('warn', text, LEFT_FIX)),
      ...beside.map((text) => finding('ok', text)),
    ]
  }
  const isComplete = plan.kind === 'wired' || isSameContent(plan.change.file.bytes, plan.change.after)
  // Here and in the agent's environment PATH may differ: no reason to wire less.
  const isUnsure = version === undefined && eventsBeyond(agent, plan, client).length > 0
  const lines = [
    isComplete
      ? finding(
          'ok',
          `${[`${name}: ${coverage(agent, plan.events)} wired`, moreInNewer(agent), await lastSeen(id, input.lastEvent)].filter(Boolean).join('; ')}`,
        )
      : isUnsure
        ? finding(
            'warn',
            `${name}: its version is unknown, so it may not support all wired events`,
            `Put "${settings.programs[0]}" on PATH, then run: gantry doctor`,
          )
        : finding(...incomplete(agent, plan, client, name), `gantry install ${id}`),
  ]
  if (version === undefined && !isUnsure) {
    lines.push(
      finding(
        'warn',
        `its version is unknown, so it is treated as ${settings.versions[0]}`,
        `Put "${settings.programs[0]}" on PATH, then run: gantry install ${id}`,
      ),
    )
  }
  lines.push(...yoursFindings(plan))
  const off = switchedOff(agent)
  if (off) lines.push(finding('warn', `no hook runs: ${off}`, 'Change it there'))
  return [...lines, ...(await trustLine(agent, client, input)), ...beside.map((text) => finding('ok', text))]
}

/**
 * Splits install's refusal, `… is read-only. Nothing was written. To let gantry change it: chmod …`, into problem and
 * fix.
 */
function refusal(words: string, agent: string): [what: string, todo: string] {
  const said = words.replace(' Nothing was written.', '')
  const end = words === said ? said.indexOf('. ') : words.indexOf('. Nothing was written.')
  const todo = end < 0 ? '' : said.slice(end + 2).replace(/\.$/, '')
  return [
    end < 0 ? said : said.slice(0, end),
    todo.replace(/ and run this again/, `, then run: gantry install ${agent}`) ||
      `gantry install ${agent} --dry-run`,
  ]
}

function isWired(places: Places, agent: string): boolean {
  try {
    return readReceipts(places, agent).some(({ receipt }) => !receipt.removed)
  } catch {
    return true // an unreadable receipt still counts
  }
}

const LEFT_FIX = 'Remove it by hand, then run: gantry uninstall'

/** After an uninstall: entries that stayed because somebody had changed them. */
function leftBehind({ places, env }: AgentsInput, agent: string): string[] {
  const client = installedClient(places, env)
  return readReceipts(places, agent).flatMap(({ receipt: { file, removed } }) => {
    const left = removed && existsSync(file) ? pointersIn(readFileSync(file), file, client, env) : []
    return left.length === 0
      ? []
      : [`uninstalled, but ${left.join(', ')} in ${file} still starts ${client.path}`]
  })
}

/** An unknown event is worse than a missing one: Claude Code 2.0.77 then runs no hook at all. */
function incomplete(
  agent: FoundAgent,
  plan: InstallPlan,
  client: HookClient,
  name: string,
): [Finding['level'], string] {
  const unknown = eventsBeyond(agent, plan, client)
  if (unknown.length > 0)
    return ['fail', `${name} does not know ${unknown.length} of the events it is wired for`]
  if (!isPinned(plan.file, client))
    return [
      'warn',
      `${name}: ${plan.file} starts the hook client without --home, so a GANTRY_HOME in a project's environment leads it elsewhere`,
    ]
  return [
    'warn',
    `${name}: the wiring in ${plan.file} is not what this version supports (${coverage(agent, plan.events)})`,
  ]
}

/** Wired events that the agent's version does not know. */
function eventsBeyond(agent: FoundAgent, plan: InstallPlan, client: HookClient): string[] {
  const ours = agent.settings.recognise(settingsNow(plan.file), client)
  const events = ours.flatMap(({ kind, path }) => (kind === 'append' ? (path.at(-1) ?? '') : []))
  const known = knownHooks(agent.settings, agent.version)
  return events.filter((event) => !known.some((hook) => hook.event === event))
}

/** Installs of the first release had no --home, unless gantry used its own folder. */
function isPinned(file: string, { home = '' }: HookClient): boolean {
  return existsSync(file) && readFileSync(file, 'utf8').includes(JSON.stringify(home).slice(1, -1))
}

function settingsNow(file: string): unknown {
  try {
    return existsSync(file) ? settingsIn(readFileSync(file, 'utf8'), file) : undefined
  } catch {
    return undefined
  }
}

async function lastSeen(agent: string, lastEvent: LastEvent): Promise<string> {
  const events = await lastEvent(agent)
  if (events === undefined) return 'last event unknown while the daemon is down'
  const [event] = events
  if (!event) return 'no event yet'
  return `last event ${event.type} ${age(Date.now() - event.at)} ago`
}

async function trustLine(
  agent: FoundAgent,
  client: HookClient,
  { env, cwd }: AgentsInput,
): Promise<Finding[]> {
  const { id, settings, programs } = agent
  const [program] = programs
  if (!settings.trust || !program) return []
  const hooks = await askTrust(program.path, settings.trust, { client, env, cwd })
  if (!hooks) {
    return [
      {
        level: 'warn',
        about: id,
        message: 'it did not say which hooks it trusts',
        fix: `See /hooks in ${program.path}`,
      },
    ]
  }
  if (hooks.length === 0) {
    return [
      {
        level: 'warn',
        about: id,
        message: 'it does not list any hook of gantry',
        fix: `Look for what switches hooks off in ${agent.folder}`,
      },
    ]
  }
  const others = hooks.filter(({ trusted }) => !trusted)
  if (others.length === 0)
    return [{ level: 'ok', about: id, message: `all ${hooks.length} hooks are trusted` }]
  const kinds = [...new Set(others.map(({ status }) => status))].join(', ')
  const message = `${others.length} of ${hooks.length} hooks do not run (${kinds}): ${others.map(({ event }) => event).join(', ')}`
  return [{ level: 'warn', about: id, message, ...(settings.next ? { fix: settings.next } : {}) }]
}

function foreignLine(
  agent: FoundAgent,
  client: HookClient,
  { env, cwd }: AgentsInput,
  plan: InstallPlan,
): string[] {
  const { user, project } = countForeign(agent, { client, env, cwd }, plan.file)
  const parts = [user > 0 && `${user} in your settings`, project > 0 && `${project} in this project`].filter(
    Boolean,
  )
  return parts.length === 0 ? [] : [`hooks of others: ${parts.join(', ')}; left alone`]
}

/** The switch may be in another file than the hooks. */
function switchedOff({ settings, folder }: FoundAgent): string | undefined {
  for (const name of settings.hookFiles.user) {
    const file = join(folder, name)
    const why = name.includes('*') ? undefined : settings.switchedOff?.(settingsNow(file))
    if (why) return `${why} in ${file}`
  }
  return undefined
}
