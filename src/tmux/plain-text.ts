/**
 * Text that came from agents, made fit for a status line: tmux takes `#[…]` for a style, `#{…}` for a format and
 * `#(…)` for a command to run, and a terminal takes control sequences for orders.
 *
 *   plainText('#(rm -rf ~) \u001b[31mred', 40)   // '(rm -rf ~) red'
 */
const MAX_UNITS = 400 // of a text of which forty columns are shown; a name may be a megabyte

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
const UNSEEN =
  /[\u00ad\u034f\u061c\u115f\u1160\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]|[\u{e0000}-\u{e0fff}]/gu
const LONELY_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

export function plainText(text: string, columns: number): string {
  const shown = Bun.stripANSI(text.slice(0, MAX_UNITS))
    .replace(CONTROLS, ' ')
    .replace(LONELY_SURROGATE, '')
    .replace(UNSEEN, '')
    .replaceAll('#', '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/\s+/g, ' ')
    .trim()
  return cut(shown, columns)
}

function cut(text: string, columns: number): string {
  if (Bun.stringWidth(text) <= columns) return text
  let kept = ''
  let used = 0
  for (const letter of text) {
    used += Bun.stringWidth(letter)
    if (used > columns - 1) break
    kept += letter
  }
  return `${kept.trimEnd()}…`
}
