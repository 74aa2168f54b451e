/** Numbers and times in few letters, and agents' text that is safe to show. */
import { bare } from '../../core/text/text.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `42s`, `7m`, `1h 2m`, `3d`. */
export function ageWords(ms: number): string {
  const past = Math.max(0, ms)
  if (past < MINUTE) return `${Math.floor(past / SECOND)}s`
  if (past < HOUR) return `${Math.floor(past / MINUTE)}m`
  if (past >= DAY) return `${Math.floor(past / DAY)}d`
  const minutes = Math.floor((past % HOUR) / MINUTE)
  return `${Math.floor(past / HOUR)}h${minutes > 0 ? ` ${minutes}m` : ''}`
}

/** `2m 14s`. */
export function exactWords(ms: number): string {
  const past = Math.max(0, ms)
  if (past < MINUTE || past >= HOUR) return ageWords(past)
  const seconds = Math.floor((past % MINUTE) / SECOND)
  return `${Math.floor(past / MINUTE)}m ${String(seconds).padStart(2, '0')}s`
}

export function costWords(usd: number): string {
  return usd < 1_000 ? `$${usd.toFixed(2)}` : `$${(usd / 1_000).toFixed(1)}k`
}

export function percentWords(pct: number): string {
  return `${Math.min(999, Math.max(0, Math.round(pct)))}%`
}

/** 12345 → `12.3k`. */
export function shortNumber(count: number): string {
  if (count < 1_000) return String(Math.round(count))
  if (count < 1_000_000) return `${trimmed(count / 1_000)}k`
  return `${trimmed(count / 1_000_000)}M`
}

/** 12,900,000 → `12.3 MB`. */
export function byteWords(count: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, count < 1 ? 0 : Math.floor(Math.log(count) / Math.log(1024)))
  return `${step === 0 ? count : trimmed(count / 1024 ** step)} ${units[step]}`
}

function trimmed(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0).replace(/\.0$/, '')
}

/** Times of the day, as the clock on the wall. */
export function clockWords(at: number, seconds = true): string {
  if (!(at > 0)) return ''
  return new Date(at).toLocaleTimeString([], {
    ...{ hour: '2-digit', minute: '2-digit', hour12: false },
    ...(seconds ? { second: '2-digit' } : {}),
  })
}

/** Agents' text as it is, lines kept; what would be invisible is named. */
export function shown(text: string): string {
  return text.includes('\n') ? text.split('\n').map(line).join('\n') : line(text)
}

function line(text: string): string {
  return bare(text.replaceAll('\t', '  '))
}
