/** Formats a timeline, one line per entry; cut to the terminal's width, whole in a pipe. */
import { clockOf, type Entry, endOf, nameOf, styleOf } from '../../timeline/index.ts'
import { bold, byTone, columns, cut, dim, padTo, plain, widthOf } from '../framework/terminal.ts'

const CLOCK_COLUMNS = 9
const LABEL_COLUMNS = 14
const LEAST_TEXT = 10

/** Times are relative to `since`. */
export function timelineLines(entries: readonly Entry[], since: number, now: number): string[] {
  const width = columns(Number.POSITIVE_INFINITY)
  return entries.map((entry) => {
    const { mark, tone } = styleOf(entry)
    const clock = clockOf(entry.at - since).padStart(CLOCK_COLUMNS)
    const inset = entry.child ? '│ ' : ''
    const label = padTo(cut(plain(nameOf(entry)), LABEL_COLUMNS), LABEL_COLUMNS)
    const end = endOf(entry, now)
    const room = Math.max(LEAST_TEXT, width - CLOCK_COLUMNS - LABEL_COLUMNS - inset.length - widthOf(end) - 7)
    const cutText = cut(plain(entry.text), room)
    const text = end === '' || room === Number.POSITIVE_INFINITY ? cutText : padTo(cutText, room)
    const said = entry.kind === 'prompt' ? bold(text) : entry.kind === 'note' ? dim(text) : text
    return `${dim(clock)}  ${dim(inset)}${byTone(tone)(`${mark} ${label}`)} ${said}${end === '' ? '' : `  ${dim(end)}`}`.trimEnd()
  })
}
