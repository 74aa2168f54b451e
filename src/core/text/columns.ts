/** Text in the columns of a terminal: as wide as it is shown, cut, filled up and wrapped. */

const UNITS_A_COLUMN = 4 // letters with accents; a heap of them takes no column at all
const PLAIN = /^[\u0020-\u007e]*$/

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
