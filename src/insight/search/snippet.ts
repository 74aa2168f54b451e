/** The part of an event's text that matches a query, with the positions of the matches. */
import type { Kind, Piece } from './pieces.ts'
import { type Question, type Term, type Token, tokensOf } from './question.ts'

interface Snippet {
  readonly kind: Kind
  /** One line; `…` marks omitted text. */
  readonly text: string
  /** Start and end offsets in `text`. */
  readonly matches: readonly (readonly [number, number])[]
}

interface Found {
  readonly piece: Piece
  readonly spans: readonly (readonly [number, number])[]
  readonly terms: number
}

const WIDTH_CHARS = 160
const LEAD_CHARS = 40
const BEFORE_CHARS = 24 // enough context to read, short enough for a narrow terminal

/** From the piece with the most matches; for a tool call, prefixed with the tool's name. */
export function snippetOf(pieces: readonly Piece[], question: Question): Snippet {
  const lead = pieces.length > 1 && pieces[0]?.kind === 'tool' ? search(pieces[0], question.terms) : undefined
  let best: Found | undefined
  for (const piece of lead ? pieces.slice(1) : pieces) {
    const found = search(piece, question.terms)
    if (!best || found.terms > best.terms) best = found
  }
  if (!best) return { kind: 'tool', text: '', matches: [] }
  const body = around(best)
  if (!lead) return { kind: best.piece.kind, ...body }
  const head = `${cleaned(lead.piece.text.slice(0, LEAD_CHARS))}  `
  const matches = [
    ...lead.spans.filter(([, to]) => to <= LEAD_CHARS),
    ...body.matches.map(([from, to]) => [from + head.length, to + head.length] as const),
  ]
  const kind = best.terms === 0 && lead.terms > 0 ? 'tool' : best.piece.kind
  return { kind, text: head + body.text, matches }
}

function around({ piece, spans }: Found): Omit<Snippet, 'kind'> {
  const first = spans[0]?.[0] ?? 0
  const start = first <= BEFORE_CHARS * 2 ? 0 : wordStart(piece.text, first - BEFORE_CHARS)
  const end = Math.min(piece.text.length, start + WIDTH_CHARS)
  const ahead = start > 0 ? '…' : ''
  const shift = ahead.length - start
  return {
    text: `${ahead}${cleaned(piece.text.slice(start, end))}${end < piece.text.length ? '…' : ''}`,
    matches: spans
      .filter(([from, to]) => from >= start && to <= end)
      .map(([from, to]) => [from + shift, to + shift] as const),
  }
}

/** One line of the same length, so that the offsets stay valid. */
function cleaned(text: string): string {
  return text.toWellFormed().replace(/\s/g, ' ')
}

function search(piece: Piece, terms: readonly Term[]): Found {
  const tokens = tokensOf(piece.text)
  const spans: (readonly [number, number])[] = []
  let found = 0
  for (const term of terms) {
    const before = spans.length
    for (let at = 0; at + term.words.length <= tokens.length; at++)
      if (matchesAt(tokens, at, term))
        spans.push([tokens[at]?.start ?? 0, tokens[at + term.words.length - 1]?.end ?? 0])
    if (spans.length > before) found += 1
  }
  return { piece, spans: merged(spans), terms: found }
}

function matchesAt(tokens: readonly Token[], at: number, { words, open }: Term): boolean {
  return words.every((word, i) => {
    const token = tokens[at + i]?.word ?? ''
    return open && i === words.length - 1 ? token.startsWith(word) : token === word
  })
}

function merged(spans: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const sorted = [...spans].sort((a, b) => a[0] - b[0])
  const result: [number, number][] = []
  for (const [start, end] of sorted) {
    const last = result.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else result.push([start, end])
  }
  return result
}

function wordStart(text: string, near: number): number {
  const space = text.slice(near, near + BEFORE_CHARS).search(/\s/)
  return space < 0 ? near : near + space + 1
}
