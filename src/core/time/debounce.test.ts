import { expect, test } from 'bun:test'
import { until } from '../../../test/kit.ts'
import { debounce } from './debounce.ts'

const fail = (error: unknown) => {
  throw error
}

test('many changes within a moment run the work once', async () => {
  let runs = 0
  const change = debounce(async () => {
    runs += 1
  }, fail)
  for (let i = 0; i < 10; i++) {
    change.soon()
    await Bun.sleep(2)
  }
  expect(runs).toBe(0)
  await until(() => runs === 1, 'run')
  await Bun.sleep(60)
  expect(runs).toBe(1)
})

test('a change during the work runs it again afterwards, never concurrently', async () => {
  const order: string[] = []
  const change = debounce(async () => {
    order.push('start')
    await Bun.sleep(60)
    order.push('end')
  }, fail)
  change.soon()
  await until(() => order.length === 1, 'started')
  change.soon()
  await until(() => order.length === 4, 'twice')
  expect(order).toEqual(['start', 'end', 'start', 'end'])
})

test('failed work is reported, and the next still runs', async () => {
  const told: unknown[] = []
  const change = debounce(
    () => Promise.reject('no'),
    (error) => told.push(error),
  )
  change.soon()
  await until(() => told.length === 1, 'first')
  change.soon()
  await until(() => told.length === 2, 'second')
  expect(told).toEqual(['no', 'no'])
})

test('nothing runs after close', async () => {
  let runs = 0
  const change = debounce(async () => {
    runs += 1
  }, fail)
  change.soon()
  change.close()
  await Bun.sleep(60)
  expect(runs).toBe(0)
})
