/** Arithmetic of the list: lines of one height, of which the visible ones exist; and of the rail, which is the whole journal. Pure. */
import type { Line } from './line.ts'

/** Index of the first line at or after a sequence; the number of lines if there is none. */
export function indexOf(lines: readonly Line[], seq: number): number {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.seq ?? 0) < seq) low = middle + 1
    else high = middle
  }
  return low
}

export interface View {
  readonly top: number
  readonly height: number
}

interface Visible {
  readonly start: number
  /** Excluded. */
  readonly end: number
}

export function visibleIn({ top, height }: View, count: number, row: number, head: number): Visible {
  const start = Math.min(Math.max(0, count - 1), Math.max(0, Math.floor((top - head) / row)))
  return { start, end: Math.min(count, Math.max(start, Math.ceil((top + height - head) / row))) }
}

export interface Range {
  readonly first: number
  readonly last: number
}

/** 0 is the first event, 1 the newest. */
export function shareOf(seq: number, { first, last }: Range): number {
  return last <= first ? 0 : clamp((seq - first) / (last - first))
}

export function seqAt(share: number, { first, last }: Range): number {
  return Math.round(first + clamp(share) * (last - first))
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share))
}
