/** Text measured in terminal columns: its width, cut, padded and wrapped. */

const UNITS_A_COLUMN = 4 // UTF-16 units; a letter with many accents still takes one column
const PLAIN = /^[\u0020-\u007e]*$/

/** A browser measures text itself; there it is enough to count letters. */
const widthIn = globalThis.Bun?.stringWidth ?? ((text: string) => [...text].length)

export function widthOf(text: string): number {
  return PLAIN.test(text) ? text.length : widthIn(text)
}

/** Cuts to at most `width` columns and marks the cut with `…`. */
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
 * Shortens to at most `width` columns: keeps beginning and end, and counts what is left out between them, so nothing can
 * hide behind a cut. `total` is the full length of a text whose middle is already left out.
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

const MIN_ELIDED_COLUMNS = 32 // below this the mark would fill the width, so only the beginning and the count are shown
/** A count from an earlier cut, which is added to the new one. */
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

/** Pads or cuts to exactly `width` columns. */
export function fit(text: string, width: number): string {
  const shown = cut(text, width)
  return shown + ' '.repeat(Math.max(0, width - widthOf(shown)))
}

export function fitRight(text: string, width: number): string {
  const shown = cut(text, width)
  return ' '.repeat(Math.max(0, width - widthOf(shown))) + shown
}

/**
 * Wraps at spaces into lines of at most `width` columns, and breaks longer words. If more than `most` lines result, the
 * last one ends with `…`.
 */
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
