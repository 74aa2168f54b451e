import { expect, test } from 'bun:test'
import { until } from '../../../test/kit.ts'
import { Timers } from './timers.ts'

test('each key has one timer, which a later one replaces; without a key, each has its own', async () => {
  const fired: string[] = []
  const timers = new Timers()
  timers.set('a', 1, () => fired.push('first'))
  timers.set('a', 2, () => fired.push('second'))
  timers.set('b', 60_000, () => fired.push('never'))
  timers.add(3, () => fired.push('third'))
  timers.add(4, () => fired.push('fourth'))
  expect([timers.has('a'), timers.size]).toEqual([true, 4])
  await until(() => fired.length === 3, 'fired')
  expect(fired).toEqual(['second', 'third', 'fourth'])
  expect([timers.has('a'), timers.size]).toEqual([false, 1])
  timers.close()
})

test('what is cleared does not fire, and nothing does after close', async () => {
  const fired: string[] = []
  const timers = new Timers()
  timers.set('a', 1, () => fired.push('cleared'))
  timers.clear('a')
  timers.add(1, () => fired.push('closed'))
  timers.close()
  timers.set('b', 1, () => fired.push('late'))
  await Bun.sleep(20)
  expect(fired).toEqual([])
  expect(timers.size).toBe(0)
})
