/**
 * Makes agents' text safe for a terminal: no control sequences, one line, only letters of agreed width.
 *
 *   clean('\u001b[31mred\u001b[0m\n⚠️')   // 'red ⚠'
 */

const MAX_UNITS = 2_000 // limit for text that is shown in part; a prompt may have megabytes

/** C0, DEL, C1, line and paragraph separators. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
/** The same, and bidi controls. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const DRIVING = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g
/**
 * Whole terminal control sequences: CSI, strings (OSC, DCS, SOS, PM, APC) with their terminator, and short escapes. Of an
 * unterminated string only the introducer is removed; otherwise it would hide everything after it.
 */
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009b-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g
/** Bidi marks, joiners, variation selectors, skin tones, tags: invisible, and terminals disagree on their width. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u{fff0}-\u{fffb}]|[\u{1f3fb}-\u{1f3ff}]/gu
/**
 * An emoji with its modifiers, or a run of invisible characters. A Braille blank counts as invisible: no program treats it
 * as a space.
 */
const EMOJI_OR_HIDDEN =
  /\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\u{fe0f}?\u{200d}?|([\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}\u{fff0}-\u{fffb}]+)/gu
const HEAP_OF_ACCENTS = /(\p{M}{2})\p{M}+/gu
const REGIONAL = /[\u{1f1e6}-\u{1f1ff}]/gu
const LONELY_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const PLAIN = /^[\u0020-\u007e]*$/

export function clean(text: string, max = MAX_UNITS): string {
  const short = text.length > max ? text.slice(0, max) : text
  if (PLAIN.test(short)) return short.replace(/ {2,}/g, ' ').trim()
  return cleanCells(short).replace(/\s+/g, ' ').trim()
}

/** Like `clean`, but keeps spaces: for a line of a screen. */
export function cleanCells(text: string): string {
  if (PLAIN.test(text)) return text
  return text
    .replace(SEQUENCES, '')
    .replace(/\t/g, '  ')
    .replace(CONTROLS, ' ')
    .replace(LONELY_SURROGATE, '?')
    .normalize('NFC')
    .replace(UNSEEN, '')
    .replace(HEAP_OF_ACCENTS, '$1')
    .replace(REGIONAL, (flag) => String.fromCharCode(65 + (flag.codePointAt(0) ?? 0) - 0x1f1e6))
}

/** Removes only control sequences and control characters; everything else stays. */
export function plain(text: string): string {
  return PLAIN.test(text) ? text : text.replace(SEQUENCES, '').replace(DRIVING, ' ')
}

/**
 * For text that a person approves. Removes single control characters rather than whole sequences, so an unterminated
 * sequence hides nothing. Names invisible characters, as in `rm⟨U+200B⟩`: dropping them would show another text than the
 * one that runs.
 */
export function bare(text: string): string {
  if (PLAIN.test(text)) return text
  return text.replace(DRIVING, ' ').replace(EMOJI_OR_HIDDEN, (found, hidden?: string) => {
    if (hidden === undefined) return found
    const [first = '', ...more] = hidden
    const name = (first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `⟨U+${name}${more.length > 0 ? ` and ${more.length} more` : ''}⟩`
  })
}

/** Escapes control characters as `\uXXXX`, so JSON and source text keep their value. Newlines and tabs stay. */
export function escaped(text: string): string {
  return text.replace(DRIVING, (run) => [...run].map(escapeOf).join(''))
}

function escapeOf(letter: string): string {
  if (letter === '\n' || letter === '\t') return letter
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** 1 → "1 event", 1234 → "1,234 events". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** 1 → "once", 1234 → "1,234 times". */
export function times(count: number): string {
  return count === 1 ? 'once' : counted(count, 'time')
}

export function clock(at: number): string {
  return new Date(at).toTimeString().slice(0, 8)
}

/** 1st, 2nd, 10th. */
export function ordinal(n: number): string {
  const end = new Intl.PluralRules('en', { type: 'ordinal' }).select(n)
  return `${n}${{ one: 'st', two: 'nd', few: 'rd' }[end as 'one'] ?? 'th'}`
}

/** One word in single quotes. Shells and tmux read it alike; fish, too, unless it contains a backslash. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** One shell word, quoted only if necessary. */
export function shellWord(text: string): string {
  return /^[\w./:,=@%+-]+$/.test(text) ? text : quoted(text)
}
