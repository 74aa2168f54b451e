/**
 * The daemon's environment. A hook runs with whatever the project put into its agent's environment: a library to load, a
 * program to run, another configuration. The daemon answers for every project, so none of that may reach it. `gantry up`
 * saves its owner's environment, and a start by a hook reuses that. Before the first such start, a hook passes on only a
 * few names. native/daemon-env.h does the same for the native client.
 *
 *   keepEnvironment(places, ownersEnvironment(process.env))
 *   Bun.spawn(['gantry', 'up', '--foreground'], { env: daemonEnvironment(places) })
 */
import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, sep } from 'node:path'
import type { Places } from '../core/files/paths.ts'
import { writeAtomic } from '../core/files/private-files.ts'
import { projectAround } from '../core/files/project.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Variables that a daemon takes from a hook's environment when nothing was saved: none of them configures or runs anything.
 */
export const DAEMON_ENV = [
  'HOME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'LOGNAME',
  'TZ',
  'USER',
  'XDG_RUNTIME_DIR',
  'XDG_STATE_HOME',
] as const
export const DAEMON_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin'
export const KEPT_ENV_BYTES = 64 * 1024 // about thirty values, of which PATH is the longest
export const KEPT_ENV_VALUES = 256

/** Variables saved from the owner's environment. None makes a runtime load code (BUN_*, NODE_*, LD_*). */
export const OWNERS_ENV = [
  ...DAEMON_ENV,
  'PATH',
  'SHELL',
  'TMPDIR',
  'XDG_CONFIG_HOME',
  // To show notifications.
  'DBUS_SESSION_BUS_ADDRESS',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  // To reach webhooks and notification services.
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  // The bus (docs/bus-nats.md).
  'BD_DAEMON_TOKEN',
  'BD_NATS_PORT',
  'BD_NATS_URL',
  'BEADS_DIR',
  'COOP_NATS_URL',
  'GANTRY_NATS',
] as const

/** Also filters what is read back: being able to write the file must not be enough to load a library. */
const KEPT: ReadonlySet<string> = new Set([...OWNERS_ENV, 'GANTRY_HOME'])

/**
 * Variables that make Bun (1.4.4) run a named file or act as another program. bin/gantry and the installed launcher drop
 * them, because agents start those, too.
 */
export const LOADS_CODE = [
  'BUN_BE_BUN',
  'BUN_INSPECT',
  'BUN_INSPECT_CONNECT_TO',
  'BUN_INSPECT_PRELOAD',
  'BUN_OPTIONS',
  'BUN_TCC_OPTIONS',
] as const

/** The variables that the daemon needs from the person who starts it. */
export function ownersEnvironment(env: Env): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of OWNERS_ENV) {
    const value = name === 'PATH' ? ownPath(env) : env[name]
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a line-based file cannot hold them
    if (value && !/[\n\u0000]/.test(value)) kept[name] = value
  }
  return kept
}

/** The owner's PATH without the current project's folders, which direnv, venv and npm put first. */
function ownPath({ PATH = DAEMON_PATH, HOME = '' }: Env): string {
  const cwd = process.cwd()
  const project = projectAround(cwd) ?? cwd
  const isAbove = `${HOME}${sep}`.startsWith(project.endsWith(sep) ? project : `${project}${sep}`)
  const isProjects = (dir: string) => !isAbove && `${dir}${sep}`.startsWith(`${project}${sep}`)
  const own = PATH.split(':').filter(
    (dir) => isAbsolute(dir) && !dir.endsWith('/node_modules/.bin') && !isProjects(dir),
  )
  return own.join(':') || DAEMON_PATH
}

/** Saves the environment for the next start by a hook. Throws when the state folder is not writable. */
export function keepEnvironment({ home, state, environment }: Places, env: Record<string, string>): void {
  const all = home === undefined ? env : { ...env, GANTRY_HOME: home }
  const lines = Object.entries(all).map(([name, value]) => `${name}=${value}\n`)
  mkdirSync(state, { recursive: true, mode: 0o700 })
  writeAtomic(environment, lines.join(''))
}

/** The environment in which a hook starts the daemon. */
export function daemonEnvironment(places: Places): Record<string, string> {
  const { home, state } = places
  const base: Record<string, string> = keptEnvironment(places) ?? {
    PATH: DAEMON_PATH,
    ...Object.fromEntries(
      DAEMON_ENV.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    ),
  }
  // The system removes the runtime folder at the user's last logout.
  if (!existsSync(base.XDG_RUNTIME_DIR ?? '')) delete base.XDG_RUNTIME_DIR
  // The daemon must start in the folder that this hook uses, even if the saved one has moved.
  const where: Record<string, string> =
    home === undefined ? { XDG_STATE_HOME: dirname(state) } : { GANTRY_HOME: home }
  return { ...base, ...where, GANTRY_AUTOSTART: '1' }
}

/** Undefined if the file is missing or somebody else may have written it. */
export function keptEnvironment({ environment }: Places): Record<string, string> | undefined {
  let fd: number
  try {
    fd = openSync(environment, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    const stat = fstatSync(fd)
    const isOurs = stat.isFile() && stat.uid === process.geteuid?.() && (stat.mode & 0o022) === 0
    if (!isOurs || stat.size === 0 || stat.size > KEPT_ENV_BYTES) return undefined
    const lines = readFileSync(fd, 'utf8').split('\n')
    const values = lines.flatMap((line) => {
      const at = line.indexOf('=')
      return KEPT.has(line.slice(0, Math.max(at, 0)))
        ? [[line.slice(0, at), line.slice(at + 1)] as const]
        : []
    })
    return Object.fromEntries(values.slice(0, KEPT_ENV_VALUES))
  } finally {
    closeSync(fd)
  }
}
