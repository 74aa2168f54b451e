/**
 * Text that came from agents, made fit for a cell of the screen: no sequence that drives a terminal, one line, and
 * only letters on whose width terminals agree.
 *
 *   clean('\u001b[31mred\u001b[0m\n⚠️')   // 'red ⚠'
 */

const MAX_UNITS = 2_000 // of a text that is shown in part only; a prompt may have megabytes

/** C0, DEL, C1, line and paragraph separators. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
/** Marks of direction, joiners, variation selectors, skin tones, tags: nothing to see, and widths nobody agrees on. */
const UNSEEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them stands for itself
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]|[\u{1f3fb}-\u{1f3ff}\u{e0000}-\u{e0fff}]/gu
const HEAP_OF_ACCENTS = /(\p{M}{2})\p{M}+/gu
const REGIONAL = /[\u{1f1e6}-\u{1f1ff}]/gu
const LONELY_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const PLAIN = /^[\u0020-\u007e]*$/

export function clean(text: string, max = MAX_UNITS): string {
  const short = text.length > max ? text.slice(0, max) : text
  if (PLAIN.test(short)) return short.replace(/ {2,}/g, ' ').trim()
  return cleanCells(short).replace(/\s+/g, ' ').trim()
}

/** As `clean`, but spaces stay where they are: a line of a screen. */
export function cleanCells(text: string): string {
  if (PLAIN.test(text)) return text
  return Bun.stripANSI(text)
    .replace(/\t/g, '  ')
    .replace(CONTROLS, ' ')
    .replace(LONELY_SURROGATE, '?')
    .normalize('NFC')
    .replace(UNSEEN, '')
    .replace(HEAP_OF_ACCENTS, '$1')
    .replace(REGIONAL, (flag) => String.fromCharCode(65 + (flag.codePointAt(0) ?? 0) - 0x1f1e6))
}

export function widthOf(text: string): number {
  return PLAIN.test(text) ? text.length : Bun.stringWidth(text)
}

/** At most so many columns, with a mark where something was cut. */
export function cut(text: string, width: number): string {
  if (width <= 0) return ''
  if (widthOf(text) <= width) return text
  if (width === 1) return '…'
  let shown = ''
  let used = 0
  for (const letter of text) {
    const wide = widthOf(letter)
    if (used + wide > width - 1) break
    shown += letter
    used += wide
  }
  return `${shown.trimEnd()}…`
}

/** Exactly so many columns. */
export function fit(text: string, width: number): string {
  const shown = cut(text, width)
  return shown + ' '.repeat(Math.max(0, width - widthOf(shown)))
}

export function fitRight(text: string, width: number): string {
  const shown = cut(text, width)
  return ' '.repeat(Math.max(0, width - widthOf(shown))) + shown
}

/** Lines of at most `width` columns, broken at spaces; the last one is cut when there is more. */
export function wrap(text: string, width: number, most: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (widthOf(longer) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    if (lines.length >= most) break
  }
  if (line !== '') lines.push(line)
  const kept = lines.slice(0, most).map((one) => cut(one, width))
  const last = kept.at(-1)
  if (lines.length > most && last !== undefined && !last.endsWith('…'))
    kept[kept.length - 1] = `${cut(last, width - 1).replace(/…$/, '')}…`
  return kept
}

/** 42 000 → "42s", 3 700 000 → "1h": at most four columns. */
export function age(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000))
  if (s < 60) return `${s}s`
  if (s < 3600) return `${Math.floor(s / 60)}m`
  if (s < 86_400) return `${Math.floor(s / 3600)}h`
  return `${Math.min(999, Math.floor(s / 86_400))}d`
}

export function clock(at: number): string {
  return new Date(at).toTimeString().slice(0, 8)
}
