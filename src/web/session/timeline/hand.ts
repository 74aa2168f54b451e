/** Fingers and the mouse on the swimlane: one drags, two pinch; a press without a way is a click. */
import { type Layout, timeAt } from './paint.ts'
import { lengthOf, panned, type Range, zoomed } from './range.ts'

interface Point {
  readonly x: number
  readonly y: number
}

export interface Hand {
  /** Where each finger is. */
  readonly at: Map<number, Point>
  start?: { readonly x: number; readonly range: Range; dragged: boolean }
}

const CLICK_PX = 4

export function pressed(hand: Hand, id: number, point: Point, range: Range): void {
  hand.at.set(id, point)
  hand.start = { x: point.x, range, dragged: hand.at.size > 1 }
}

interface Seen {
  readonly layout: Layout
  readonly range: Range
  readonly whole: Range
}

/** What is to be shown now; nothing if nobody drags. */
export function moved(
  hand: Hand,
  id: number,
  point: Point,
  { layout, range, whole }: Seen,
): Range | undefined {
  const before = hand.at.get(id)
  const { start } = hand
  if (!before || !start) return undefined
  const other = [...hand.at].find(([one]) => one !== id)?.[1]
  hand.at.set(id, point)
  if (other) {
    const apart = Math.max(8, Math.abs(before.x - other.x))
    const now = Math.max(8, Math.abs(point.x - other.x))
    return zoomed(range, apart / now, timeAt(layout, range, (point.x + other.x) / 2), whole)
  }
  if (!start.dragged && Math.abs(point.x - start.x) < CLICK_PX) return undefined
  start.dragged = true
  const scale = lengthOf(start.range) / Math.max(1, layout.width - layout.gutter)
  return panned(start.range, (start.x - point.x) * scale, whole)
}

/** Whether it was a click. */
export function lifted(hand: Hand, id: number): boolean {
  const wasClick = hand.at.size === 1 && hand.start?.dragged === false
  hand.at.delete(id)
  if (hand.at.size === 0) delete hand.start
  else if (hand.start) hand.start.dragged = true
  return wasClick
}
