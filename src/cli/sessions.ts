/** What every session is doing, and which one needs you. */
import { call, type FleetHost, type FleetSessions, type SessionView } from '../client/index.ts'
import { GantryError } from '../errors.ts'
import { type Command, type Input, stringFlag } from './command.ts'
import {
  bare,
  bold,
  columns,
  cut,
  dim,
  duration,
  elide,
  green,
  magenta,
  note,
  out,
  plain,
  red,
  widthOf,
  yellow,
} from './terminal.ts'

const DIALECTS = ['gantry', 'coop', 'atm', 'engine', 'teleclaude']

export const sessions: Command = {
  name: 'sessions',
  summary: 'Show what every session is doing',
  usage: '[--json] [--dialect gantry|coop|atm|engine|teleclaude] [--all] [--fleet]',
  options: {
    all: { type: 'boolean', short: 'a', help: 'Also sessions that have ended' },
    dialect: { type: 'string', value: 'name', help: 'In the words of another tool (as JSON)' },
    fleet: {
      type: 'boolean',
      help: 'Those of all hosts on the same NATS; as JSON an object with hosts and sessions',
    },
    json: { type: 'boolean', help: 'Print an array of records' },
  },
  examples: [
    { line: 'gantry sessions', does: 'Those that need you first' },
    { line: 'gantry sessions --json | jq -r ".[] | select(.needsYou) | .name"', does: 'Who waits for you' },
    { line: 'gantry sessions --dialect coop', does: 'The states that Coop knows' },
    { line: 'gantry sessions --fleet', does: 'Every host, and since when one is silent' },
  ],
  async run(input) {
    const dialect = stringFlag(input, 'dialect') ?? 'gantry'
    if (!DIALECTS.includes(dialect)) {
      throw new GantryError('USAGE', `There is no dialect "${dialect}". There are: ${DIALECTS.join(', ')}`)
    }
    if (input.flags.fleet) return showFleet(input)
    const found = await call(input.places, 'sessions.list', { dialect, all: input.flags.all === true })
    if (input.flags.json || dialect !== 'gantry') {
      out(JSON.stringify(found, null, 2))
      return 0
    }
    const list = found as SessionView[]
    if (list.length === 0)
      out('No sessions. Start an agent whose hooks are wired; "gantry doctor" shows which are.')
    for (const session of list) out(lineOf(session))
    return 0
  },
}

async function showFleet({ places, flags }: Input): Promise<number> {
  if (flags.all || flags.dialect !== undefined)
    throw new GantryError(
      'USAGE',
      "--fleet shows living sessions in gantry's own words. Leave --all and --dialect out.",
    )
  const fleet = (await call(places, 'fleet.sessions')) as FleetSessions
  if (fleet.problem !== null) note(`only this host: ${fleet.problem}`)
  if (flags.json) {
    out(JSON.stringify(fleet, null, 2))
    return 0
  }
  for (const host of fleet.hosts) {
    out(hostLine(host))
    for (const session of fleet.sessions) if (session.host === host.host) out(lineOf(session))
  }
  return 0
}

function hostLine({ host, state, heardAt, self, version, sessions: count }: FleetHost): string {
  const name = bold(plain(host))
  const many = `${count} ${count === 1 ? 'session' : 'sessions'}`
  if (state === 'here')
    return `${name}  ${dim(`${self ? 'this host' : `gantry ${plain(version)}`} · ${many}`)}`
  const since = `since ${new Date(heardAt).toLocaleString('sv')} (${duration(Date.now() - heardAt)})`
  const colour = state === 'silent' ? yellow : dim
  return `${name}  ${colour(`${state} ${since}`)}${dim(` · ${many} then`)}`
}

function lineOf(session: SessionView): string {
  const age = duration(Date.now() - session.lastActivity)
  const [approval] = session.approvals ?? []
  const ask = approval && `approve ${approval.id}: ${bare(approval.tool)} `
  const state = (session.attention[0]?.reason ?? session.detail ?? '').replace(/\s+/g, ' ')
  const head = plain(`${session.name.padEnd(18)} ${session.agent.padEnd(8)} `)
  const phase = session.phase.padEnd(10)
  const tail = `${usageOf(session)} ${age.padStart(9)}  `
  const room = Math.max(10, columns() - head.length - phase.length - tail.length - 4)
  const what = ask
    ? ask + elide(bare(approval.line), Math.max(10, room - widthOf(ask)))
    : cut(plain([state, session.lastPrompt].filter(Boolean).join(' · ')), room)
  return `${markOf(session)} ${bold(head)}${colourOf(session)(phase)} ${dim(tail)}${what}`
}

function usageOf({ usage }: SessionView): string {
  const pct = usage.contextPct === undefined ? '' : `${Math.round(usage.contextPct)}%`
  const cost =
    usage.costUsd === undefined ? '' : `${usage.costEstimated ? '~' : ''}$${usage.costUsd.toFixed(2)}`
  return `${pct.padStart(4)} ${cost.padStart(7)}`
}

function markOf(session: SessionView): string {
  if (session.needsYou) return yellow('▲')
  return session.phase === 'working' ? green('●') : dim('○')
}

function colourOf(session: SessionView): (text: string) => string {
  if (session.error || session.attention.some(({ kind }) => kind === 'error')) return red
  if (session.phase === 'blocked') return yellow
  if (session.phase === 'compacting') return magenta
  return session.phase === 'working' ? green : dim
}
