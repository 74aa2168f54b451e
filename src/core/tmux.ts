/**
 * Runs commands in a tmux server. A hook names its socket, so that is checked before anything connects to it.
 *
 *   const pane = paneOf(session)
 *   if (pane) await runCommand(pane.socket, ['select-pane', '-t', pane.pane])
 */
import { statSync } from 'node:fs'
import { run } from './processes/exec.ts'

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

function isOwnSocket(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isSocket() === true && stat.uid === process.getuid?.()
}

/** Runs one command and returns its output. */
export async function runCommand(socket: string, argv: readonly string[], stdin = ''): Promise<Said> {
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
export function runLines(socket: string, lines: readonly string[]): Promise<Said> {
  return runCommand(socket, ['source-file', '-'], `${lines.join('\n')}\n`)
}
