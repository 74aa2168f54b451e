/** The files that guards protect for gantry's sake, from the agents' records. */
import { join } from 'node:path'
import { AGENT_NAMES } from '../../agents/facts.ts'
import { agents } from '../../agents/index.ts'
import type { OwnFiles } from './guard.ts'

/** `gantry`: its folders, that of its configuration first. `real` resolves links: a path is compared as it was given, and as it is on the disk. */
export function ownFiles(
  gantry: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  real: (path: string) => string = (path) => path,
): OwnFiles {
  const both = (paths: readonly string[]) => [...new Set([...paths, ...paths.map(real)])]
  const plans = [...agents.values()].flatMap(({ settings }) => (settings ? [settings] : []))
  const inFolder = (names: 'hooks' | 'credentials') =>
    plans.flatMap(({ folder, hookFiles, credentials }) =>
      (names === 'hooks' ? hookFiles.user : credentials).map((file) => join(folder(env, home), file)),
    )
  return {
    gantry: both(gantry),
    keys: both(gantry.slice(1)).flatMap((folder) => [join(folder, 'approval-key'), join(folder, 'token')]),
    hooks: [...both(inFolder('hooks')), ...plans.flatMap(({ hookFiles }) => hookFiles.project)],
    credentials: both(inFolder('credentials')),
    agents: AGENT_NAMES,
  }
}
