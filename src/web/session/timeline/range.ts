/** Zooming and panning of a time axis, and where its ticks are. Pure. */

/** UTC milliseconds. */
export interface Range {
  readonly from: number
  readonly to: number
}

const MIN_MS = 20 // nothing in a session is shorter than what its hooks cost
const TICK_PX = 76 // room of a label with seconds
const MAX_TICKS = 16

/** A factor below 1 shows less time; what is at `at` stays where it is. */
export function zoomed(range: Range, factor: number, at: number, whole: Range): Range {
  const length = lengthOf(range)
  const wanted = Math.min(lengthOf(whole), Math.max(Math.min(MIN_MS, lengthOf(whole)), length * factor))
  const share = length > 0 ? (at - range.from) / length : 0.5
  return inside({ from: at - wanted * share, to: at + wanted * (1 - share) }, whole)
}

export function panned(range: Range, byMs: number, whole: Range): Range {
  return inside({ from: range.from + byMs, to: range.to + byMs }, whole)
}

/** Moved only as far as needed to show the span; a longer one from its beginning. */
export function showing(range: Range, span: Range, whole: Range): Range {
  if (span.from >= range.from && span.to <= range.to) return range
  if (span.from <= range.from && span.to >= range.to) return range
  const room = lengthOf(range) * 0.1
  const by =
    span.from < range.from || lengthOf(span) > lengthOf(range) - room
      ? span.from - range.from - room
      : span.to - range.to + room
  return panned(range, by, whole)
}

export function isWhole(range: Range, whole: Range): boolean {
  return lengthOf(range) >= lengthOf(whole)
}

export function lengthOf({ from, to }: Range): number {
  return Math.max(1, to - from)
}

/** The same length, moved into the whole. */
function inside({ from, to }: Range, whole: Range): Range {
  const length = Math.min(to - from, lengthOf(whole))
  const start = Math.min(Math.max(from, whole.from), whole.from + lengthOf(whole) - length)
  return { from: start, to: start + length }
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365].map((n) => n * DAY),
]

interface Tick {
  readonly at: number
  readonly label: string
}

/** Round times of the clock on the wall, as many as there is room for. `offsetMs` is what local time is ahead of UTC. */
export function ticksOf(range: Range, widthPx: number, offsetMs = 0): Tick[] {
  const most = Math.min(MAX_TICKS, Math.max(1, Math.floor(widthPx / TICK_PX)))
  const step = STEPS.find((one) => lengthOf(range) / one <= most) ?? lengthOf(range)
  const ticks: Tick[] = []
  const first = Math.ceil((range.from + offsetMs) / step) * step - offsetMs
  for (let at = first; at <= range.to && ticks.length <= most; at += step)
    ticks.push({ at, label: labelOf(at + offsetMs, step) })
  return ticks
}

function labelOf(local: number, step: number): string {
  const iso = new Date(local).toISOString()
  if (step >= DAY) return iso.slice(5, 10)
  if (step >= 6 * HOUR && local % DAY === 0) return iso.slice(5, 10)
  if (step >= MINUTE) return iso.slice(11, 16)
  return step >= SECOND ? iso.slice(11, 19) : iso.slice(14, 23)
}

/** Minutes east of Greenwich at that time, in milliseconds. */
export function localOffset(at: number): number {
  return -new Date(at).getTimezoneOffset() * MINUTE
}
