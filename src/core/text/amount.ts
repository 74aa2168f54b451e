/** Numbers with their unit, in few letters. Pure. */
import { counted } from './text.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** 42 000 → `42s`, 3 700 000 → `1h`: at most four columns. */
export function age(ms: number): string {
  const past = Math.max(0, ms)
  if (past < MINUTE) return `${Math.floor(past / SECOND)}s`
  if (past < HOUR) return `${Math.floor(past / MINUTE)}m`
  if (past < DAY) return `${Math.floor(past / HOUR)}h`
  return `${Math.min(999, Math.floor(past / DAY))}d`
}

/** With the unit below, where there is room: `42s`, `2m 14s`, `1h 2m`, `3d 4h`. */
export function spanWords(ms: number): string {
  if (ms < MINUTE) return age(ms)
  if (ms < HOUR) return `${age(ms)} ${String(Math.floor((ms % MINUTE) / SECOND)).padStart(2, '0')}s`
  const [rest, unit] =
    ms < DAY ? [Math.floor((ms % HOUR) / MINUTE), 'm'] : [Math.floor((ms % DAY) / HOUR), 'h']
  return rest > 0 ? `${age(ms)} ${rest}${unit}` : age(ms)
}

/** The same without seconds, which are only noise in what grows older or adds up: `2m`. */
export function ageWords(ms: number): string {
  return ms < HOUR ? age(ms) : spanWords(ms)
}

/** A sum of many spans, rounded and in hours at most: `1s`, `4m`, `3h 12m`, `277h 47m`. */
export function sumWords(ms: number): string {
  if (ms < MINUTE) return `${Math.max(1, Math.round(ms / SECOND))}s`
  const minutes = Math.round(ms / MINUTE)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 ? `${hours}h` : '', rest > 0 ? `${rest}m` : ''].filter(Boolean).join(' ')
}

/** How long one thing took: `0.042ms`, `4.2ms`, `320ms`, `4.2s`, `2m 14s`. */
export function tookWords(ms: number): string {
  const took = Math.max(0, ms)
  const digits = took < 0.1 ? 3 : took < 1 ? 2 : took < 10 ? 1 : 0
  if (took < SECOND - 0.5) return `${Number(took.toFixed(digits))}ms`
  // From here on a tenth would be rounded to `60.0s`.
  return took < MINUTE - 50 ? `${(took / SECOND).toFixed(1)}s` : spanWords(Math.max(MINUTE, took))
}

/** `$12.61`. */
export function costWords(usd: number): string {
  return `$${usd.toFixed(2)}`
}

/** `$12.61`, `$4.2k`, `$1.3M`: up to seven columns. */
export function shortCost(usd: number): string {
  if (usd < 999.995) return costWords(usd)
  const [value, unit] = usd < 999_500 ? [usd / 1_000, 'k'] : [usd / 1_000_000, 'M']
  return `$${value.toFixed(value < 99.95 ? 1 : 0)}${unit}`
}

/** Of an axis: with as many digits as tell them apart. */
export function costTicks(values: readonly number[]): string[] {
  let words = values.map(shortCost)
  for (let digits = 2; digits <= 6 && new Set(words).size < words.length; digits++)
    words = values.map((usd) => `$${usd.toFixed(digits)}`)
  return words
}

/** 12345 → `12.3k`. */
export function shortNumber(count: number): string {
  if (count < 999.5) return String(Math.round(count))
  return count < 999_500 ? `${trimmed(count / 1_000)}k` : `${trimmed(count / 1_000_000)}M`
}

/** 12,900,000 → `12.3 MB`. */
export function byteWords(count: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let [value, step] = [count, 0]
  for (; value >= 1023.5 && step < units.length - 1; step++) value /= 1024
  return `${step === 0 ? count : trimmed(value)} ${units[step]}`
}

function trimmed(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0).replace(/\.0$/, '')
}

/** `46%`, never wider than four cells; only what is whole is `100%`. */
export function percentWords(pct: number): string {
  return `${Math.min(pct < 100 ? 99 : 999, Math.max(0, Math.round(pct)))}%`
}

/** What was used of a budget. */
export function amount(cap: 'cost_usd' | 'tokens' | 'tool_calls' | 'wall_minutes', value: number): string {
  switch (cap) {
    case 'cost_usd':
      return costWords(value)
    case 'tokens':
      return counted(Math.round(value), 'token')
    case 'tool_calls':
      return counted(Math.round(value), 'tool call')
    case 'wall_minutes':
      return `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} min`
  }
}
