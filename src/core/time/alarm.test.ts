import { expect, test } from 'bun:test'
import { until } from '../../../test/kit.ts'
import { Alarm } from './alarm.ts'

test('it fires once, at the earliest requested time, and can be set again', async () => {
  let fired = 0
  const alarm = new Alarm(() => {
    fired += 1
  })
  alarm.within(60_000)
  alarm.within(1)
  alarm.within(60_000)
  await until(() => fired === 1, 'first')
  expect(alarm.isSet).toBe(false)
  alarm.within(1)
  await until(() => fired === 2, 'second')
})

test('a reset replaces what was requested, also by a later time; a cleared one does not fire', async () => {
  let fired = 0
  const alarm = new Alarm(() => {
    fired += 1
  })
  alarm.within(1)
  alarm.reset(60_000)
  await Bun.sleep(20)
  expect([fired, alarm.isSet]).toEqual([0, true])
  alarm.reset(1)
  await until(() => fired === 1, 'fired')
  alarm.within(1)
  alarm.clear()
  await Bun.sleep(20)
  expect([fired, alarm.isSet]).toEqual([1, false])
})
