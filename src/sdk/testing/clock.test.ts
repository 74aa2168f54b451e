import { expect, test } from 'bun:test'
import { fakeClock } from './clock.ts'

test('stands still until it is moved', async () => {
  const clock = fakeClock(1_000)
  await Bun.sleep(5)
  expect(clock.now()).toBe(1_000)
  clock.advance(500)
  expect(clock.now()).toBe(1_500)
  expect(() => clock.advance(-1)).toThrow('does not go back')
})

test('wakes sleepers in the order of their time, and only those that are due', async () => {
  const clock = fakeClock()
  const woken: string[] = []
  const sleeping = [
    clock.sleep(200).then(() => woken.push('second')),
    clock.sleep(100).then(() => woken.push('first')),
    clock.sleep(1_000).then(() => woken.push('never')),
  ]
  await clock.sleep(0)
  clock.advance(200)
  await Promise.all(sleeping.slice(0, 2))
  expect(woken).toEqual(['first', 'second'])
})
