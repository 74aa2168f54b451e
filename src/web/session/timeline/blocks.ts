/**
 * Which spans of a lane are drawn: only those in view, and spans below a pixel merged into one block, so that ten thousand cost as
 * much as the width of the screen. Pure.
 */
import type { Lane, Span, SpanTone } from '../../../timeline/lanes.ts'
import { lengthOf, type Range } from './range.ts'

export interface Block {
  readonly x: number
  readonly width: number
  readonly tone: SpanTone
  /** The first of them. */
  readonly span: Span
  /** How many spans it stands for. */
  readonly count: number
  readonly open: boolean
}

const MIN_PX = 2 // a moment is still seen
const NEAR_PX = 1
const MERGED_PX = 6 // many small ones are still several blocks, so that an error among them has its place

/** Of one row: its spans do not overlap, so beginnings and ends are both in order. */
export function blocksOf(row: readonly Span[], range: Range, widthPx: number): Block[] {
  const scale = widthPx / lengthOf(range)
  const blocks: Block[] = []
  let last: { -readonly [Key in keyof Block]: Block[Key] } | undefined
  for (let n = firstSeen(row, range.from); n < row.length; n++) {
    const span = row[n]
    if (!span || span.from > range.to) break
    const left = Math.max(0, (span.from - range.from) * scale)
    const right = Math.min(widthPx, (span.to - range.from) * scale)
    const width = Math.max(MIN_PX, right - left)
    if (last && left < last.x + last.width + NEAR_PX && isTiny(width, last)) {
      last.width = Math.max(last.width, left + width - last.x)
      last.count += 1
      last.open ||= span.open === true
      if (span.tone === 'error') last.tone = 'error'
      continue
    }
    last = { x: left, width, tone: span.tone, span, count: 1, open: span.open === true }
    blocks.push(last)
  }
  return blocks
}

/** Two that can be told apart stay two. */
function isTiny(width: number, last: Block): boolean {
  return width <= MIN_PX && (last.width <= MIN_PX || last.count > 1) && last.width < MERGED_PX
}

/** Index of the first span that does not end before `from`. */
function firstSeen(row: readonly Span[], from: number): number {
  let [low, high] = [0, row.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((row[middle]?.to ?? 0) < from) low = middle + 1
    else high = middle
  }
  return low
}

export function blockAt(blocks: readonly Block[], x: number): Block | undefined {
  const near = 3 // a moment is hard to hit
  let best: Block | undefined
  for (const block of blocks) {
    if (block.x > x + near) break
    if (x <= block.x + block.width + near) best = block
    if (best && x <= best.x + best.width && x >= best.x) break
  }
  return best
}

/** The spans of each row; a lane does not change, so this is done once for each. */
export function rowsOf({ spans, rows }: Lane): readonly (readonly Span[])[] {
  const split: Span[][] = Array.from({ length: Math.max(1, rows) }, () => [])
  for (const span of spans) split[span.row]?.push(span)
  return split
}
