/** Channels that run a program on this machine: desktop notifications and sound. */
import { existsSync } from 'node:fs'
import { run } from '../../core/processes/exec.ts'
import { oneLine } from '../../tmux/index.ts'
import type { Channel, Notification, Sent } from './channel.ts'

const ERROR_COLUMNS = 160

/** In order of preference; each plays the file in its last argument and exits. */
const PLAYERS: readonly (readonly string[])[] = [
  ['afplay'],
  ['pw-play'],
  ['paplay'],
  ['aplay', '-q'],
  ['ffplay', '-nodisp', '-autoexit', '-loglevel', 'error'],
]

export function showDesktop(channel: Channel, message: Notification): Promise<Sent> {
  const { title, body, urgent } = message
  if (process.platform === 'darwin') {
    // Text is passed as arguments: inside the script it could be code.
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

/** Most desktops interpret the body as simple HTML. */
function markupOf(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** A daemon started by a hook over SSH or by systemd may not know the desktop's D-Bus address. */
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
    return { ok: false, detail: `${name} exited with ${exit}: ${oneLine(stderr, ERROR_COLUMNS)}` }
  } catch {
    return { ok: false, detail: `${name} cannot be started; is it installed?` }
  }
}
