/** Rows of the answer added up for charts. Pure. */
import type { CallResult } from '../../client/index.ts'
import { percentWords } from '../../core/text/amount.ts'
import { DAY_MS } from '../../core/time/days.ts'

export type Insights = CallResult<'insights'>
export type CostRow = Insights['cost'][number]

export interface CostSum {
  readonly name: string
  readonly costUsd: number
  readonly requests: number
  /** All tokens: read, written and given. */
  readonly tokens: number
  /** Requests whose price nobody knows. */
  readonly unpriced: number
}

/** Most expensive first; what has no price by its tokens. */
export function costBy(rows: readonly CostRow[], nameOf: (row: CostRow) => string): CostSum[] {
  const sums = new Map<string, CostSum>()
  for (const row of rows) {
    const name = nameOf(row) || 'unknown'
    const sum = sums.get(name) ?? { name, costUsd: 0, requests: 0, tokens: 0, unpriced: 0 }
    sums.set(name, {
      name,
      costUsd: sum.costUsd + row.costUsd,
      requests: sum.requests + row.requests,
      tokens: sum.tokens + row.input + row.cacheRead + row.cacheWrite + row.output,
      unpriced: sum.unpriced + row.unpriced,
    })
  }
  return [...sums.values()].sort((a, b) => b.costUsd - a.costUsd || b.tokens - a.tokens)
}

/** All days from the first to the last, also those without anything: a gap is a fact, too. */
export function everyDay<Row extends { readonly day: string }>(
  rows: readonly Row[],
  { firstDay, lastDay }: Pick<Insights, 'firstDay' | 'lastDay'>,
  empty: (day: string) => Row,
): Row[] {
  const byDay = new Map(rows.map((row) => [row.day, row]))
  const days: Row[] = []
  let at = Date.parse(firstDay) // in UTC, where each day has 24 hours
  for (let n = 0; n < MAX_DAYS; n += 1, at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10)
    days.push(byDay.get(day) ?? empty(day))
    if (day >= lastDay) break
  }
  return days
}

const MAX_DAYS = 400

/** `Tue 17`, as the axis shows it. */
export function dayWords(day: string): string {
  const time = new Date(`${day}T12:00:00`)
  return Number.isNaN(time.getTime()) ? day : `${WEEKDAYS[time.getDay()]} ${time.getDate()}`
}

export const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
/** A week begins with work. */
export const WEEK = [1, 2, 3, 4, 5, 6, 0] as const

/** `0.4%`, `12%`. */
export function shareWords(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '–'
  const pct = (part / whole) * 100
  return pct < 9.95 ? `${pct.toFixed(1)}%` : percentWords(pct)
}
