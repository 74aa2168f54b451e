/** An edit as lines of a diff: which were taken out and put in, which words of them, and what is folded away. Pure. */
import { diffLines, diffWordsWithSpace } from 'diff'

/** A part of a patch. Line numbers are 0 where only the edited piece of the file is known. */
interface Hunk {
  readonly oldStart: number
  readonly newStart: number
  /** Each begins with a space, `+` or `-`. */
  readonly lines: readonly string[]
}

/** What an edit is known by: hunks of a patch, or its texts. */
interface Texts {
  readonly before?: string
  readonly after?: string
  readonly hunks?: readonly Hunk[]
}

interface Piece {
  readonly text: string
  readonly changed: boolean
}

export interface Line {
  readonly kind: 'same' | 'add' | 'del'
  readonly text: string
  /** In the file after the edit; of a removed line, before it. */
  readonly number?: number
  /** The words that differ, if the line replaces another one like it. */
  readonly pieces?: readonly Piece[]
}

/** Lines that are not shown until somebody wants them. */
export interface Fold {
  readonly kind: 'fold'
  readonly lines: readonly Line[]
}

/** Lines between two hunks, which nobody knows here. */
interface Gap {
  readonly kind: 'gap'
  /** Where the next hunk begins. */
  readonly line: number
}

export type Row = Line | Fold | Gap

const CONTEXT = 3 // unchanged lines around a change
const LONG_RUN = 60 // of new or removed lines: the rest is folded
const SHOWN_OF_RUN = 40
const LEAST_FOLD = 2 // lines
const DIFF_MS = 150 // for one edit; a page must stay quick
const WORDS_CHARS = 400 // nobody reads longer lines word by word
const ALIKE = 0.35 // of two lines: less in common, and words only confuse

export function rowsOf({ hunks, ...texts }: Texts): readonly Row[] {
  if (!hunks || hunks.length === 0) return folded(linesOf(texts))
  return hunks.flatMap((hunk, n): Row[] => {
    const rows = folded(withWords(hunkLines(hunk)))
    return n > 0 || hunk.newStart > 1 ? [{ kind: 'gap', line: hunk.newStart }, ...rows] : [...rows]
  })
}

export function linesOf({ before, after }: Omit<Texts, 'hunks'>): readonly Line[] {
  if (before !== undefined && after !== undefined) return withWords(between(before, after))
  if (after !== undefined) return split(after).map((text) => ({ kind: 'add', text }))
  if (before !== undefined) return split(before).map((text) => ({ kind: 'del', text }))
  return []
}

function between(before: string, after: string): Line[] {
  const parts = diffLines(before, after, { timeout: DIFF_MS })
  if (!parts)
    return [
      ...split(before).map((text): Line => ({ kind: 'del', text })),
      ...split(after).map((text): Line => ({ kind: 'add', text })),
    ]
  return parts.flatMap(({ value, added, removed }) => {
    const kind = added ? 'add' : removed ? 'del' : 'same'
    return split(value).map((text): Line => ({ kind, text }))
  })
}

function split(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
}

function hunkLines({ oldStart, newStart, lines }: Hunk): Line[] {
  let [before, after] = [oldStart, newStart]
  return lines.map((line) => {
    const kind = line.startsWith('+') ? 'add' : line.startsWith('-') ? 'del' : 'same'
    const number = kind === 'del' ? before : after
    if (kind !== 'add') before += 1
    if (kind !== 'del') after += 1
    return { kind, text: line.slice(1), ...(newStart > 0 || oldStart > 0 ? { number } : {}) }
  })
}

/** Removed lines and as many added ones after them belong together, one by one. */
function withWords(lines: readonly Line[]): readonly Line[] {
  const marked = [...lines]
  for (let at = 0; at < lines.length; ) {
    if (lines[at]?.kind !== 'del') {
      at += 1
      continue
    }
    const dels = runOf(lines, at, 'del')
    const adds = runOf(lines, at + dels, 'add')
    if (dels === adds)
      for (let n = 0; n < dels; n++) {
        const [del, add] = [lines[at + n], lines[at + dels + n]]
        const words = del && add && wordsOf(del.text, add.text)
        if (words) {
          marked[at + n] = { ...del, pieces: words.del }
          marked[at + dels + n] = { ...add, pieces: words.add }
        }
      }
    at += dels + adds
  }
  return marked
}

function runOf(lines: readonly Line[], from: number, kind: Line['kind']): number {
  let length = 0
  while (lines[from + length]?.kind === kind) length += 1
  return length
}

function wordsOf(del: string, add: string): { del: Piece[]; add: Piece[] } | undefined {
  if (del.length > WORDS_CHARS || add.length > WORDS_CHARS) return undefined
  const parts = diffWordsWithSpace(del, add, { maxEditLength: 120 })
  if (!parts) return undefined
  const same = parts.reduce(
    (sum, part) => sum + (part.added || part.removed ? 0 : part.value.trim().length),
    0,
  )
  if (same < ALIKE * Math.max(del.trim().length, add.trim().length)) return undefined
  return {
    del: parts
      .filter(({ added }) => !added)
      .map(({ value, removed }) => ({ text: value, changed: removed === true })),
    add: parts
      .filter(({ removed }) => !removed)
      .map(({ value, added }) => ({ text: value, changed: added === true })),
  }
}

/** Unchanged lines far from a change, and the rest of very long runs, are folded. */
export function folded(lines: readonly Line[]): readonly Row[] {
  const rows: Row[] = []
  for (let at = 0; at < lines.length; ) {
    const kind = lines[at]?.kind ?? 'same'
    const length = runOf(lines, at, kind)
    const run = lines.slice(at, at + length)
    const [isFirst, isLast] = [at === 0, at + length === lines.length]
    if (kind === 'same') {
      const head = isFirst ? 0 : CONTEXT
      const tail = isLast ? 0 : CONTEXT
      pushFolded(rows, run, head, tail)
    } else if (length > LONG_RUN) pushFolded(rows, run, SHOWN_OF_RUN, 0)
    else rows.push(...run)
    at += length
  }
  return rows
}

/** A fold that hides hardly anything is not worth a click. */
function pushFolded(rows: Row[], run: readonly Line[], head: number, tail: number): void {
  if (run.length - head - tail < LEAST_FOLD) {
    rows.push(...run)
    return
  }
  rows.push(...run.slice(0, head), { kind: 'fold', lines: run.slice(head, run.length - tail) })
  if (tail > 0) rows.push(...run.slice(-tail))
}

interface Pair {
  readonly left?: Line | undefined
  readonly right?: Line | undefined
}

/** Side by side: removed lines beside the lines that replaced them. */
export function pairsOf(rows: readonly Row[]): readonly (Pair | Fold | Gap)[] {
  const pairs: (Pair | Fold | Gap)[] = []
  for (let at = 0; at < rows.length; ) {
    const row = rows[at]
    if (!row) break
    if (row.kind === 'fold' || row.kind === 'gap') pairs.push(row)
    else if (row.kind === 'same') pairs.push({ left: row, right: row })
    else {
      const dels = takeWhile(rows, at, 'del')
      const adds = takeWhile(rows, at + dels.length, 'add')
      for (let n = 0; n < Math.max(dels.length, adds.length); n++)
        pairs.push({ left: dels[n], right: adds[n] })
      at += dels.length + adds.length
      continue
    }
    at += 1
  }
  return pairs
}

function takeWhile(rows: readonly Row[], from: number, kind: 'add' | 'del'): Line[] {
  const taken: Line[] = []
  for (let at = from; rows[at]?.kind === kind; at++) taken.push(rows[at] as Line)
  return taken
}
