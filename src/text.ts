/**
 * Text that came from agents, made fit for a terminal: no sequence that drives it, one line, only letters on whose width
 * terminals agree, and cut to columns.
 *
 *   clean('\u001b[31mred\u001b[0m\n⚠️')   // 'red ⚠'
 */

const MAX_UNITS = 2_000 // of a text that is shown in part only; a prompt may have megabytes
const UNITS_A_COLUMN = 4 // letters with accents; a heap of them takes no column at all

/** C0, DEL, C1, line and paragraph separators. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
/** The same, and what turns the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const DRIVING = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g
/**
 * Sequences that drive a terminal, whole: CSI, strings (OSC, DCS, SOS, PM, APC) up to their end, and the short ones. A
 * string without an end loses only its beginning, or everything after it would be hidden.
 */
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009b-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g
/** Marks of direction, joiners, variation selectors, skin tones, tags: nothing to see, and widths nobody agrees on. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u{fff0}-\u{fffb}]|[\u{1f3fb}-\u{1f3ff}]/gu
/** An emoji with what belongs to it, or a run that nobody sees; a blank of Braille is one, and no program takes it for a blank. */
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

/** As `clean`, but spaces stay where they are: a line of a screen. */
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

/** Only what could drive a terminal goes, whole sequences of it; everything else stays as it is. */
export function plain(text: string): string {
  return PLAIN.test(text) ? text : text.replace(SEQUENCES, '').replace(DRIVING, ' ')
}

/**
 * What a person answers for: nothing can hide in a sequence that never ends, so only its control characters go. What cannot be
 * seen is named, `rm⟨U+200B⟩`: to drop it would show another text than the one that is run.
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

/** Nothing goes, and nothing drives: in JSON and in source text, the same strings as before. Lines and tabs stay. */
export function escaped(text: string): string {
  return text.replace(DRIVING, (run) => [...run].map(escapeOf).join(''))
}

function escapeOf(letter: string): string {
  if (letter === '\n' || letter === '\t') return letter
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
}

export function widthOf(text: string): number {
  return PLAIN.test(text) ? text.length : Bun.stringWidth(text)
}

/** At most so many columns, with a mark where something was cut. */
export function cut(text: string, width: number): string {
  if (width <= 0) return ''
  if (text.length <= width * UNITS_A_COLUMN && widthOf(text) <= width) return text
  if (width === 1) return '…'
  let shown = ''
  let used = 0
  for (const letter of text.slice(0, width * UNITS_A_COLUMN)) {
    const wide = widthOf(letter)
    if (used + wide > width - 1) break
    shown += letter
    used += wide
  }
  return `${shown.trimEnd()}…`
}

/**
 * At most so many columns, with beginning and end, and how much is left out between them: nothing can hide behind a cut.
 * `total` is the length of a text whose middle is left out already.
 */
export function elide(text: string, width: number, total = text.length): string {
  if (text.length <= width && widthOf(text) <= width) return text
  const isNarrow = width < MIN_ELIDED_COLUMNS
  const room = width - (isNarrow ? `…+${total}` : ` … ${total} more … `).length
  if (room < 4) return cut(text, width)
  const head = cut(text, isNarrow ? room : Math.ceil(room * 0.6)).replace(/…$/, '')
  const tail = isNarrow ? '' : fromEnd(text, room - widthOf(head))
  const middle = text.slice(head.length, text.length - tail.length)
  const marks = [...middle.matchAll(LEFT_OUT)]
  const before = marks.reduce((sum, [mark, count]) => sum + Number(count) - mark.length, 0)
  const count = total - head.length - tail.length + before
  return isNarrow ? `${head}…+${count}` : `${head} … ${count} more … ${tail}`
}

const MIN_ELIDED_COLUMNS = 32 // less would be all mark and no text: only the beginning then, and how much is left out
/** What was left out once is counted when more is. */
const LEFT_OUT = / … (\d{1,9}) more … /g

function fromEnd(text: string, width: number): string {
  let shown = ''
  let used = 0
  for (const letter of [...text.slice(-width * UNITS_A_COLUMN)].reverse()) {
    const wide = widthOf(letter)
    if (used + wide > width) break
    shown = letter + shown
    used += wide
  }
  return shown.trimStart()
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

/** Lines of at most `width` columns, broken at spaces, and inside of words that are longer; the last one is cut when there is more. */
export function wrap(text: string, width: number, most: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((one) => pieces(one, width))) {
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

function pieces(word: string, width: number): string[] {
  if (width < 1 || widthOf(word) <= width) return [word]
  const found: string[] = []
  let piece = ''
  for (const letter of word) {
    if (piece !== '' && widthOf(piece + letter) > width) {
      found.push(piece)
      piece = ''
    }
    piece += letter
  }
  return [...found, piece]
}

/** 1 → "1 event", 1234 → "1,234 events". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** 1 → "once", 1234 → "1,234 times". */
export function times(count: number): string {
  return count === 1 ? 'once' : counted(count, 'time')
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

/** 1st, 2nd, 10th. */
export function ordinal(n: number): string {
  const end = new Intl.PluralRules('en', { type: 'ordinal' }).select(n)
  return `${n}${{ one: 'st', two: 'nd', few: 'rd' }[end as 'one'] ?? 'th'}`
}
