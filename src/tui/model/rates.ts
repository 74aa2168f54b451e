/** Message rates: per second, by type, number of sessions, and the last half minute as a bar chart. */

const SPAN_S = 30
const RATE_S = 10

export interface Rates {
  readonly total: number
  /** Per second of the clock, the newest last, including empty seconds. */
  readonly seconds: readonly Second[]
}

interface Second {
  readonly at: number
  readonly count: number
  readonly types: ReadonlyMap<string, number>
  readonly sessions: ReadonlySet<string>
}

export const NO_RATES: Rates = { total: 0, seconds: [] }

interface Counted {
  readonly type: string
  readonly session: string
}

const MAX_TYPES = 200 // per second; names come from outside
const MAX_SESSIONS = 2_000

export function counted(rates: Rates, messages: readonly Counted[], now: number): Rates {
  if (messages.length === 0) return rates
  const at = Math.floor(now / 1000)
  const last = rates.seconds.at(-1)
  const open =
    last?.at === at ? last : { at, count: 0, types: new Map<string, number>(), sessions: new Set<string>() }
  const types = new Map(open.types)
  const sessions = new Set(open.sessions)
  for (const { type, session } of messages) {
    if (types.has(type) || types.size < MAX_TYPES) types.set(type, (types.get(type) ?? 0) + 1)
    if (session !== '' && sessions.size < MAX_SESSIONS) sessions.add(session)
  }
  const before = rates.seconds.filter((second) => second.at !== at && second.at > at - SPAN_S)
  return {
    total: rates.total + messages.length,
    seconds: [...before, { at, count: open.count + messages.length, types, sessions }],
  }
}

/** The last ten complete seconds; the current one would make the rate jump. */
function recent(rates: Rates, now: number): readonly Second[] {
  const at = Math.floor(now / 1000)
  return rates.seconds.filter((second) => second.at < at && second.at >= at - RATE_S)
}

export function perSecond(rates: Rates, now: number): number {
  return recent(rates, now).reduce((sum, { count }) => sum + count, 0) / RATE_S
}

export function sessionsSeen(rates: Rates, now: number): number {
  return new Set(recent(rates, now).flatMap(({ sessions }) => [...sessions])).size
}

/** The most frequent types with their rates. */
export function busiest(rates: Rates, now: number, most: number): { type: string; rate: number }[] {
  const sums = new Map<string, number>()
  for (const { types } of recent(rates, now))
    for (const [type, count] of types) sums.set(type, (sums.get(type) ?? 0) + count)
  return [...sums]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([type, count]) => ({ type, rate: count / RATE_S }))
}

const BARS = '▁▂▃▄▅▆▇█'

export function sparkline(rates: Rates, now: number): string {
  const at = Math.floor(now / 1000)
  const counts = new Map(rates.seconds.map((second) => [second.at, second.count]))
  const values = Array.from({ length: SPAN_S }, (_, i) => counts.get(at - SPAN_S + i) ?? 0)
  const most = Math.max(1, ...values)
  return values.map((value) => (value === 0 ? ' ' : BARS[Math.ceil((value / most) * 8) - 1])).join('')
}
