/** The folder that an agent calls its project: it tells its hooks in a variable of its own. */
import { ENV_ALLOW_LIST } from '../../client/wire.ts'
import type { HookEvent } from '../../events/index.ts'

const NAMES = ENV_ALLOW_LIST.filter((name) => name.endsWith('_PROJECT_DIR'))

/** Nothing where no variable names one. */
export function projectDirOf(env: HookEvent['client']['env']): string | undefined {
  for (const name of NAMES) if (env[name]) return env[name]
  return undefined
}
