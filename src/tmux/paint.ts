/**
 * Commands for tmux: three options of our own on each agent's pane, and one with the summary. The formats that `apply`
 * added show them, so nothing of the user's is overwritten here.
 */
import { quoted } from '../core/text/text.ts'
import { ENGINE_ORDER, type EngineStatus } from '../sessions/state/index.ts'
import type { TmuxSettings } from './config.ts'

export const STATUS_OPTION = '@gantry_status'
export const BORDER_OPTION = '@gantry_border'
export const BACKGROUND_OPTION = '@gantry_background'
export const SUMMARY_OPTION = '@gantry_summary'
export const PANE_OPTIONS = [STATUS_OPTION, BORDER_OPTION, BACKGROUND_OPTION] as const

/** error > attention > working > checked > done, for a pane with several sessions. */
export function moreUrgent(a: EngineStatus | undefined, b: EngineStatus): EngineStatus {
  return a !== undefined && ENGINE_ORDER.indexOf(a) <= ENGINE_ORDER.indexOf(b) ? a : b
}

/** One command line, so nothing is done if the pane is gone. */
export function paintPane(pane: string, status: EngineStatus | undefined, settings: TmuxSettings): string[] {
  if (status === undefined) return [clearPane(pane), restyle(pane)]
  const { pane: what } = settings
  const border = what === 'border' || what === 'both' ? settings[status] : ''
  const background = what === 'background' || what === 'both' ? settings[`${status}_background`] : ''
  const values = [status, border, background]
  const sets = PANE_OPTIONS.map((name, i) => `set -pq -t ${pane} ${name} ${quoted(values[i] ?? '')}`)
  return [sets.join(' ; '), ...(what === 'border' || what === 'none' ? [] : [restyle(pane)])]
}

export function clearPane(pane: string): string {
  return PANE_OPTIONS.map((name) => `set -pqu -t ${pane} ${name}`).join(' ; ')
}

export function paintSummary(text: string): string {
  return `set -g ${SUMMARY_OPTION} ${quoted(text)}`
}

/**
 * tmux 3.3 keeps a pane's style until one of its two style options changes, so the other option is set on the pane and
 * unset again. `-o` fails if the user has set that option there, and tmux then skips the rest of the line; with `-q` it
 * would continue.
 */
function restyle(pane: string): string {
  return `set -po -t ${pane} window-active-style default ; set -pu -t ${pane} window-active-style`
}
