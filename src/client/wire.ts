/**
 * The hook frame on the socket, for both ends: one JSON header line, then exactly `len` bytes. The reply is one line of
 * three numbers, then the bytes for stdout and stderr. native/gantry-hook.c uses the same format.
 *
 *   {"v":1,"kind":"hook","agent":"claude","id":"01J…","at":1763000000000,"pid":7,"ppid":6,"env":{},"len":2}\n{}
 *   0 0 0\n
 */
import { FACTS } from '../agents/facts.gen.ts' // no other module: a hook waits for each

export const WIRE_VERSION = 1
export const HEADER_LIMIT_BYTES = 64 * 1024 // a header holds facts about a process, never content
export const PAYLOAD_LIMIT_BYTES = 8 * 1024 * 1024 // larger payloads are cut and marked
export const CONNECT_DEADLINE_MS = 50 // a local socket answers at once or not at all
export const OBSERVER_DEADLINE_MS = 250 // an agent must never notice an observer
export const DECIDER_DEADLINE_MS = 5_000 // a guard is worth a wait, a stuck daemon is not
export const HOLD_LIMIT_MS = 600_000 // the longest an approval may hold a client
export const STDIN_IDLE_MS = 1_000 // an agent that leaves stdin open must not hang its own hook
export const SOCKET_MODE = 0o600 // of the daemon's socket
export const OBSERVER_GAVE_UP_MODE = 0o700 // an observer waited in vain; x has no other meaning on a socket
export const DECIDER_GAVE_UP_MODE = 0o710 // a decider waited in vain, too: one late observer must not cost a decision
export const LOOK_AGAIN_MS = 60_000 // limits how long an outdated mark costs decisions

/** Not specific to an agent. Never add a name that may hold a secret. */
export const OWN_ENV: readonly string[] = [
  'AGENT_ID',
  'GANTRY_RUN_ID',
  'ITERM_SESSION_ID',
  'KITTY_WINDOW_ID',
  'PWD',
  'SSH_CONNECTION',
  'SSH_TTY',
  'STY',
  'TERM_PROGRAM',
  'WEZTERM_PANE',
  'WT_SESSION',
  'ZELLIJ_PANE_ID',
  'ZELLIJ_SESSION_NAME',
]

/** The only environment values that leave the agent's process. */
export const ENV_ALLOW_LIST: readonly string[] = [
  ...new Set([...OWN_ENV, ...FACTS.flatMap(({ env }) => env)]),
].sort()

/**
 * Native events whose answer can change what the agent does: their client waits for DECIDER_DEADLINE_MS. All others, and
 * hooks without an event on the command line, are observers.
 */
export const DECIDERS: ReadonlySet<string> = new Set(FACTS.flatMap(({ deciders }) => deciders).sort())

export interface HookHeader {
  readonly v: number
  readonly kind: 'hook'
  readonly agent: string
  readonly event?: string
  readonly id: string
  readonly at: number
  readonly pid: number
  readonly ppid: number
  readonly pane?: string
  readonly tmux?: string
  readonly env: Readonly<Record<string, string>>
  readonly len: number
  /** Version of the hook client, so that the daemon can detect an outdated one. */
  readonly client?: string
  /** The client understands `hold <ms>` lines before the reply. */
  readonly hold?: boolean
  /** The connection stays open for more frames as long as the client lives. */
  readonly keep?: true
  /** The format of the reply, if not the agent's own. */
  readonly reply?: 'bus'
  /** A replay of a past event: nobody waits for a decision, and its processes are gone. */
  readonly replay?: true
  /** Size of the whole payload if it was over the limit and had to be cut. */
  readonly cut?: number
}

export function encodeFrame(header: HookHeader, payload: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), payload])
}
