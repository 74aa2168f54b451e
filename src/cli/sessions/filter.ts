/** Filters sessions by `--needs`, `--agent` and `--project`. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { SessionView } from '../../client/index.ts'
import type { GantryError } from '../../core/errors.ts'
import { expandHome, homeOf, isInside } from '../../core/files/paths.ts'
import { whichOf } from '../../core/text/closest.ts'
import { usageError } from '../framework/usage.ts'

interface Filters {
  readonly needs: boolean
  readonly agent: string | undefined
  readonly project: string | undefined
}

export type Filter = (session: SessionView) => boolean

export function isFiltered(flags: Filters): boolean {
  return flags.needs || flags.agent !== undefined || flags.project !== undefined
}

export function filterOf({ needs, agent, project }: Filters): Filter {
  const isThere = project === undefined ? () => true : inProject(project)
  return (session) =>
    (!needs || session.needsYou) && (agent === undefined || session.agent === agent) && isThere(session)
}

/** Refuses an agent or a project that no session has: it is a typo. */
export async function mustBeKnown({ agent, project }: Filters, all: readonly SessionView[]): Promise<void> {
  const { wireable } = await import('../../install/index.ts') // most lists are shown without it
  const agents = [...new Set([...wireable().map(({ id }) => id), ...all.map((one) => one.agent)])]
  if (agent !== undefined && !agents.includes(agent)) throw unknown('agent', agent, agents)
  if (project === undefined || all.some(inProject(project))) return
  throw unknown('project', folderOf(project) ?? project, [
    ...new Set(all.flatMap((one) => one.project ?? [])),
  ])
}

function unknown(what: string, value: string, there: readonly string[]): GantryError {
  const which = there.length === 0 ? '"gantry sessions --all" lists what there is.' : whichOf(value, there)
  return usageError(`No session is of the ${what} "${value}". ${which}`)
}

/** By name, ignoring case, or by path. */
function inProject(wanted: string): Filter {
  const name = wanted.toLowerCase()
  const folder = folderOf(wanted)
  const isIn = (path = '') => folder !== undefined && isInside(path, folder)
  return ({ project, root, cwd }) => project?.toLowerCase() === name || isIn(root) || isIn(cwd)
}

/** What a path stands for: the repository around it, or itself. Undefined for a name. */
function folderOf(wanted: string): string | undefined {
  if (!/^[.~]|\//.test(wanted)) return undefined
  const folder = resolve(expandHome(wanted))
  const home = homeOf() // whose dotfiles may be in git
  for (let dir = folder; dirname(dir) !== dir && dir !== home; dir = dirname(dir))
    if (existsSync(join(dir, '.git'))) return dir
  return folder
}
