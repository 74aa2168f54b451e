/** The mark behind a window's name: the most urgent status among the agents in its panes, asked of tmux itself. */
import { BADGE_OPTION } from './additions.ts'
import { STATUS_OPTION } from './paint.ts'
import { word } from './server.ts'
import type { TmuxSettings } from './settings.ts'
import { GLYPHS, STATUSES } from './summary.ts'

/** Panes move between windows, so the windows' marks are a format and not a value that would have to follow them. */
export function badgeLine(settings: TmuxSettings): string {
  const format = STATUSES.reduceRight((otherwise, status) => {
    const mark =
      settings[status] === '' ? GLYPHS[status] : `#[fg=${settings[status]}]${GLYPHS[status]}#[default]`
    return `#{?#{m:*${status}*,#{P:#{${STATUS_OPTION}}}},${mark},${otherwise}}`
  }, '')
  return `set -g ${BADGE_OPTION} ${word(format)}`
}
