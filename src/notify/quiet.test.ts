import { describe, expect, test } from 'bun:test'
import { isTimeZone, parseQuiet, quietUntil } from './quiet.ts'

const night = [parseQuiet('22:00-07:00') ?? { from: 0, to: 0 }]
const until = (at: string, zone: string, spans = night) => {
  const end = quietUntil(spans, Date.parse(at), zone)
  return end === undefined ? undefined : new Date(end).toISOString()
}

describe('quiet hours', () => {
  test('are a span of two times on the clock', () => {
    expect(parseQuiet('22:00-07:00')).toEqual({ from: 1320, to: 420 })
    expect(parseQuiet(' 9:05 - 12:30 ')).toEqual({ from: 545, to: 750 })
    for (const text of ['', '22-7', '24:00-07:00', '22:60-07:00', '22:00', '22:00-07:00-08:00'])
      expect(parseQuiet(text), text).toBeUndefined()
  })

  test('go over midnight', () => {
    expect(until('2026-06-10T21:59:00Z', 'UTC')).toBeUndefined()
    expect(until('2026-06-10T22:00:00Z', 'UTC')).toBe('2026-06-11T07:00:00.000Z')
    expect(until('2026-06-11T03:20:41Z', 'UTC')).toBe('2026-06-11T07:00:00.000Z')
    expect(until('2026-06-11T06:59:59Z', 'UTC')).toBe('2026-06-11T07:00:00.000Z')
    expect(until('2026-06-11T07:00:00Z', 'UTC')).toBeUndefined()
  })

  test('follow the wall clock of their zone', () => {
    expect(until('2026-06-10T20:30:00Z', 'Europe/Berlin')).toBe('2026-06-11T05:00:00.000Z')
    expect(until('2026-06-10T20:30:00Z', 'America/New_York')).toBeUndefined()
    expect(until('2026-06-10T17:00:00Z', 'Asia/Kolkata')).toBe('2026-06-11T01:30:00.000Z')
  })

  test('end when clocks show the hour, also in the nights they are changed', () => {
    // Berlin: 29 March 2026 has 23 hours, 25 October 2026 has 25.
    expect(until('2026-03-28T21:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T05:00:00.000Z')
    expect(until('2026-10-24T20:00:00Z', 'Europe/Berlin')).toBe('2026-10-25T06:00:00.000Z')
    // A span that lies in the hour that there is twice is quiet both times, with no gap between.
    const twice = [parseQuiet('02:00-03:00') ?? { from: 0, to: 0 }]
    expect(until('2026-10-25T00:30:00Z', 'Europe/Berlin', twice)).toBe('2026-10-25T02:00:00.000Z')
    // And in the night without that hour there is none.
    expect(until('2026-03-29T01:00:00Z', 'Europe/Berlin', twice)).toBeUndefined()
  })

  test('from a time to itself are the whole day, and always end somewhere', () => {
    const all = [{ from: 60, to: 60 }]
    const now = Date.parse('2026-06-10T12:00:00Z')
    expect(quietUntil(all, now, 'UTC')).toBeGreaterThan(now)
  })

  test('know which zones there are', () => {
    expect(isTimeZone('Europe/Berlin')).toBe(true)
    expect(isTimeZone('Mars/Phobos')).toBe(false)
  })
})
