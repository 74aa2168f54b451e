/** The status-right line: tmux starts this process every few seconds; against a process that does nothing. */
import { type Result, versus } from '../measure.ts'
import { GANTRY, HOOK, interleave, numbers, type Stage } from '../stage.ts'

const US_TO_MS = 1 / 1000

/** The native program, and `gantry tmux status`, which runs it from a shell. */
export async function tmuxStatus(stage: Stage): Promise<Result[]> {
  const at = stage.home()
  const daemon = await stage.daemon(at)
  await numbers([stage.program('spawn'), '1', stage.payload, HOOK, 'claude', 'PreToolUse'], stage.env(at))
  // After the first request the daemon maintains the line.
  await numbers(
    [stage.program('spawn'), '1', stage.payload, GANTRY, 'tmux', 'status', '--fresh'],
    stage.env(at),
  )
  const batch = String(Math.max(10, Math.round(100 * stage.effort)))
  const time = (...argv: string[]) =>
    numbers([stage.program('spawn'), batch, stage.payload, ...argv], stage.env(at))
  const [command = [], native = [], floor = []] = await interleave(
    8,
    () => time(GANTRY, 'tmux', 'status'),
    () => time(HOOK, '--tmux-status'),
    () => time(Bun.which('true') ?? '/bin/true'),
  )
  await daemon.stop()
  const ms = (samples: number[]) => samples.map((us) => us * US_TO_MS)
  return [
    versus('tmux-status', 'ms', ms(command), ms(floor), 'true'),
    versus('tmux-status-native', 'ms', ms(native), ms(floor), 'true'),
  ]
}
