/** The files that guards protect for gantry's sake, from the agents' records. */
import { join } from 'node:path'
import { type AgentSettings, agents } from '../../agents/index.ts'
import type { AgentStart, OwnFiles } from './guard.ts'

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
    agentFolders: [
      ...both(plans.map(({ folder }) => folder(env, home))).map((path) => path.replace(`${home}/`, '')),
      ...plans.flatMap(({ hookFiles }) => hookFiles.project.map((file) => file.slice(0, file.indexOf('/')))),
    ],
    agents: agentStarts(),
  }
}

function agentStarts(): ReadonlyMap<string, AgentStart> {
  const all = [...agents.values()].flatMap(({ id, settings }) => {
    const variables = new Set([...variablesOf(settings), ...(settings?.bypassVariables ?? [])])
    const start: AgentStart = { bypasses: settings?.bypasses ?? [], variables }
    const names = new Set([id, ...(settings ? [...settings.programs, settings.npmPackage] : [])])
    return [...names].map((name) => [name, start] as const)
  })
  return new Map(all)
}

/** Those that its `folder` reads. */
function variablesOf(settings: AgentSettings | undefined): ReadonlySet<string> {
  const read = new Set<string>()
  const env = new Proxy({}, { get: (_, name) => void read.add(String(name)) })
  settings?.folder(env, '/')
  return read
}
