/** Channels that are programs of this machine: the desktop's own notifications, and a sound. */

import { existsSync } from 'node:fs'
import { run } from '../core/processes/exec.ts'
import { oneLine } from '../tmux/index.ts'
import type { Channel, Message, Sent } from './channel.ts'

const ERROR_COLUMNS = 160

/** In the order they are looked for; each plays the file that is its last argument, and ends. */
const PLAYERS: readonly (readonly string[])[] = [
  ['afplay'],
  ['pw-play'],
  ['paplay'],
  ['aplay', '-q'],
  ['ffplay', '-nodisp', '-autoexit', '-loglevel', 'error'],
]

export function showDesktop(channel: Channel, message: Message): Promise<Sent> {
  const { title, body, urgent } = message
  if (process.platform === 'darwin') {
    // Text comes as arguments: in the script itself it could be code.
    const script = [
      'on run argv',
      'display notification (item 2 of argv) with title (item 1 of argv)',
      'end run',
    ]
    return ran(['osascript', ...script.flatMap((line) => ['-e', line]), title, body], channel.timeoutMs)
  }
  const urgency = urgent ? 'critical' : 'normal'
  const argv = ['notify-send', '--app-name=gantry', `--urgency=${urgency}`, '--', title, markupOf(body)]
  return ran(argv, channel.timeoutMs, desktopEnv())
}

export function playSound({ file, player, timeoutMs }: Channel): Promise<Sent> {
  if (!existsSync(file)) return Promise.resolve({ ok: false, detail: `there is no file ${file}` })
  const found = player !== '' ? [player] : PLAYERS.find(([name = '']) => Bun.which(name) !== null)
  if (!found) return Promise.resolve({ ok: false, detail: 'no player found; set `player`' })
  return ran([...found, file], timeoutMs)
}

/** Most desktops read the body as a little HTML. */
function markupOf(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** A daemon that was started by a hook over SSH or by systemd may not know where the desktop listens. */
function desktopEnv(): Record<string, string> {
  if (process.env.DBUS_SESSION_BUS_ADDRESS) return {}
  const bus = `${process.env.XDG_RUNTIME_DIR ?? `/run/user/${process.getuid?.() ?? 0}`}/bus`
  return existsSync(bus) ? { DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` } : {}
}

async function ran(
  argv: readonly string[],
  timeoutMs: number,
  env: Record<string, string> = {},
): Promise<Sent> {
  const [name = ''] = argv
  try {
    const { exit, signal, stderr } = await run(argv, { env: { ...process.env, ...env }, timeoutMs })
    if (signal !== null) return { ok: false, detail: `${name} did not end within ${timeoutMs / 1000} s` }
    if (exit === 0) return { ok: true, detail: name }
    return { ok: false, detail: `${name} gave ${exit}: ${oneLine(stderr, ERROR_COLUMNS)}` }
  } catch {
    return { ok: false, detail: `${name} cannot be started; is it installed?` }
  }
}
