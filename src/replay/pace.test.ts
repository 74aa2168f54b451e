import { describe, expect, test } from 'bun:test'
import { Pace } from './play.ts'

describe('the pace', () => {
  test('keeps the gaps, divided by the speed', () => {
    const pace = new Pace({ speed: 10, maxGapMs: 5_000 }, 0)
    expect(pace.wait(1_000, 0)).toBe(0)
    expect(pace.wait(3_000, 0)).toBe(200)
    expect(pace.wait(4_000, 200)).toBe(100)
  })

  test('limits long gaps, and ignores a clock that was set back', () => {
    const pace = new Pace({ speed: 1, maxGapMs: 3_000 }, 0)
    pace.wait(0, 0)
    expect(pace.wait(40_000_000, 0)).toBe(3_000)
    expect(pace.wait(10, 3_000)).toBe(0)
  })

  test('catches up a delay, but only up to a limit', () => {
    const pace = new Pace({ speed: 1, maxGapMs: 1_000 }, 0)
    pace.wait(0, 0)
    expect(pace.wait(500, 100)).toBe(400)
    expect(pace.wait(1_000, 800)).toBe(200)
    expect(pace.wait(1_500, 60_000)).toBe(0)
    expect(pace.wait(2_500, 60_000)).toBeGreaterThan(0)
  })

  test('at the highest speed does not wait', () => {
    const pace = new Pace({ speed: Number.POSITIVE_INFINITY, maxGapMs: 3_000 }, 0)
    expect([0, 1e6, 2e6].map((at) => pace.wait(at, 0))).toEqual([0, 0, 0])
  })
})
