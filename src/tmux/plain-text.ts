/**
 * Text that came from agents, made fit for a status line: tmux takes `#[…]` for a style, `#{…}` for a format and
 * `#(…)` for a command to run, and a terminal takes control sequences for orders.
 *
 *   plainText('#(rm -rf ~) \u001b[31mred', 40)   // '(rm -rf ~) red'
 */
const MAX_UNITS = 400 // of a text of which forty columns are shown; a name may be a megabyte

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
/** Marks of direction, joiners, variation selectors: nothing to see, and widths nobody agrees on. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const LONELY_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

export function plainText(text: string, columns: number): string {
  return cleaned(text, '#', columns)
}

/** The same for where nobody reads formats: it keeps the `#`. */
export function oneLine(text: string, columns: number): string {
  return cleaned(text, '', columns)
}

function cleaned(text: string, without: string, columns: number): string {
  const shown = Bun.stripANSI(text.slice(0, MAX_UNITS))
    .replace(CONTROLS, ' ')
    .replace(LONELY_SURROGATE, '')
    .replace(UNSEEN, '')
    .replaceAll(without, '')
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
