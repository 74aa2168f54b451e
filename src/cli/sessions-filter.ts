/** Which sessions are shown: `--needs`, `--agent`, `--project`. */
import { resolve, sep } from 'node:path'
import type { SessionView } from '../client/index.ts'
import { closest } from '../core/closest.ts'
import { GantryError } from '../core/errors.ts'
import { type Input, type Option, stringFlag } from './command.ts'

export const FILTER_OPTIONS: Readonly<Record<string, Option>> = {
  needs: { type: 'boolean', help: 'Only those that need you' },
  agent: { type: 'string', value: 'agent', help: 'Only those of this agent, e.g. claude' },
  project: {
    type: 'string',
    value: 'project',
    help: 'Only those of this project: its name, or a folder (.)',
  },
}

export type Filter = (session: SessionView) => boolean

export function isFiltered({ flags }: Input): boolean {
  return flags.needs === true || flags.agent !== undefined || flags.project !== undefined
}

export function filterOf(input: Input): Filter {
  const agent = stringFlag(input, 'agent')
  const project = stringFlag(input, 'project')
  return (session) =>
    (input.flags.needs !== true || session.needsYou) &&
    (agent === undefined || session.agent === agent) &&
    (project === undefined || isIn(session, project))
}

/** An agent or a project that nobody has ever seen is a slip of the hand. */
export async function mustBeKnown(input: Input, all: readonly SessionView[]): Promise<void> {
  const { wireable } = await import('../install/index.ts') // most lists are shown without it
  const agent = stringFlag(input, 'agent')
  const agents = [...new Set([...wireable().map(({ id }) => id), ...all.map((one) => one.agent)])]
  if (agent !== undefined && !agents.includes(agent)) throw unknown('agent', agent, agents)
  const project = stringFlag(input, 'project')
  if (project === undefined || all.some((session) => isIn(session, project))) return
  throw unknown('project', project, [...new Set(all.flatMap((one) => one.project ?? []))])
}

function unknown(what: string, value: string, there: readonly string[]): GantryError {
  const close = closest(value, there)
  const which = close === undefined ? listed(there) : `Did you mean ${close}?`
  return new GantryError('USAGE', `No session is of the ${what} "${value}". ${which}`)
}

const MOST_NAMED = 12

function listed(there: readonly string[]): string {
  if (there.length === 0) return '"gantry sessions --all" lists what there is.'
  const more = there.length > MOST_NAMED ? ` and ${there.length - MOST_NAMED} more` : ''
  return `There are: ${there.slice(0, MOST_NAMED).join(', ')}${more}.`
}

/** By name, in any case; what looks like a path is one. */
function isIn({ project, root, cwd }: SessionView, wanted: string): boolean {
  if (project?.toLowerCase() === wanted.toLowerCase()) return true
  if (!/^[.~]|\//.test(wanted)) return false
  const folder = resolve(wanted.replace(/^~(?=\/|$)/, process.env.HOME ?? '~'))
  return [root, cwd].some((path) => path === folder || path?.startsWith(folder + sep))
}
