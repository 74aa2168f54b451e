/** Counts hooks of other tools beside ours. They are shown and left alone. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Env, HookClient } from '../agents/index.ts'
import { projectAround } from '../core/files/project.ts'
import { isObject } from '../core/is-object.ts'
import { handlersOf } from './changed-entries.ts'
import { startsClient } from './edit/pointers.ts'
import { settingsIn } from './edit/settings-text.ts'
import type { FoundAgent } from './find.ts'

interface ForeignHooks {
  readonly user: number
  readonly project: number
}

/** `ours` is the file that gantry writes. A program file, unlike JSON, counts as a whole. */
export function countForeign(
  agent: FoundAgent,
  { client, env, cwd }: { client: HookClient; env: Env; cwd: string },
  ours: string,
): ForeignHooks {
  const { user, project } = agent.settings.hookFiles
  const count = (files: readonly string[]) =>
    files.reduce((sum, file) => sum + countIn(file, { client, env }), 0)
  const userFiles = filesOf(agent.folder, user).filter((file) => file !== ours || file.endsWith('.json'))
  // In the home folder itself, the project's files are the user's.
  const known = new Set(filesOf(agent.folder, user).map((file) => realpathSync(file)))
  const projectFiles = [...new Set([cwd, projectAround(cwd) ?? cwd])]
    .flatMap((folder) => filesOf(folder, project))
    .filter((file) => !known.has(realpathSync(file)))
  return { user: count(userFiles), project: count(projectFiles) }
}

/** The existing files; `*` is allowed in the last part only. */
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

function countIn(file: string, { client, env }: { client: HookClient; env: Env }): number {
  if (file.endsWith('.toml')) return 0 // TOML settings contain hooks only if a person put them there
  if (!file.endsWith('.json')) return 1
  try {
    const found = settingsIn(readFileSync(file, 'utf8'), file)
    const handlers = handlersIn(isObject(found) ? found.hooks : undefined)
    return handlers.filter((handler) => !startsClient(handler, client, env)).length
  } catch {
    return 0 // an unreadable file cannot run either
  }
}

function handlersIn(hooks: unknown): unknown[] {
  return isObject(hooks) ? Object.values(hooks).flat().flatMap(handlersOf) : []
}
