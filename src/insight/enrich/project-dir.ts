/** The folder that an agent calls its project: it tells its hooks in a variable of its own. */
import { ofAllAgents } from '../../agents/facts.ts'
import type { HookEvent } from '../../events/index.ts'

const NAMES = ofAllAgents(({ projectVariable: name }) => (name === undefined ? [] : [name]))

/** Nothing where no variable names one. */
export function projectDirOf(env: HookEvent['client']['env']): string | undefined {
  for (const name of NAMES) if (env[name]) return env[name]
  return undefined
}
