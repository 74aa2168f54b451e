import { describe, expect, test } from 'bun:test'
import { isWhole, lengthOf, panned, showing, ticksOf, zoomed } from './range.ts'

const whole = { from: 1_000_000, to: 2_000_000 }

describe('zooming', () => {
  test('what is under the pointer stays there', () => {
    const at = 1_250_000
    const near = zoomed(whole, 0.5, at, whole)
    expect(lengthOf(near)).toBe(500_000)
    expect((at - near.from) / lengthOf(near)).toBeCloseTo(0.25)
    expect(zoomed(near, 2, at, whole)).toEqual(whole)
  })

  test('ends at the whole, and at a few milliseconds', () => {
    expect(zoomed(whole, 5, 1_500_000, whole)).toEqual(whole)
    let range = whole as { from: number; to: number }
    for (let n = 0; n < 100; n++) range = zoomed(range, 0.5, 1_999_999, whole)
    expect(lengthOf(range)).toBe(20)
    expect(range.to).toBeLessThanOrEqual(whole.to)
    expect(isWhole(range, whole)).toBe(false)
  })

  test('a session of one moment has a length', () => {
    const moment = { from: 5, to: 5 }
    expect(lengthOf(zoomed(moment, 0.5, 5, moment))).toBe(1)
  })
})

test('panning stops at both ends', () => {
  const part = { from: 1_100_000, to: 1_200_000 }
  expect(panned(part, 50_000, whole)).toEqual({ from: 1_150_000, to: 1_250_000 })
  expect(panned(part, -500_000, whole)).toEqual({ from: 1_000_000, to: 1_100_000 })
  expect(panned(part, 9e9, whole)).toEqual({ from: 1_900_000, to: 2_000_000 })
})

test('a span that is not seen comes into view, one that is seen moves nothing', () => {
  const part = { from: 1_100_000, to: 1_200_000 }
  expect(showing(part, { from: 1_120_000, to: 1_130_000 }, whole)).toBe(part)
  expect(showing(part, { from: 1_000_500, to: 1_900_000 }, whole)).toBe(part)
  const later = showing(part, { from: 1_500_000, to: 1_510_000 }, whole)
  expect(lengthOf(later)).toBe(100_000)
  expect(later.from).toBeLessThan(1_500_000)
  expect(later.to).toBeGreaterThan(1_510_000)
  expect(showing(part, { from: 1_050_000, to: 1_060_000 }, whole).from).toBeLessThan(1_050_000)
})

describe('ticks', () => {
  const noon = Date.UTC(2026, 2, 1, 12)

  test('are round times, and fit', () => {
    const ticks = ticksOf({ from: noon + 1_234, to: noon + 600_000 }, 600)
    expect(ticks.map(({ label }) => label)).toEqual(['12:02', '12:04', '12:06', '12:08', '12:10'])
    expect(ticksOf({ from: noon, to: noon + 900 }, 300).map(({ label }) => label)).toEqual([
      '00:00.000',
      '00:00.500',
    ])
  })

  test('are of the clock on the wall', () => {
    const [first] = ticksOf({ from: noon, to: noon + 6 * 3_600_000 }, 300, 5.5 * 3_600_000)
    expect(first?.label).toBe('18:00')
  })

  test('of years, too', () => {
    expect(ticksOf({ from: noon, to: noon + 4e12 }, 300).length).toBeLessThanOrEqual(4)
  })
})
