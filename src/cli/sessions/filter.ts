/** Filters sessions by `--needs`, `--agent` and `--project`. */
import { resolve, sep } from 'node:path'
import type { SessionView } from '../../client/index.ts'
import type { GantryError } from '../../core/errors.ts'
import { closest } from '../../core/text/closest.ts'
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
  return (session) =>
    (!needs || session.needsYou) &&
    (agent === undefined || session.agent === agent) &&
    (project === undefined || isIn(session, project))
}

/** Refuses an agent or a project that no session has: it is a typo. */
export async function mustBeKnown({ agent, project }: Filters, all: readonly SessionView[]): Promise<void> {
  const { wireable } = await import('../../install/index.ts') // most lists are shown without it
  const agents = [...new Set([...wireable().map(({ id }) => id), ...all.map((one) => one.agent)])]
  if (agent !== undefined && !agents.includes(agent)) throw unknown('agent', agent, agents)
  if (project === undefined || all.some((session) => isIn(session, project))) return
  throw unknown('project', project, [...new Set(all.flatMap((one) => one.project ?? []))])
}

function unknown(what: string, value: string, there: readonly string[]): GantryError {
  const close = closest(value, there)
  const which = close === undefined ? listed(there) : `Did you mean ${close}?`
  return usageError(`No session is of the ${what} "${value}". ${which}`)
}

const MOST_NAMED = 12

function listed(there: readonly string[]): string {
  if (there.length === 0) return '"gantry sessions --all" lists what there is.'
  const more = there.length > MOST_NAMED ? ` and ${there.length - MOST_NAMED} more` : ''
  return `There are: ${there.slice(0, MOST_NAMED).join(', ')}${more}.`
}

/** By name, ignoring case, or by path. */
function isIn({ project, root, cwd }: SessionView, wanted: string): boolean {
  if (project?.toLowerCase() === wanted.toLowerCase()) return true
  if (!/^[.~]|\//.test(wanted)) return false
  const folder = resolve(wanted.replace(/^~(?=\/|$)/, process.env.HOME ?? '~'))
  return [root, cwd].some((path) => path === folder || path?.startsWith(folder + sep))
}
