/** The line for status-right as tmux feels it: a process every few seconds, against one that does nothing. */
import { type Result, versus } from '../measure.ts'
import { GANTRY, HOOK, interleave, numbers, type Stage } from '../stage.ts'

const US_TO_MS = 1 / 1000

/** Natively, and as `gantry tmux status`, which is the same behind a shell. */
export async function tmuxStatus(stage: Stage): Promise<Result[]> {
  const at = stage.home()
  const daemon = await stage.daemon(at)
  await numbers([stage.program('spawn'), '1', stage.payload, HOOK, 'claude', 'PreToolUse'], stage.env(at))
  // The first to ask has the daemon keep the line.
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
