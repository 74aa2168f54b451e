/**
 * The real agents, from npm, once: a folder per agent and version outside of any checkout.
 *
 *   const claude = await agentProgram(CLAUDE)   // installs on first use, with a line that says so
 *   claude.bin                                  // a folder with `claude` in it, for a PATH
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { arch, homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

const INSTALL_LIMIT_MS = 300_000 // 350 MB over a slow line

export interface Release {
  readonly agent: 'claude' | 'codex' | 'gemini' | 'copilot' | 'opencode' | 'qwen' | 'droid' | 'kilo' | 'pi'
  readonly package: string
  readonly version: string
  /** The program inside `node_modules`, as its install script would have linked it. */
  readonly program: string
  /** The Node that runs it, where the one on PATH may be too old. */
  readonly node?: string
}

export interface AgentProgram {
  readonly release: Release
  readonly bin: string
}

/** 2.1.325 is one native file in an optional package; the package itself only has the script that would link it. */
export const CLAUDE: Release = {
  agent: 'claude',
  package: '@anthropic-ai/claude-code',
  version: '2.1.325',
  program: `@anthropic-ai/claude-code-linux-${arch()}/claude`,
}

export const OLD_CLAUDE: Release = {
  agent: 'claude',
  package: '@anthropic-ai/claude-code',
  version: '2.0.77',
  program: '@anthropic-ai/claude-code/cli.js',
}

export const CODEX: Release = {
  agent: 'codex',
  package: '@openai/codex',
  version: '0.166.0',
  program: '@openai/codex/bin/codex.js',
}

export const GEMINI: Release = {
  agent: 'gemini',
  package: '@google/gemini-cli',
  version: '0.61.0',
  program: '@google/gemini-cli/bundle/gemini.js',
}

/** One native file in an optional package, like Claude. */
export const COPILOT: Release = {
  agent: 'copilot',
  package: '@github/copilot',
  version: '1.0.102',
  program: `@github/copilot-linux-${arch()}/copilot`,
}

/** One native file in an optional package, as Claude's. */
export const OPENCODE: Release = {
  agent: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  program: `opencode-linux-${arch()}/bin/opencode`,
}

/** It wants Node 22. */
export const QWEN: Release = {
  agent: 'qwen',
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  program: '@qwen-code/qwen-code/cli-entry.js',
  node: '22.23.3',
}

export const DROID: Release = {
  agent: 'droid',
  package: 'droid',
  version: '0.215.0',
  program: `@factory/cli-linux-${arch()}/bin/droid`,
}

export const KILO: Release = {
  agent: 'kilo',
  package: '@kilocode/cli',
  version: '7.7.7',
  program: `@kilocode/cli-linux-${arch()}/bin/kilo`,
}

/** The last one whose dependencies are all on npm; it wants Node 22. */
export const PI: Release = {
  agent: 'pi',
  package: '@earendil-works/pi-coding-agent',
  version: '0.87.1',
  program: '@earendil-works/pi-coding-agent/dist/bundle/cli.js',
  node: '22.23.3',
}

export const RELEASES: readonly Release[] = [
  ...[CLAUDE, OLD_CLAUDE, CODEX, GEMINI, COPILOT, OPENCODE],
  ...[QWEN, DROID, KILO, PI],
]

export function cacheFolder(): string {
  const base = process.env.XDG_CACHE_HOME
  return join(base && isAbsolute(base) ? base : join(homedir(), '.cache'), 'gantry-agents')
}

/** Where a release is when it is installed. */
export function installed(release: Release): AgentProgram | undefined {
  const bin = join(folderOf(release), 'bin')
  return existsSync(join(bin, release.agent)) ? { release, bin } : undefined
}

/** Installs beside its place and moves there whole: a killed install leaves nothing that looks finished. */
export async function agentProgram(release: Release): Promise<AgentProgram> {
  const ready = installed(release)
  if (ready) return ready
  const name = `${release.package}@${release.version}`
  console.log(`installing ${name} from npm into ${folderOf(release)}`)
  const started = performance.now()
  mkdirSync(cacheFolder(), { recursive: true })
  const fresh = mkdtempSync(join(cacheFolder(), '.installing-'))
  try {
    const node = release.node && `node-linux-${arch()}@${release.node}`
    await npmInstall(node ? [name, node] : [name], fresh)
    if (!existsSync(join(fresh, 'node_modules', release.program)))
      throw new Error(`${name} has no ${release.program}: is there a build of it for this machine?`)
    mkdirSync(join(fresh, 'bin'))
    symlinkSync(join('..', 'node_modules', release.program), join(fresh, 'bin', release.agent))
    if (node) symlinkSync(`../node_modules/node-linux-${arch()}/bin/node`, join(fresh, 'bin', 'node'))
    moveInto(fresh, folderOf(release))
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  console.log(`installed ${name} in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return { release, bin: join(folderOf(release), 'bin') }
}

function folderOf(release: Release): string {
  return join(cacheFolder(), `${release.agent}-${release.version}`)
}

async function npmInstall(names: readonly string[], into: string): Promise<void> {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error']
  const child = Bun.spawn(['npm', 'install', '--prefix', into, ...flags, ...names], {
    cwd: into,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: INSTALL_LIMIT_MS,
    killSignal: 'SIGKILL',
  })
  const said = await new Response(child.stderr).text()
  if ((await child.exited) !== 0)
    throw new Error(
      `npm could not install ${names.join(' and ')}. Is the registry reachable? It said:\n${said}`,
    )
}

/** Two runs may install at once; the second finds the place taken and leaves it. */
function moveInto(fresh: string, place: string): void {
  try {
    renameSync(fresh, place)
  } catch (error) {
    if (!existsSync(join(place, 'bin'))) throw error
  }
}
