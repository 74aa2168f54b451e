/** The badge after a window's name: the most urgent status among its panes, computed by tmux itself. */
import { quoted } from '../core/text/text.ts'
import { ENGINE_LOOKS, ENGINE_ORDER } from '../sessions/state/index.ts'
import { BADGE_OPTION } from './additions.ts'
import type { TmuxSettings } from './config.ts'
import { STATUS_OPTION } from './paint.ts'

/** A format, not a value: panes move between windows, and a value would have to follow them. */
export function badgeLine(settings: TmuxSettings): string {
  const format = ENGINE_ORDER.reduceRight<string>((otherwise, status) => {
    const { mark: sign } = ENGINE_LOOKS[status]
    const mark = settings[status] === '' ? sign : `#[fg=${settings[status]}]${sign}#[default]`
    return `#{?#{m:*${status}*,#{P:#{${STATUS_OPTION}}}},${mark},${otherwise}}`
  }, '')
  return `set -g ${BADGE_OPTION} ${quoted(format)}`
}
