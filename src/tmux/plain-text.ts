/**
 * Sanitizes text from agents for a status line: besides terminal escapes, tmux interprets `#[…]` as a style, `#{…}` as a
 * format and `#(…)` as a command to run.
 *
 *   plainText('#(rm -rf ~) \u001b[31mred', 40)   // '(rm -rf ~) red'
 */
import { cut } from '../core/text/columns.ts'
import { clean } from '../core/text/text.ts'

const MAX_UNITS = 400 // forty columns are shown; a name may be a megabyte

export function plainText(text: string, columns: number): string {
  return cut(clean(text, MAX_UNITS).replaceAll('#', ''), columns)
}

/** The same where formats are not interpreted: it keeps the `#`. */
export function oneLine(text: string, columns: number): string {
  return cut(clean(text, MAX_UNITS), columns)
}
