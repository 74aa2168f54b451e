import { expect, test } from 'bun:test'
import { OneTime } from './one-time.ts'

test('a word works once, in its time, and none after all were made void', () => {
  const words = new OneTime({ lifeMs: 100, most: 3 })
  const [used, late, gone] = [words.make(0), words.make(0), words.make(50)]
  expect(words.use(used, 99)).toBe(true)
  expect(words.use(used, 99)).toBe(false)
  expect(words.use(late, 100)).toBe(false)
  words.clear()
  expect(words.use(gone, 60)).toBe(false)
})

test('above its number the oldest goes', () => {
  const words = new OneTime({ lifeMs: 100, most: 3 })
  const made = Array.from({ length: 5 }, () => words.make(0))
  expect(made.map((one) => words.use(one, 1))).toEqual([false, false, true, true, true])
})
