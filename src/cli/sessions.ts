/** What every session is doing, and which one needs you. */
import { call, type FleetHost, type FleetSessions, type SessionView } from '../client/index.ts'
import { didYouMean } from '../core/closest.ts'
import { GantryError } from '../core/errors.ts'
import { type Command, type Input, stringFlag } from './command.ts'
import { tableOf } from './session-table.ts'
import { FILTER_OPTIONS, type Filter, filterOf, isFiltered, mustBeKnown } from './sessions-filter.ts'
import { watchSessions } from './sessions-watch.ts'
import { age, bold, columns, counted, dim, note, out, plain, yellow } from './terminal.ts'

const DIALECTS = ['gantry', 'coop', 'atm', 'engine', 'teleclaude']

export const sessions: Command = {
  name: 'sessions',
  summary: 'Show what every session is doing',
  usage:
    '[--watch] [--needs] [--agent <agent>] [--project <project>] [--all] [--json] [--dialect gantry|coop|atm|engine|teleclaude] [--fleet]',
  options: {
    watch: { type: 'boolean', short: 'w', help: 'Stay, and show every change; q or Ctrl-C ends it' },
    ...FILTER_OPTIONS,
    all: { type: 'boolean', short: 'a', help: 'Also sessions that have ended' },
    dialect: { type: 'string', value: 'name', help: 'In the words of another tool (as JSON)' },
    fleet: {
      type: 'boolean',
      help: 'Those of all hosts on the same NATS; as JSON an object with hosts and sessions',
    },
    json: { type: 'boolean', help: 'Print an array of records; with --watch a record a line' },
  },
  examples: [
    { line: 'gantry sessions', does: 'Those that need you first' },
    { line: 'gantry sessions --watch --needs', does: 'Who waits for you, as it changes' },
    { line: 'gantry sessions --project . --agent claude', does: 'Those of Claude Code in this project' },
    { line: 'gantry sessions --json | jq -r ".[] | select(.needsYou) | .name"', does: 'Who waits for you' },
    { line: 'gantry sessions --dialect coop', does: 'The states that Coop knows' },
    { line: 'gantry sessions --fleet', does: 'Every host, and since when one is silent' },
  ],
  async run(input) {
    const { places, flags } = input
    const dialect = stringFlag(input, 'dialect') ?? 'gantry'
    if (!DIALECTS.includes(dialect)) {
      const which = didYouMean(dialect, DIALECTS) ?? `There are: ${DIALECTS.join(', ')}`
      throw new GantryError('USAGE', `There is no dialect "${dialect}". ${which}`)
    }
    const passes = filterOf(input)
    if (flags.fleet) return showFleet(input, passes)
    if (isFiltered(input)) await mustBeKnown(input, await listOf(input, true))
    if (flags.watch) {
      if (dialect !== 'gantry')
        throw new GantryError('USAGE', "--watch has gantry's own words: leave --dialect out.")
      return watchSessions({ places, passes, all: flags.all === true, json: flags.json === true })
    }
    const list = (await listOf(input, flags.all === true)).filter(passes)
    if (dialect !== 'gantry') await showDialect(input, dialect, list)
    else if (flags.json) out(JSON.stringify(list, null, 2))
    else if (list.length > 0) showTable(list)
    else out(nothing(input))
    return 0
  },
}

async function listOf({ places }: Input, all: boolean): Promise<SessionView[]> {
  return (await call(places, 'sessions.list', { all })) as SessionView[]
}

function showTable(list: readonly SessionView[]): void {
  const table = tableOf(list, columns(Number.POSITIVE_INFINITY), Date.now())
  out([table.header, ...list.map(table.row)].join('\n'))
}

function nothing(input: Input): string {
  return isFiltered(input)
    ? 'No session matches. "gantry sessions" lists all of them.'
    : 'No sessions. Start an agent whose hooks are wired; "gantry doctor" shows which are.'
}

/** Records of another tool say less than a filter needs: they are taken by their ids. */
async function showDialect(
  { places, flags }: Input,
  dialect: string,
  list: readonly SessionView[],
): Promise<void> {
  const shown = new Set(list.map(({ agent, id }) => `${agent} ${id}`))
  const found = await call(places, 'sessions.list', { dialect, all: flags.all === true })
  const kept = (found as { id: string; agent: string }[]).filter(({ agent, id }) =>
    shown.has(`${agent} ${id}`),
  )
  out(JSON.stringify(kept, null, 2))
}

async function showFleet({ places, flags }: Input, passes: Filter): Promise<number> {
  if (flags.all || flags.dialect !== undefined || flags.watch)
    throw new GantryError(
      'USAGE',
      "--fleet shows living sessions once, in gantry's own words. Leave --all, --dialect and --watch out.",
    )
  const fleet = (await call(places, 'fleet.sessions')) as FleetSessions
  const list = fleet.sessions.filter(passes)
  if (fleet.problem !== null) note(`only this host: ${fleet.problem}`)
  if (flags.json) {
    out(JSON.stringify({ ...fleet, sessions: list }, null, 2))
    return 0
  }
  const table = tableOf(list, columns(Number.POSITIVE_INFINITY), Date.now())
  if (list.length > 0) out(table.header)
  for (const host of fleet.hosts) {
    out(hostLine(host))
    for (const session of list) if (session.host === host.host) out(table.row(session))
  }
  return 0
}

function hostLine({ host, state, heardAt, self, version, sessions: count }: FleetHost): string {
  const name = bold(plain(host))
  const many = counted(count, 'session')
  if (state === 'here')
    return `${name}  ${dim(`${self ? 'this host' : `gantry ${plain(version)}`} · ${many}`)}`
  const since = `since ${new Date(heardAt).toLocaleString('sv')} (${age(Date.now() - heardAt)})`
  const colour = state === 'silent' ? yellow : dim
  return `${name}  ${colour(`${state} ${since}`)}${dim(` · ${many} then`)}`
}
