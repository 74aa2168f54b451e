/**
 * Quiet hours by wall-clock time: `22:00-07:00` spans midnight, and when clocks change it ends at 07:00 local time, not
 * nine hours after its start.
 *
 *   quietUntil(parseQuiet('22:00-07:00'), Date.now(), 'Europe/Berlin')   // undefined when it is not quiet
 */
export interface Quiet {
  readonly from: number
  readonly to: number
}

const SPAN = /^([01]?\d|2[0-3]):([0-5]\d)\s*-\s*([01]?\d|2[0-3]):([0-5]\d)$/
const DAY_MIN = 24 * 60
const MINUTE_MS = 60_000
const STEPS_MAX = 26 * 60 // minutes: the longest day has 25 hours

/** Undefined for an invalid span. */
export function parseQuiet(text: string): Quiet | undefined {
  const match = SPAN.exec(text.trim())
  if (!match) return undefined
  const [h1 = 0, m1 = 0, h2 = 0, m2 = 0] = match.slice(1).map(Number)
  return { from: h1 * 60 + m1, to: h2 * 60 + m2 }
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** When the quiet hours end; undefined outside of them. An empty zone is this machine's. */
export function quietUntil(spans: readonly Quiet[], now: number, timeZone: string): number | undefined {
  const wall = wallClock(timeZone)
  if (!isQuiet(spans, wall(now))) return undefined
  // Minute by minute, because only the wall clock shows when it jumps.
  let at = now - (now % MINUTE_MS)
  for (let step = 0; step < STEPS_MAX; step++) {
    at += MINUTE_MS
    if (!isQuiet(spans, wall(at))) return at
  }
  return at // quiet all day
}

function isQuiet(spans: readonly Quiet[], minute: number): boolean {
  return spans.some(({ from, to }) =>
    from === to ? true : from < to ? minute >= from && minute < to : minute >= from || minute < to,
  )
}

/** Minutes since midnight in that zone. */
function wallClock(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(timeZone === '' ? {} : { timeZone }),
  })
  return (at) => {
    const [hours = 0, minutes = 0] = format.format(at).split(':').map(Number)
    return (hours * 60 + minutes) % DAY_MIN
  }
}
