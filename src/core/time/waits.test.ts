import { expect, test } from 'bun:test'
import { backoff, until, within } from './waits.ts'

test('waits double from a second to ten minutes, and are never all the same', () => {
  const waits = Array.from({ length: 14 }, (_, i) => backoff(i + 1))
  waits.forEach((wait, i) => {
    const whole = Math.min(600_000, 1_000 * 2 ** i)
    expect(wait).toBeWithin(whole * 0.8, whole + 1)
  })
  expect(new Set(Array.from({ length: 50 }, () => backoff(9))).size).toBeGreaterThan(10)
  expect(backoff(10_000)).toBeWithin(480_000, 600_001)
})

test('work has its time, and fails as it does', async () => {
  expect(await within(Promise.resolve('done'), 60_000)).toBe('done')
  expect(await within(new Promise(() => {}), 5)).toBeUndefined()
  expect(within(Promise.reject(new Error('no')), 60_000)).rejects.toThrow('no')
})

test('looking ends with what is found, or with the time, and happens once at least', async () => {
  let looks = 0
  expect(await until(() => ++looks === 3 && 'here', 60_000, 1)).toBe('here')
  expect(looks).toBe(3)
  expect(await until(async () => void looks++, 0, 60_000)).toBeUndefined()
  expect(looks).toBe(4)
})
