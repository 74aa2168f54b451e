import { expect, test } from 'bun:test'
import { Live } from './live.ts'

test('a hundred changes of a frame are one update, a key is shown at once', async () => {
  const live = new Live(0)
  const told: number[] = []
  live.subscribe(() => told.push(live.get()))
  for (let n = 0; n < 100; n++) live.later((value) => value + 1)
  expect(told).toEqual([])
  live.set((value) => value + 1)
  expect(told).toEqual([101])
  await Bun.sleep(80)
  expect(told).toEqual([101]) // the frame had nothing left to tell
  live.later((value) => value + 1)
  await Bun.sleep(80)
  expect(told).toEqual([101, 102])
  live.set((value) => value)
  expect(told).toEqual([101, 102])
  live.close()
})
