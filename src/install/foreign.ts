/** Hooks of other people beside ours. They are counted, shown, and left alone. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type HookClient, isRecord } from '../agents/index.ts'
import type { FoundAgent } from './find.ts'
import { settingsIn } from './settings-text.ts'

export interface ForeignHooks {
  readonly user: number
  readonly project: number
}

/** `ours` is the file that gantry writes; of a program, unlike of JSON, it is all or nothing. */
export function countForeign(agent: FoundAgent, client: HookClient, cwd: string, ours: string): ForeignHooks {
  const { user, project } = agent.settings.hookFiles
  const count = (files: readonly string[]) =>
    files.reduce((sum, file) => sum + countIn(file, agent, client), 0)
  const userFiles = filesOf(agent.folder, user).filter((file) => file !== ours || file.endsWith('.json'))
  // In the home folder itself the project's files are the user's.
  const known = new Set(filesOf(agent.folder, user).map((file) => realpathSync(file)))
  const projectFiles = [...new Set([cwd, projectRoot(cwd)])]
    .flatMap((folder) => filesOf(folder, project))
    .filter((file) => !known.has(realpathSync(file)))
  return { user: count(userFiles), project: count(projectFiles) }
}

/** The files that are there; `*` stands in the last name only. */
export function filesOf(folder: string, patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => {
    const path = join(folder, pattern)
    const [, ending] = basename(path).split('*')
    if (ending === undefined) return existsSync(path) ? [path] : []
    if (!existsSync(dirname(path))) return []
    const names = readdirSync(dirname(path)).filter((name) => name.endsWith(ending))
    return names.sort().map((name) => join(dirname(path), name))
  })
}

function countIn(file: string, { settings }: FoundAgent, client: HookClient): number {
  if (!file.endsWith('.json')) return 1
  try {
    const found = settingsIn(readFileSync(file, 'utf8'), file)
    const ours = settings.recognise(found, client).filter(({ kind }) => kind === 'append').length
    return countHooks(isRecord(found) ? found.hooks : undefined) - ours
  } catch {
    return 0 // what cannot be read cannot run either
  }
}

/** A group has its hooks inside; with Copilot CLI the hooks stand by themselves. */
function countHooks(hooks: unknown): number {
  const groups = isRecord(hooks) ? Object.values(hooks).flat() : []
  return groups.reduce<number>((sum, group) => {
    return sum + (isRecord(group) && Array.isArray(group.hooks) ? group.hooks.length : 1)
  }, 0)
}

function projectRoot(folder: string): string {
  for (let at = folder; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, '.git'))) return at
  return folder
}
