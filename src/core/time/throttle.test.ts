import { expect, test } from 'bun:test'
import { until } from '../../../test/kit.ts'
import { Throttle } from './throttle.ts'

test('the first call passes at once, later ones are combined after the interval, and other keys are not affected', async () => {
  const passed: string[] = []
  const throttle = new Throttle(20, (key) => passed.push(key))
  expect(throttle.mayPass('a')).toBe(true)
  expect(throttle.mayPass('a')).toBe(false)
  expect(throttle.mayPass('a')).toBe(false)
  expect(throttle.mayPass('b')).toBe(true)
  await until(() => passed.length > 0, 'what was held back')
  expect(passed).toEqual(['a'])
  expect(throttle.mayPass('a')).toBe(false) // it passed just now
  await until(() => passed.length === 2, 'the next of it')
  expect(passed).toEqual(['a', 'a'])
})
