/** The folder that an agent calls its project, from the environment variable that it gives its hooks. */
import { ofAllAgents } from '../../agents/facts.ts'
import type { HookEvent } from '../../events/index.ts'

const NAMES = ofAllAgents(({ projectVariable: name }) => (name === undefined ? [] : [name]))

/** Undefined if no such variable is set. */
export function projectDirOf(env: HookEvent['client']['env']): string | undefined {
  for (const name of NAMES) if (env[name]) return env[name]
  return undefined
}
