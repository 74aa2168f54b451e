/**
 * A person with a home folder of their own, agents in it, and gantry beside: everything that install touches, in a
 * temporary folder.
 *
 *   const user = makeUser()
 *   user.put('.claude/settings.json', '{}')
 *   user.install('claude', '2.1.325')
 *   user.uninstall('claude')
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { agents, type HookClient } from '../../src/agents/index.ts'
import { type Places, places } from '../../src/core/files/paths.ts'
import {
  type Asked,
  applyInstall,
  applyRemoval,
  type FoundAgent,
  type InstallPlan,
  installedClient,
  planInstall,
  planUninstall,
  type UninstallPlan,
} from '../../src/install/index.ts'
import { GANTRY, ROOT, TRANSPILED } from '../kit.ts'

const users: string[] = []
/** In memory where that can be: every write is flushed to the disk, and there are hundreds. */
const ROOM = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** For `afterEach`: there are hundreds of homes, some with a large file, and none may outlive its test. */
export function forgetUsers(): void {
  for (const home of users.splice(0)) rmSync(home, { recursive: true, force: true })
}

/** The newest known version of each agent. */
export const VERSIONS: Readonly<Record<string, string>> = {
  claude: '2.1.325',
  codex: '0.166.0',
  gemini: '0.61.0',
  copilot: '1.0.102',
  opencode: '1.18.33',
  qwen: '0.24.4',
  droid: '0.215.0',
  kilo: '7.7.7',
  pi: '0.87.1',
}

export const MERGED = ['claude', 'codex', 'gemini', 'qwen', 'droid'] as const
export const OWNED = ['copilot', 'opencode', 'kilo', 'pi'].filter((id) => agents.has(id))

/** The file that is written, relative to the home folder. */
export const FILES: Readonly<Record<string, string>> = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  copilot: '.copilot/hooks/gantry.json',
  opencode: '.config/opencode/plugins/gantry.js',
  qwen: '.qwen/settings.json',
  droid: '.factory/settings.json',
  kilo: '.config/kilo/plugins/gantry.js',
  pi: '.pi/agent/extensions/gantry.js',
}

export class User {
  readonly home: string
  readonly env: Record<string, string>
  readonly places: Places

  constructor(gantryHome = false) {
    this.home = mkdtempSync(join(ROOM, 'gantry-user-'))
    users.push(this.home)
    this.env = { HOME: this.home, PATH: '/nowhere' }
    if (gantryHome) this.env.GANTRY_HOME = join(this.home, 'fleet two')
    this.places = places(this.env)
  }

  get client(): HookClient {
    return installedClient(this.places, this.env)
  }

  path(file: string): string {
    return join(this.home, file)
  }

  put(file: string, content: string | Uint8Array, mode = 0o644): void {
    mkdirSync(dirname(this.path(file)), { recursive: true })
    writeFileSync(this.path(file), content)
    chmodSync(this.path(file), mode)
  }

  text(file: string): string {
    return readFileSync(this.path(file), 'utf8')
  }

  agent(id: string, version: string | undefined = VERSIONS[id]): FoundAgent {
    const settings = agents.get(id)?.settings
    if (!settings) throw new Error(`no settings for ${id}`)
    const folder = settings.folder(this.env, this.home)
    return {
      id,
      settings,
      folder,
      isUsualFolder: folder === settings.folder({}, this.home),
      programs: [],
      version,
    }
  }

  planInstall(id: string, version?: string, asked: Asked = {}): InstallPlan {
    return planInstall(this.agent(id, version), { places: this.places, env: this.env, asked })
  }

  install(id: string, version?: string, asked: Asked = {}): InstallPlan {
    const plan = this.planInstall(id, version, asked)
    if (plan.kind === 'change') applyInstall(this.places, plan.change)
    return plan
  }

  planUninstall(id: string): UninstallPlan[] {
    return planUninstall(id, this.agent(id).settings, { places: this.places, env: this.env })
  }

  uninstall(id: string): UninstallPlan[] {
    const plans = this.planUninstall(id)
    for (const { change } of plans) applyRemoval(this.places, change)
    return plans
  }

  /** The CLI, to its end. */
  gantry(args: readonly string[], env: Record<string, string> = {}) {
    const ran = Bun.spawnSync([GANTRY, ...args], {
      cwd: ROOT,
      env: { ...this.env, PATH: process.env.PATH ?? '', ...TRANSPILED, ...env },
      stdin: 'ignore',
    })
    return { exit: ran.exitCode, stdout: ran.stdout.toString(), stderr: ran.stderr.toString() }
  }

  /** Everything in the home folder but gantry's own: path → kind, mode, content. */
  snapshot(): Record<string, string> {
    const seen: Record<string, string> = {}
    const walk = (folder: string) => {
      for (const name of readdirSync(join(this.home, folder)).sort()) {
        const path = join(folder, name)
        if (OWN.some((own) => path === own)) continue
        const stat = lstatSync(this.path(path))
        const mode = (stat.mode & 0o7777).toString(8)
        if (stat.isSymbolicLink()) seen[path] = `link to ${readlinkSync(this.path(path))}`
        else if (stat.isDirectory()) seen[path] = `folder ${mode}`
        else seen[path] = `${mode} ${readFileSync(this.path(path)).toString('latin1')}`
        if (stat.isDirectory()) walk(path)
      }
    }
    walk('')
    return seen
  }

  /** Receipts and backups. */
  records(): string[] {
    const folder = join(this.places.state, 'install')
    return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort() : []
  }
}

/** Gantry's own folders below a home. */
const OWN = ['.local', 'fleet two']

export function makeUser(gantryHome = false): User {
  return new User(gantryHome)
}
