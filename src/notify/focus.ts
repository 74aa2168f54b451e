/** Asks a pane's tmux server who looks at it and where its terminal is; undefined if the pane is gone. */
import { paneOf, runCommand } from '../core/tmux.ts'
import type { Target } from './channels/channel.ts'
import type { Viewer } from './rules.ts'

export interface PaneView {
  /** The pane's own pty. */
  readonly tty: string
  /** Its window is on somebody's screen. */
  readonly visible: boolean
  readonly passthrough: 'off' | 'on' | 'all'
  readonly viewers: readonly (Viewer & { readonly tty: string; readonly showsPane: boolean })[]
}

const PANE =
  '#{pid} #{pane_id} #{pane_dead} #{pane_active} #{window_active} #{session_attached} #{pane_tty} #{session_id}'
/** A client shows the active pane of its session's current window. */
const CLIENT =
  '#{client_tty} #{client_activity} #{pane_id} #{session_id} #{client_control_mode} #{client_flags}'

export async function viewOfPane(target: Target): Promise<PaneView | undefined> {
  const pane = paneOf(target)
  if (!pane) return undefined
  const { ok, out } = await runCommand(pane.socket, [
    'display-message',
    '-p',
    '-t',
    pane.pane,
    PANE,
    ';',
    'show-options',
    '-Apqv',
    '-t',
    pane.pane,
    'allow-passthrough',
  ])
  const [facts = '', passes = ''] = out.split('\n')
  const [pid, id, dead, active, current, attached, tty = '', session = ''] = facts.split(' ')
  if (!ok || pid !== String(pane.pid) || id !== pane.pane || dead === '1') return undefined
  const clients = await runCommand(pane.socket, ['list-clients', '-F', CLIENT])
  return {
    tty,
    visible: active === '1' && current === '1' && attached !== '0',
    passthrough: passes === 'on' || passes === 'all' ? passes : 'off',
    viewers: clients.out.split('\n').flatMap((line) => {
      const [clientTty = '', activity, shows, its, control, ...flags] = line.split(' ')
      // Grouped sessions share windows: a client may show the pane from another session than tmux names.
      if ((its !== session && shows !== pane.pane) || control === '1' || clientTty === '') return []
      return [
        {
          tty: clientTty,
          showsPane: shows === pane.pane,
          focused: flags.join(' ').split(',').includes('focused'),
          activeAt: Number(activity) * 1000,
        },
      ]
    }),
  }
}
