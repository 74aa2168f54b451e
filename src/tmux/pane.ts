/**
 * The pane of a session: read, type into. A pane id is only valid within its server, and a restarted server
 * reuses ids, so both are checked before anything is done.
 *
 *   const pane = paneOf(session)
 *   if (pane) await typeInto(pane, session, 'yes')
 */
import { clean, cleanCells } from '../core/text/text.ts'
import { type Pane, runCommand, type Said } from '../core/tmux.ts'
import { outOfReach, type Reached } from './reach.ts'

const MAX_SCREEN_LINES = 200
const BEFORE_ENTER_MS = 80 // agents take text with Enter in one write for a paste, and Enter for a line of it

/** The outcome, in words for a person. */
export interface Done {
  readonly ok: boolean
  readonly says: string
}

export interface PaneState {
  readonly pid: number
  /** Somebody scrolls in it. */
  readonly inMode: boolean
  /** What is in front. */
  readonly command: string
}

const STATE = '#{pid} #{pane_id} #{pane_pid} #{pane_in_mode} #{pane_dead} #{pane_current_command}'

/** The state of the pane, if it exists in that very server process. */
export async function paneState(pane: Pane): Promise<PaneState | undefined> {
  const { out } = await runCommand(pane.socket, ['display-message', '-p', '-t', pane.pane, STATE])
  return parseState(pane, out)
}

function parseState({ pid, pane }: Pane, text: string): PaneState | undefined {
  const [server, id, process, mode, dead, ...command] = text.trim().split(' ')
  if (server !== String(pid) || id !== pane || dead === '1') return undefined
  return { pid: Number(process), inMode: mode !== '0', command: command.join(' ') }
}

/** The pane's screen as plain lines. */
export async function screenOf(pane: Pane): Promise<readonly string[] | undefined> {
  const at = ['-p', '-t', pane.pane]
  const { ok, out } = await runCommand(pane.socket, [
    ...['display-message', ...at, STATE],
    ';',
    ...['capture-pane', ...at],
  ])
  const [state = '', ...lines] = out.split('\n')
  if (!ok || !parseState(pane, state)) return undefined
  return lines.slice(-MAX_SCREEN_LINES).map(cleanCells)
}

export async function interruptPane(pane: Pane, session: Reached): Promise<Done> {
  const there = await readyPane(pane, session)
  return there.ok ? order(pane, 'send-keys', 'Escape') : there
}

/** Types the text literally, then Enter. */
export async function typeInto(pane: Pane, session: Reached, text: string): Promise<Done> {
  const there = await readyPane(pane, session)
  if (!there.ok) return there
  const typed = await order(pane, 'send-keys', '-l', '--', text)
  if (!typed.ok) return typed
  await Bun.sleep(BEFORE_ENTER_MS)
  return order(pane, 'send-keys', 'Enter')
}

export async function closePane(pane: Pane): Promise<Done> {
  if (!(await paneState(pane))) return { ok: false, says: gone(pane) }
  return order(pane, 'kill-pane')
}

/** In copy mode a pane would interpret the keys itself. */
async function readyPane(pane: Pane, session: Reached): Promise<Done> {
  const there = await paneState(pane)
  if (!there) return { ok: false, says: gone(pane) }
  const why = await outOfReach(session, there)
  if (why !== undefined) return { ok: false, says: `${why} Nothing was sent.` }
  if (there.inMode) await order(pane, 'send-keys', '-X', 'cancel')
  return { ok: true, says: '' }
}

async function order(pane: Pane, command: string, ...args: string[]): Promise<Done> {
  return doneBy(await runCommand(pane.socket, [command, '-t', pane.pane, ...args]))
}

function doneBy({ ok, err }: Said): Done {
  return { ok, says: ok ? '' : `tmux: ${clean(err) || 'no answer'}` }
}

export function gone({ pane }: Pane): string {
  return `Its pane ${pane} is gone.`
}
