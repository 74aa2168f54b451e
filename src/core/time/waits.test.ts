import { expect, test } from 'bun:test'
import { backoff } from './waits.ts'

test('waits double from a second to ten minutes, and are never all the same', () => {
  const waits = Array.from({ length: 14 }, (_, i) => backoff(i + 1))
  waits.forEach((wait, i) => {
    const whole = Math.min(600_000, 1_000 * 2 ** i)
    expect(wait).toBeWithin(whole * 0.8, whole + 1)
  })
  expect(new Set(Array.from({ length: 50 }, () => backoff(9))).size).toBeGreaterThan(10)
  expect(backoff(10_000)).toBeWithin(480_000, 600_001)
})
