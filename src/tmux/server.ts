/**
 * Which tmux server is meant. A restarted server on the same socket is another server, identified by its pid.
 *
 *   const server = await serverAt('/tmp/tmux-1000/default')
 *   await runLines(server.socket, ['set -g @colour red'])
 */
import { join } from 'node:path'
import { GantryError } from '../core/errors.ts'
import { runCommand, type Server, serverOf } from '../core/tmux.ts'

const OLDEST = [3, 2] as const // the first with popups, formats in styles and `set -p` for all of them

/** The socket that `tmux` without options uses. */
export function defaultSocket(env: Record<string, string | undefined>): string {
  const uid = process.getuid?.() ?? 0
  const folder = env.TMUX_TMPDIR || (process.platform === 'darwin' ? '/private/tmp' : '/tmp')
  return serverOf(env.TMUX)?.socket ?? join(folder, `tmux-${uid}`, 'default')
}

/** The server behind a socket; throws with what to do. */
export async function serverAt(socket: string): Promise<Server> {
  const { ok, out, err } = await runCommand(socket, ['display-message', '-p', '#{pid} #{version}'])
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
  const { ok, out } = await runCommand(socket, ['display-message', '-p', '#{pid}'])
  return ok && out.trim() === String(pid)
}
