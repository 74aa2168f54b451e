/**
 * Talks to one tmux server by its socket. A path from a hook is checked before anything connects to it. A restarted
 * server on the same socket is another server, identified by its pid.
 *
 *   const server = await serverAt('/tmp/tmux-1000/default')
 *   await tell(server.socket, ['set -g @colour red'])
 */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { GantryError } from '../core/errors.ts'
import { run } from '../core/processes/exec.ts'

export interface Server {
  readonly socket: string
  readonly pid: number
}

export interface Pane extends Server {
  readonly pane: string
}

export interface Said {
  readonly ok: boolean
  readonly out: string
  readonly err: string
}

const ANSWER_LIMIT_MS = 2_000 // a local server answers in a few milliseconds or is stuck
const OLDEST = [3, 2] as const // the first with popups, formats in styles and `set -p` for all of them

/** TMUX is "<socket>,<pid of the server>,<session>". */
export function serverOf(tmux: string | undefined): Server | undefined {
  const match = /^(\/[^\n]*),(\d{1,10}),[^,]*$/.exec(tmux ?? '')
  return match ? { socket: match[1] ?? '', pid: Number(match[2]) } : undefined
}

export function paneOf(session: { readonly pane?: string; readonly tmux?: string }): Pane | undefined {
  const server = serverOf(session.tmux)
  const { pane } = session
  return server && pane !== undefined && isPane(pane) ? { ...server, pane } : undefined
}

export function isPane(text: string): boolean {
  return /^%\d{1,9}$/.test(text)
}

/** The socket that `tmux` without options uses. */
export function defaultSocket(env: Record<string, string | undefined>): string {
  const uid = process.getuid?.() ?? 0
  const folder = env.TMUX_TMPDIR || (process.platform === 'darwin' ? '/private/tmp' : '/tmp')
  return serverOf(env.TMUX)?.socket ?? join(folder, `tmux-${uid}`, 'default')
}

/** The server behind a socket; throws with what to do. */
export async function serverAt(socket: string): Promise<Server> {
  const { ok, out, err } = await ask(socket, ['display-message', '-p', '#{pid} #{version}'])
  const match = /^(\d+) (.*)$/.exec(out.trim())
  if (!ok || !match) {
    const why = err === '' ? '' : ` (${err})`
    throw new GantryError(
      'VALIDATION_ERROR',
      `No tmux server answers at ${socket}${why}. Run this inside tmux, or name its socket with --socket.`,
    )
  }
  const version = /(\d+)\.(\d+)/
    .exec(match[2] ?? '')
    ?.slice(1)
    .map(Number)
  const [major = 99, minor = 0] = version ?? []
  if (!match[2]?.startsWith('openbsd') && (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])))
    throw new GantryError(
      'VALIDATION_ERROR',
      `This is tmux ${match[2]}; gantry needs ${OLDEST.join('.')} or newer. Nothing was changed.`,
    )
  return { socket, pid: Number(match[1]) }
}

/** True if that server process still runs and belongs to us. */
export async function isThere({ socket, pid }: Server): Promise<boolean> {
  const { ok, out } = await ask(socket, ['display-message', '-p', '#{pid}'])
  return ok && out.trim() === String(pid)
}

export function isOwnSocket(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isSocket() === true && stat.uid === process.getuid?.()
}

/** Runs one command and returns its output. */
export async function ask(socket: string, argv: readonly string[], stdin = ''): Promise<Said> {
  try {
    if (!isOwnSocket(socket)) return { ok: false, out: '', err: 'there is no socket of yours' }
    // -u: without it tmux replaces non-ASCII characters with underscores in a plain locale.
    const command = ['tmux', '-u', '-S', socket, ...argv]
    const { exit, stdout, stderr } = await run(command, { stdin, timeoutMs: ANSWER_LIMIT_MS })
    return { ok: exit === 0, out: stdout, err: stderr.trim() }
  } catch {
    return { ok: false, out: '', err: 'tmux cannot be started; is it installed?' }
  }
}

/** Runs many command lines in one process. A failing line does not stop the others. */
export function tell(socket: string, lines: readonly string[]): Promise<Said> {
  return ask(socket, ['source-file', '-'], `${lines.join('\n')}\n`)
}
