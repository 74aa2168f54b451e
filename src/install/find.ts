/** Finds the agents on this machine and their versions: from the disk if possible, else by asking the program. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type AgentSettings, agents, compareVersions, type Env, findVersion } from '../agents/index.ts'
import { homeOf } from '../core/files/paths.ts'
import { isProgram } from '../core/files/program.ts'
import { run } from '../core/processes/exec.ts'

export interface FoundAgent {
  readonly id: string
  readonly settings: AgentSettings
  /** Its settings folder, whether it exists or not. */
  readonly folder: string
  /** No variable moves the settings folder. */
  readonly isUsualFolder: boolean
  /** Every program of that name, in PATH order. */
  readonly programs: readonly Program[]
  /** The oldest of the programs, since they share their settings; undefined if unknown. */
  readonly version: string | undefined
}

interface Program {
  readonly path: string
  readonly version: string | undefined
}

const ASK_DEADLINE_MS = 5_000 // a Node program on a busy machine takes a second or two
const MANIFEST_LEVELS = 6 // bin/ or dist/bin/ below the package's folder

/** All agents that can be wired. */
export function wireable(): readonly { readonly id: string; readonly settings: AgentSettings }[] {
  return [...agents.values()].flatMap(({ id, settings }) => (settings ? [{ id, settings }] : []))
}

export async function findAgents(env: Env): Promise<FoundAgent[]> {
  const found = await Promise.all(wireable().map(({ id, settings }) => findAgent(id, settings, env)))
  return found.filter(({ programs, folder }) => programs.length > 0 || existsSync(folder))
}

export async function findAgent(
  id: string,
  settings: AgentSettings,
  env: Env,
  patienceMs = ASK_DEADLINE_MS,
): Promise<FoundAgent> {
  const user = homeOf(env)
  const folder = settings.folder(env, user)
  const programs = await Promise.all(
    programPaths(settings, env, user).map(async (path) => ({
      path,
      version: await versionOf(path, settings, env, patienceMs),
    })),
  )
  const versions = programs.flatMap(({ version }) => version ?? []).sort(compareVersions)
  const isClear = versions.length === programs.length
  return {
    id,
    settings,
    folder,
    isUsualFolder: folder === settings.folder({}, user),
    programs,
    version: isClear ? versions[0] : undefined,
  }
}

/** Two links to one program count once. */
function programPaths(settings: AgentSettings, env: Env, user: string): string[] {
  const folders = (env.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'))
  const candidates = [
    ...settings.programs.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...(settings.programPlaces?.(env, user) ?? []),
  ]
  const seen = new Map<string, string>()
  for (const path of candidates)
    if (isProgram(path) && !seen.has(realpathSync(path))) seen.set(realpathSync(path), path)
  return [...seen.values()]
}

async function versionOf(
  program: string,
  settings: AgentSettings,
  env: Env,
  patienceMs: number,
): Promise<string | undefined> {
  const real = realpathSync(program)
  return (
    versionInManifest(real, settings) ??
    versionInPath(real, settings) ??
    (await askVersion(program, env, patienceMs))
  )
}

/** The npm package around the program, or around its native binary. */
function versionInManifest(real: string, { npmPackage }: AgentSettings): string | undefined {
  let folder = dirname(real)
  for (let level = 0; level < MANIFEST_LEVELS && folder !== '/'; level++, folder = dirname(folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
        string,
        unknown
      >
      const isIt = typeof name === 'string' && (name === npmPackage || name.startsWith(`${npmPackage}-`))
      if (isIt && typeof version === 'string') return findVersion(version)
    } catch {
      // Not here; try the parent folder.
    }
  }
  return undefined
}

/** `…/claude/versions/2.1.325`, `…/Caskroom/codex/0.166.0/codex`: only directly below a folder of the agent's name. */
function versionInPath(real: string, { programs, npmPackage }: AgentSettings): string | undefined {
  const names = [...programs, basename(npmPackage)]
  const parts = real.split('/')
  const at = parts.findLastIndex((part, i) => {
    const above = parts[i - 1] === 'versions' ? parts[i - 2] : parts[i - 1]
    return /^v?\d+\.\d+\.\d+/.test(part) && above !== undefined && names.includes(above)
  })
  return findVersion(parts[at] ?? '')
}

/** The last resort: `<program> --version`, in a minimal environment. */
async function askVersion(program: string, env: Env, patienceMs: number): Promise<string | undefined> {
  const { stdout } = await run([program, '--version'], {
    cwd: '/',
    env: { PATH: env.PATH ?? '', HOME: env.HOME ?? '', NO_COLOR: '1', CI: '1', DISABLE_AUTOUPDATER: '1' },
    timeoutMs: patienceMs,
    group: true,
  })
  return findVersion(stdout.slice(0, 1000))
}
