/**
 * What `apply` adds to tmux's options: format snippets that show gantry's own options, beside the user's value. A
 * snippet is found by its exact text, so it can be removed from a value that was changed meanwhile.
 */
import { BACKGROUND_OPTION, BORDER_OPTION, STATUS_OPTION, SUMMARY_OPTION } from './paint.ts'
import { SUMMARY_COLUMNS } from './summary.ts'

export const BADGE_OPTION = '@gantry_badge'

export interface Addition {
  readonly name: string
  /** Where the option can be set besides the server-wide default. */
  readonly level: 'server' | 'session' | 'window' | 'pane'
  /** The value with our part; unchanged if it has it already. */
  with(value: string): string
  /** The value without our part; undefined if our part cannot be separated. */
  without(value: string): string | undefined
}

const SUMMARY = `#{?${SUMMARY_OPTION},#{${SUMMARY_OPTION}} ,}`
const BADGE = `#{?#{P:#{${STATUS_OPTION}}}, #{E:${BADGE_OPTION}},}`
const BORDER = `,#{?${BORDER_OPTION},fg=#{${BORDER_OPTION}},}`
/** Green marks the active pane; it is overridden only for an agent that needs you (error, attention). */
const ACTIVE_BORDER = `,#{?${BORDER_OPTION},#{?#{m:[ea]*,#{${STATUS_OPTION}}},fg=#{${BORDER_OPTION}},},}`
const BACKGROUND = `,#{?${BACKGROUND_OPTION},bg=#{${BACKGROUND_OPTION}},}`

export const ADDITIONS: readonly Addition[] = [
  piece('status-right', 'session', SUMMARY, 'before'),
  piece('window-status-format', 'window', BADGE, 'after'),
  piece('window-status-current-format', 'window', BADGE, 'after'),
  piece('pane-border-style', 'window', BORDER, 'after'),
  piece('pane-active-border-style', 'window', ACTIVE_BORDER, 'after'),
  piece('window-style', 'pane', BACKGROUND, 'after'),
  {
    name: 'status-right-length',
    level: 'session',
    with: (value) => String(Number(value) + SUMMARY_COLUMNS + 1),
    without: () => undefined,
  },
  // Without it tmux does not report which pane has the focus.
  { name: 'focus-events', level: 'server', with: () => 'on', without: () => undefined },
]

function piece(name: string, level: Addition['level'], text: string, side: 'before' | 'after'): Addition {
  return {
    name,
    level,
    with: (value) => (value.includes(text) ? value : side === 'before' ? text + value : value + text),
    without: (value) => (value.includes(text) ? value.replace(text, () => '') : undefined),
  }
}
