/**
 * Text that came from agents, made fit for a status line: besides what drives a terminal, tmux takes `#[…]` for a style,
 * `#{…}` for a format and `#(…)` for a command to run.
 *
 *   plainText('#(rm -rf ~) \u001b[31mred', 40)   // '(rm -rf ~) red'
 */
import { cut } from '../core/text/columns.ts'
import { clean } from '../core/text/text.ts'

const MAX_UNITS = 400 // of a text of which forty columns are shown; a name may be a megabyte

export function plainText(text: string, columns: number): string {
  return cut(clean(text, MAX_UNITS).replaceAll('#', ''), columns)
}

/** The same for where nobody reads formats: it keeps the `#`. */
export function oneLine(text: string, columns: number): string {
  return cut(clean(text, MAX_UNITS), columns)
}
