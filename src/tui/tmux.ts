/**
 * The tmux pane of a session: looked at, gone to, typed into. A pane's number means nothing without its server, and a
 * server that was started again gives the same numbers anew, so both are checked before anything is done.
 */
import { statSync } from 'node:fs'
import type { SessionView } from '../client/index.ts'
import { cleanCells } from './model/text.ts'

const ASK_LIMIT_MS = 1_000
const MAX_SCREEN_LINES = 200
const BEFORE_ENTER_MS = 80 // agents take text and Enter in one go for a paste, and Enter for a line of it

export interface Pane {
  readonly server: string
  readonly serverPid: string
  readonly pane: string
}

export type Done =
  | { readonly ok: true; readonly says: string }
  | { readonly ok: false; readonly says: string }

const done = (says = ''): Done => ({ ok: true, says })
const failed = (says: string): Done => ({ ok: false, says })

export function paneOf({ pane, tmux }: SessionView): Pane | undefined {
  const [server = '', serverPid = ''] = tmux?.split(',') ?? []
  if (!pane || !/^%\d{1,9}$/.test(pane) || !server.startsWith('/') || !/^\d+$/.test(serverPid))
    return undefined
  return { server, serverPid, pane }
}

const STATE = '#{pid} #{pane_id} #{pane_pid} #{pane_in_mode} #{pane_dead}'

/** Its process, when the pane is there, of that very server. */
export async function paneState(pane: Pane): Promise<PaneState | undefined> {
  const { text } = await tmux(pane, 'display-message', '-p', '-t', pane.pane, STATE)
  return parseState(pane, text)
}

interface PaneState {
  readonly pid: number
  readonly inMode: boolean
}

function parseState(pane: Pane, text: string): PaneState | undefined {
  const [server, id, pid, mode, dead] = text.trim().split(' ')
  if (server !== pane.serverPid || id !== pane.pane || dead === '1') return undefined
  return { pid: Number(pid), inMode: mode !== '0' }
}

/** What the pane shows, as plain lines. */
export async function screenOf(pane: Pane): Promise<readonly string[] | undefined> {
  const at = ['-p', '-t', pane.pane]
  const { ok, text } = await tmux(pane, 'display-message', ...at, STATE, ';', 'capture-pane', ...at)
  const [state = '', ...lines] = text.split('\n')
  if (!ok || !parseState(pane, state)) return undefined
  return lines.slice(-MAX_SCREEN_LINES).map(cleanCells)
}

export type Way =
  | { readonly kind: 'switched' }
  | { readonly kind: 'attach'; readonly argv: readonly string[] }
  | { readonly kind: 'no'; readonly why: string }

/** Inside the same tmux the client is taken there; outside of any, a program is named that attaches. */
export async function wayTo(pane: Pane, ownTmux: string | undefined): Promise<Way> {
  if (!(await paneState(pane))) return { kind: 'no', why: `Its pane ${pane.pane} is gone.` }
  const mine = ownTmux?.split(',')[0] || undefined
  if (mine !== undefined && mine !== pane.server)
    return { kind: 'no', why: `It is in another tmux: tmux -S ${pane.server} attach -t ${pane.pane}` }
  await tmux(pane, 'select-window', '-t', pane.pane)
  const selected = await tmux(pane, 'select-pane', '-t', pane.pane)
  if (!selected.ok) return { kind: 'no', why: `tmux: ${selected.text}` }
  if (mine === undefined)
    return { kind: 'attach', argv: ['tmux', '-S', pane.server, 'attach-session', '-t', pane.pane] }
  const switched = await tmux(pane, 'switch-client', '-t', pane.pane)
  return switched.ok ? { kind: 'switched' } : { kind: 'no', why: `tmux: ${switched.text}` }
}

export async function interruptPane(pane: Pane): Promise<Done> {
  const there = await readyPane(pane)
  if (!there.ok) return there
  const sent = await tmux(pane, 'send-keys', '-t', pane.pane, 'Escape')
  return sent.ok ? done() : failed(`tmux: ${sent.text}`)
}

/** Letter by letter as it is, then Enter. */
export async function typeInto(pane: Pane, text: string): Promise<Done> {
  const there = await readyPane(pane)
  if (!there.ok) return there
  const typed = await tmux(pane, 'send-keys', '-t', pane.pane, '-l', '--', text)
  if (!typed.ok) return failed(`tmux: ${typed.text}`)
  await Bun.sleep(BEFORE_ENTER_MS)
  const sent = await tmux(pane, 'send-keys', '-t', pane.pane, 'Enter')
  return sent.ok ? done() : failed(`tmux: ${sent.text}`)
}

export async function closePane(pane: Pane): Promise<Done> {
  if (!(await paneState(pane))) return failed(`Its pane ${pane.pane} is gone.`)
  const closed = await tmux(pane, 'kill-pane', '-t', pane.pane)
  return closed.ok ? done() : failed(`tmux: ${closed.text}`)
}

/** A pane that somebody scrolls in would take keys for its own. */
async function readyPane(pane: Pane): Promise<Done> {
  const there = await paneState(pane)
  if (!there) return failed(`Its pane ${pane.pane} is gone.`)
  if (there.inMode) await tmux(pane, 'send-keys', '-t', pane.pane, '-X', 'cancel')
  return done()
}

async function tmux(pane: Pane, ...args: string[]): Promise<{ ok: boolean; text: string }> {
  try {
    const socket = statSync(pane.server)
    if (!socket.isSocket() || socket.uid !== process.getuid?.())
      return { ok: false, text: 'no server of yours' }
    const child = Bun.spawn(['tmux', '-S', pane.server, ...args], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: ASK_LIMIT_MS,
    })
    const [out, err, exit] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return exit === 0 ? { ok: true, text: out } : { ok: false, text: cleanCells(err.trim()) }
  } catch {
    return { ok: false, text: 'tmux cannot be started' }
  }
}
