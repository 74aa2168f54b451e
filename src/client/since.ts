/** Parses "since when": a sequence, a time span, or a time. */
import { GantryError } from '../core/errors.ts'
import type { BusDeliver } from './bus.ts'

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** "1h" is an hour ago; an ISO time is itself. */
export function timeOf(text: string, now: number): number {
  const time = spanOrTime(text, now)
  if (time !== undefined) return time
  throw new GantryError(
    'USAGE',
    `"${text}" is not a time. Use for example 90s, 15m, 1h, 7d or 2026-01-31T12:00.`,
  )
}

/** Like `timeOf`, but a whole number is the sequence of the first message. */
export function sinceOf(text: string, now: number): BusDeliver {
  if (text === 'all' || text === 'new') return text
  if (/^\d{1,15}$/.test(text)) return { seq: Number(text) }
  const time = spanOrTime(text, now)
  if (time !== undefined) return { time }
  throw new GantryError(
    'USAGE',
    `"${text}" is neither a sequence nor a time. Use for example 1700, 90s, 15m, 1h, 7d, 2026-01-31T12:00, or all.`,
  )
}

/** "1.5h" in milliseconds. */
export function spanOf(text: string): number | undefined {
  const span = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text)
  return span ? Number(span[1]) * (UNIT_MS[span[2] ?? 's'] ?? 1000) : undefined
}

function spanOrTime(text: string, now: number): number | undefined {
  const span = spanOf(text)
  if (span !== undefined) return now - span
  if (!/^\d{4}-/.test(text)) return undefined // Date.parse accepts nearly anything, even -5
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}
