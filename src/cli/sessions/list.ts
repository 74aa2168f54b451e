/** Lists sessions: as a table, JSON, another tool's format, or of all hosts. */
import { call, callByName, type FleetHost, type SessionView } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import type { Input } from '../framework/define.ts'
import {
  age,
  bold,
  columns,
  counted,
  dim,
  note,
  out,
  outJson,
  paragraph,
  plain,
  yellow,
} from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import { type Filter, filterOf, isFiltered, mustBeKnown } from './filter.ts'
import type * as commands from './index.ts'
import { tableOf } from './table.ts'
import { watchSessions } from './watch.ts'

export async function run(input: Input<typeof commands.sessions>): Promise<number> {
  const { places, flags } = input
  const { dialect = 'gantry' } = flags
  const passes = filterOf(flags)
  if (flags.fleet) return showFleet(input, passes)
  if (isFiltered(flags)) await mustBeKnown(flags, await listOf(places, true))
  if (flags.watch) {
    if (dialect !== 'gantry') throw usageError("--watch has gantry's own words: leave --dialect out.")
    return watchSessions({ places, passes, all: flags.all, json: flags.json })
  }
  const list = (await listOf(places, flags.all)).filter(passes)
  if (dialect !== 'gantry') await showDialect(input, dialect, list)
  else if (flags.json) outJson(list)
  else if (list.length > 0) showTable(list)
  else if (isFiltered(flags)) out('No session matches. "gantry sessions" lists all of them.')
  else out(paragraph('', nothing((await listOf(places, true)).length)))
  return 0
}

async function listOf(places: Places, all: boolean): Promise<SessionView[]> {
  return await call(places, 'sessions.list', { all })
}

function showTable(list: readonly SessionView[]): void {
  const table = tableOf(list, columns(Number.POSITIVE_INFINITY), Date.now())
  out([table.header, ...list.map(table.row)].join('\n'))
}

function nothing(ended: number): string {
  if (ended === 0)
    return 'No sessions. Start an agent whose hooks are wired; "gantry doctor" shows which are.'
  const have = ended === 1 ? 'has' : 'have'
  return `No session is running; ${counted(ended, 'session')} ${have} ended: gantry sessions --all`
}

/** Another tool's records lack fields to filter by, so they are matched by id. */
async function showDialect(
  { places, flags }: Input<typeof commands.sessions>,
  dialect: string,
  list: readonly SessionView[],
): Promise<void> {
  const shown = new Set(list.map(({ agent, id }) => `${agent} ${id}`))
  const found = await callByName(places, 'sessions.list', { dialect, all: flags.all })
  const kept = (found as { id: string; agent: string }[]).filter(({ agent, id }) =>
    shown.has(`${agent} ${id}`),
  )
  outJson(kept)
}

async function showFleet(
  { places, flags }: Input<typeof commands.sessions>,
  passes: Filter,
): Promise<number> {
  if (flags.all || flags.dialect !== undefined || flags.watch)
    throw usageError(
      "--fleet shows living sessions once, in gantry's own words. Leave --all, --dialect and --watch out.",
    )
  const fleet = await call(places, 'fleet.sessions')
  const list = fleet.sessions.filter(passes)
  if (fleet.problem !== null) note(`only this host: ${fleet.problem}`)
  if (flags.json) return outJson({ ...fleet, sessions: list })
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
