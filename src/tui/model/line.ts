/**
 * A line of the screen: spans with a tone. A tone is a meaning; the palette maps it to colours, or to marks where there
 * are none.
 */
import { cut, widthOf } from '../../core/text/columns.ts'

export type Tone = 'plain' | 'strong' | 'quiet' | 'need' | 'error' | 'work' | 'busy' | 'done' | 'accent'

export interface Span {
  readonly text: string
  readonly tone: Tone
  readonly bold?: boolean
}

export interface Line {
  readonly spans: readonly Span[]
  /** The selected line. */
  readonly marked?: boolean
  /** Spans beside it that are never highlighted with it. */
  readonly rest?: readonly Span[]
}

export const EMPTY: Line = { spans: [] }

export function span(text: string, tone: Tone = 'plain', bold = false): Span {
  return bold ? { text, tone, bold } : { text, tone }
}

export function line(...spans: readonly Span[]): Line {
  return { spans: spans.filter(({ text }) => text !== '') }
}

export function spansWidth(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + widthOf(text), 0)
}

/** Cuts the spans to a width. */
function cutSpans(spans: readonly Span[], width: number): Span[] {
  const kept: Span[] = []
  let room = width
  for (const one of spans) {
    if (room <= 0) break
    const text = cut(one.text, room)
    kept.push({ ...one, text })
    room -= widthOf(text)
    if (text !== one.text) break
  }
  return kept
}

/** Aligns left and right spans on one line of exactly `width` columns; the left is cut. */
export function apart(left: readonly Span[], right: readonly Span[], width: number): Span[] {
  const end = cutSpans(right, width)
  const room = width - spansWidth(end)
  const start = cutSpans(left, end.length === 0 ? room : Math.max(0, room - 1))
  const gap = Math.max(0, room - spansWidth(start))
  return [...start, span(' '.repeat(gap)), ...end]
}

/** Exactly `height` lines, none wider than the screen, for untrusted text and tiny terminals. */
export function bounded(lines: readonly Line[], width: number, height: number): Line[] {
  const kept = lines.slice(0, height).map((one) => clipped(one, width))
  while (kept.length < height) kept.push(EMPTY)
  return kept
}

function clipped(one: Line, width: number): Line {
  const rest = one.rest ?? []
  const used = spansWidth(one.spans)
  if (used + spansWidth(rest) <= width) return one
  const spans = cutSpans(one.spans, width)
  return { ...one, spans, rest: cutSpans(rest, width - spansWidth(spans)) }
}

/** Equal signatures need no redraw. */
export function signature({ spans, marked, rest = [] }: Line): string {
  let text = marked ? `>${spans.length}` : ' '
  for (const one of [...spans, ...rest]) text += `${one.tone}${one.bold ? '!' : ''}\u0001${one.text}\u0002`
  return text
}

export function textOf({ spans, rest = [] }: Line): string {
  return [...spans, ...rest].map(({ text }) => text).join('')
}
