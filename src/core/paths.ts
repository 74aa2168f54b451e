/**
 * Where everything lives. `GANTRY_HOME` (or `--home`) moves all of it under one folder; otherwise XDG decides.
 * The C client in native/ follows the same rules; the conformance suite holds the two together.
 */
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'

export interface Places {
  /** Set when everything lives under one folder. */
  readonly home?: string
  readonly config: string
  readonly state: string
  readonly run: string
  readonly configFile: string
  readonly rules: string
  /** Files of warm handlers. */
  readonly handlers: string
  readonly database: string
  /** What `gantry search` looks in; all of it follows from the database. */
  readonly searchIndex: string
  /** What the last look through the journal found. */
  readonly journalCheck: string
  readonly spool: string
  /** Room that is set aside for the spool on a full disk. */
  readonly reserve: string
  /** What could be kept nowhere: one record of 64 bytes for each event. */
  readonly lost: string
  /** Contexts that were too long for an agent. */
  readonly contexts: string
  readonly log: string
  /** There from `gantry down` to `gantry up`: nobody starts the daemon meanwhile. */
  readonly down: string
  /** What its owner started the daemon with; see kept-environment.ts. */
  readonly environment: string
  /** Held by the one daemon that owns the database. */
  readonly lock: string
  readonly socket: string
  /** A link to the socket for clients that see another XDG_RUNTIME_DIR than the daemon did. */
  readonly socketLink: string
  readonly http: string
  readonly token: string
  /** What an answer to an approval is proved with; never in anybody's environment. */
  readonly approvalKey: string
  readonly pid: string
  /** Store, configuration and log of the nats-server that gantry runs. */
  readonly nats: string
  /** Folders of tasks that have none of their own. */
  readonly tasks: string
  readonly natsInfo: string
  /** What `gantry tmux apply` found, a file for each tmux server. */
  readonly tmux: string
  /** The line of `gantry tmux status`, kept by the daemon. */
  readonly tmuxStatus: string
}

type Env = Record<string, string | undefined>

/** `xdg:DIR` stands for the XDG folders with DIR for XDG_STATE_HOME, whatever the environment says: installs pin it. */
const PINNED_XDG = 'xdg:'

export function places(env: Env = process.env, home: string | undefined = env.GANTRY_HOME): Places {
  if (home?.startsWith(PINNED_XDG)) {
    const state = home.slice(PINNED_XDG.length)
    if (!isAbsolute(state))
      throw new Error(`"${home}" is no whole path. Write it like xdg:/home/me/.local/state`)
    return places({ ...env, XDG_STATE_HOME: state, XDG_RUNTIME_DIR: undefined }, '')
  }
  if (home) {
    const root = resolve(home)
    return under(join(root, 'config'), join(root, 'state'), join(root, 'run'), root)
  }
  const user = env.HOME || homedir()
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
    journalCheck: join(state, 'journal-check.json'),
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
    approvalKey: join(state, 'approval-key'),
    pid: join(run, 'gantry.pid'),
    nats: join(state, 'nats'),
    tasks: join(state, 'tasks'),
    natsInfo: join(run, 'nats-info.json'),
    tmux: join(state, 'tmux'),
    tmuxStatus: join(run, 'tmux-status'),
  }
}

/** For a `--home` that no environment changes: the home itself, or the XDG folders by name. */
export function pinnedHome({ home, state }: Places): string {
  return home ?? `${PINNED_XDG}${dirname(state)}`
}

/** The XDG specification tells programs to ignore relative values. */
function xdg(value: string | undefined): string | undefined {
  return value && isAbsolute(value) ? value : undefined
}
