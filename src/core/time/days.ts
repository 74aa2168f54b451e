/** Days, and times as text. */
export const DAY_MS = 24 * 3600 * 1000

/** `2026-03-01`, by the clock of this machine. */
export function dayOf(at: number): string {
  const time = new Date(at)
  return `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`
}

/** Midnight at the beginning of the first of so many days, of which the day of `until` is the last. */
export function firstOf(days: number, until: number): number {
  const time = new Date(until)
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() - (days - 1)).getTime()
}

/** `2026-03-01 12:00:00`, in UTC. */
export function utcTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ')
}

export function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
