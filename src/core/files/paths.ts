/**
 * Where gantry's files are. `GANTRY_HOME` (or `--home`) puts all of them under one folder; otherwise XDG decides. The C
 * client in native/ follows the same rules, and the conformance suite compares the two.
 */
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'

export interface Places {
  /** Set when all files are under one folder. */
  readonly home?: string
  readonly config: string
  readonly state: string
  readonly run: string
  readonly configFile: string
  readonly rules: string
  /** Files of warm handlers. */
  readonly handlers: string
  readonly database: string
  /** The index of `gantry search`; derived from the database. */
  readonly searchIndex: string
  /** How far sessions were sent as traces. */
  readonly otlpMark: string
  /** The result of the last journal check. */
  readonly journalCheck: string
  /** When rules with `once` or `cooldown` spoke last. */
  readonly rulesSpoken: string
  /** The last good text of gantry.toml, and of the files of rules: a start after a mistake goes on with them. */
  readonly lastConfig: string
  readonly lastRules: string
  readonly spool: string
  /** Disk space reserved for the spool, released when the disk is full. */
  readonly reserve: string
  /** Events that could be stored nowhere: one 64-byte record each. */
  readonly lost: string
  /** Contexts that were too long for an agent. */
  readonly contexts: string
  readonly log: string
  /** Exists from `gantry down` to `gantry up`; meanwhile nobody starts the daemon. */
  readonly down: string
  /** The environment its owner started the daemon with; see kept-environment.ts. */
  readonly environment: string
  /** Held by the one daemon that owns the database. */
  readonly lock: string
  readonly socket: string
  /** A link to the socket for clients that see another XDG_RUNTIME_DIR than the daemon did. */
  readonly socketLink: string
  readonly http: string
  readonly token: string
  /** Opens `/metrics` and nothing else; `gantry metrics --scrape-config` makes it. */
  readonly metricsToken: string
  /** Key that signs answers to approvals; never in an environment. */
  readonly approvalKey: string
  /** Browsers that are signed in to the page, as hashes. */
  readonly pageLogins: string
  /** Keys of browsers that may answer permissions. */
  readonly pageDevices: string
  readonly pid: string
  /** Store, configuration and log of the nats-server that gantry runs. */
  readonly nats: string
  /** Folders of tasks without a folder of their own. */
  readonly tasks: string
  readonly natsInfo: string
  /** What `gantry tmux apply` found; one file per tmux server. */
  readonly tmux: string
  /** The line that `gantry tmux status` prints; the daemon writes it. */
  readonly tmuxStatus: string
}

type Env = Record<string, string | undefined>

/** `xdg:DIR` means the XDG folders with DIR as XDG_STATE_HOME, whatever the environment says. Installs pin it. */
const PINNED_XDG = 'xdg:'

export function places(env: Env = process.env, home: string | undefined = env.GANTRY_HOME): Places {
  if (home?.startsWith(PINNED_XDG)) {
    const state = home.slice(PINNED_XDG.length)
    if (!isAbsolute(state))
      throw new Error(`"${home}" is not an absolute path. Write it like xdg:/home/me/.local/state`)
    return places({ ...env, XDG_STATE_HOME: state, XDG_RUNTIME_DIR: undefined }, '')
  }
  if (home) {
    const root = resolve(home)
    return under(join(root, 'config'), join(root, 'state'), join(root, 'run'), root)
  }
  const user = homeOf(env)
  const state = join(xdg(env.XDG_STATE_HOME) ?? join(user, '.local/state'), 'gantry')
  const runtime = xdg(env.XDG_RUNTIME_DIR)
  const config = join(xdg(env.XDG_CONFIG_HOME) ?? join(user, '.config'), 'gantry')
  return under(config, state, runtime ? join(runtime, 'gantry') : state)
}

function under(config: string, state: string, run: string, home?: string): Places {
  return {
    ...(home === undefined ? {} : { home }),
    config,
    state,
    run,
    configFile: join(config, 'gantry.toml'),
    rules: join(config, 'rules'),
    handlers: join(config, 'handlers'),
    database: join(state, 'gantry.db'),
    searchIndex: join(state, 'search.db'),
    otlpMark: join(state, 'otlp-mark.json'),
    journalCheck: join(state, 'journal-check.json'),
    rulesSpoken: join(state, 'rules-spoken.json'),
    lastConfig: join(state, 'last-config.toml'),
    lastRules: join(state, 'last-rules.json'),
    spool: join(state, 'spool'),
    reserve: join(state, 'reserve'),
    lost: join(state, 'lost'),
    contexts: join(state, 'contexts'),
    log: join(state, 'gantry.log'),
    down: join(state, 'down'),
    environment: join(state, 'environment'),
    lock: join(state, 'gantry.lock'),
    socket: join(run, 'gantry.sock'),
    socketLink: join(state, 'gantry.sock'),
    http: join(run, 'http.json'),
    token: join(run, 'token'),
    metricsToken: join(state, 'metrics-token'),
    approvalKey: join(state, 'approval-key'),
    pageLogins: join(state, 'page-logins.json'),
    pageDevices: join(state, 'page-devices.json'),
    pid: join(run, 'gantry.pid'),
    nats: join(state, 'nats'),
    tasks: join(state, 'tasks'),
    natsInfo: join(run, 'nats-info.json'),
    tmux: join(state, 'tmux'),
    tmuxStatus: join(run, 'tmux-status'),
  }
}

/** A `--home` value that no environment changes: the home itself, or `xdg:DIR`. */
export function pinnedHome({ home, state }: Places): string {
  return home ?? `${PINNED_XDG}${dirname(state)}`
}

/** The user's folder. An empty HOME is none. */
export function homeOf(env: Readonly<Env> = process.env): string {
  return env.HOME || homedir()
}

/** `~` and `~/file`, as a shell reads them. */
export function expandHome(path: string, home = homeOf()): string {
  return path.replace(/^~(?=\/|$)/, () => home)
}

/** Whether a path is this folder or below it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

/** The XDG specification tells programs to ignore relative values. */
function xdg(value: string | undefined): string | undefined {
  return value && isAbsolute(value) ? value : undefined
}
