/**
 * The bell, and terminal notifications (OSC 9: iTerm2, kitty, WezTerm, Ghostty; OSC 777: urxvt, foot, Ghostty). In tmux
 * the bell goes to the pane, whose window is then marked. A sequence goes through the pane if tmux passes it on and
 * somebody sees the pane, else directly to the terminals that show the session.
 */
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'
import { processRow } from '../../core/processes/process-table.ts'
import { type PaneView, viewOfPane } from '../focus.ts'
import type { Channel, Notification, Sent } from './channel.ts'

const TTY = /^\/dev\/(pts\/\d{1,7}|tty[a-zA-Z0-9]{1,12})$/

export async function ring({ target }: Notification): Promise<Sent> {
  const tty = (await viewOfPane(target))?.tty ?? (await ttyOf(target.pid))
  return tty === undefined ? nowhere() : write(tty, '\u0007')
}

export async function showOsc({ form }: Channel, message: Notification): Promise<Sent> {
  const sequences = oscOf(form, message)
  const view = await viewOfPane(message.target)
  if (view) {
    const ways = waysTo(view)
    if (ways.length === 0) return { ok: false, detail: 'nobody is attached to its tmux session' }
    const done = ways.map(({ tty, wrapped }) => write(tty, sequences.map(wrapped ? wrap : plainly).join('')))
    return done.find(({ ok }) => ok) ?? done[0] ?? nowhere()
  }
  const tty = await ttyOf(message.target.pid)
  return tty === undefined ? nowhere() : write(tty, sequences.join(''))
}

/** The text has no control characters; the title must not contain the separator, either. */
export function oscOf(
  form: Channel['form'],
  { title, body }: Pick<Notification, 'title' | 'body'>,
): string[] {
  const flat = body.replaceAll('\n', ' · ')
  const nine = `\u001b]9;${title}: ${flat}\u0007`
  const urxvt = `\u001b]777;notify;${title.replaceAll(';', ',')};${flat}\u0007`
  return form === '9' ? [nine] : form === '777' ? [urxvt] : [nine, urxvt]
}

/** tmux unwraps this and passes it to the outer terminal. */
export function wrap(sequence: string): string {
  return `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`
}

function plainly(sequence: string): string {
  return sequence
}

export function waysTo(view: PaneView): { readonly tty: string; readonly wrapped: boolean }[] {
  const passes = view.passthrough === 'all' || (view.passthrough === 'on' && view.visible)
  if (passes && view.viewers.length > 0) return [{ tty: view.tty, wrapped: true }]
  return view.viewers.map(({ tty }) => ({ tty, wrapped: false }))
}

/** The terminal of an agent outside of tmux. */
async function ttyOf(pid: number | undefined): Promise<string | undefined> {
  if (pid === undefined) return undefined
  const { tty = '' } = (await processRow(pid)) ?? {}
  return /^(pts\/\d+|tty\w+)$/.test(tty) ? `/dev/${tty}` : undefined
}

/**
 * Never blocks: a terminal stopped with Ctrl-S accepts nothing. Never becomes the daemon's controlling terminal, whose
 * end would kill it.
 */
function write(tty: string, text: string): Sent {
  if (!TTY.test(tty)) return { ok: false, detail: 'its terminal has an unexpected name' }
  let fd: number | undefined
  try {
    fd = openSync(tty, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK)
    const stat = fstatSync(fd)
    if (!stat.isCharacterDevice() || stat.uid !== process.getuid?.())
      return { ok: false, detail: `${tty} is not a terminal of yours` }
    const bytes = Buffer.from(text)
    const count = writeSync(fd, bytes)
    return count === bytes.length
      ? { ok: true, detail: tty }
      : { ok: false, detail: `${tty} took only a part of it` }
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException
    return { ok: false, detail: code === 'EAGAIN' ? `${tty} is blocked (Ctrl-S)` : `${tty}: ${code}` }
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

function nowhere(): Sent {
  return { ok: false, detail: 'its terminal is not known' }
}
