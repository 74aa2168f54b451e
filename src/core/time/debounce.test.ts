import { expect, test } from 'bun:test'
import { until } from '../../../test/kit.ts'
import { whenSettled } from './debounce.ts'

const fail = (error: unknown) => {
  throw error
}

test('many changes in a moment are one piece of work', async () => {
  let runs = 0
  const change = whenSettled(async () => {
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

test('a change during the work is worked on afterwards, never at the same time', async () => {
  const order: string[] = []
  const change = whenSettled(async () => {
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

test('work that fails is told, and does not keep the next from being done', async () => {
  const told: unknown[] = []
  const change = whenSettled(
    () => Promise.reject('no'),
    (error) => told.push(error),
  )
  change.soon()
  await until(() => told.length === 1, 'first')
  change.soon()
  await until(() => told.length === 2, 'second')
  expect(told).toEqual(['no', 'no'])
})

test('after the close nothing runs', async () => {
  let runs = 0
  const change = whenSettled(async () => {
    runs += 1
  }, fail)
  change.soon()
  change.close()
  await Bun.sleep(60)
  expect(runs).toBe(0)
})
