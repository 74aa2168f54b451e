import { describe, expect, test } from 'bun:test'
import { Reminders } from './reminders.ts'

describe('a reminder', () => {
  test('is given once, or again after a number of calls', () => {
    const reminders = new Reminders()
    expect([reminders.once('a'), reminders.once('a'), reminders.once('b')]).toEqual([true, false, true])
    const calls = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((call) => {
      reminders.count(1)
      return [call, reminders.again('full', 1, 5), reminders.again('warned', 1)]
    })
    expect(calls.filter(([, full]) => full).map(([call]) => call)).toEqual([1, 6, 11])
    expect(calls.filter(([, , warned]) => warned).map(([call]) => call)).toEqual([1])
    reminders.forget(['warned', 'never said'])
    expect([reminders.again('warned', 1), reminders.again('warned', 1)]).toEqual([true, false])
  })

  test('is queued, and removed once delivered', () => {
    const reminders = new Reminders()
    reminders.keep(1, ['a'])
    reminders.keep(1, ['b'])
    reminders.keep(2, [])
    expect([reminders.take(1), reminders.take(1), reminders.take(2)]).toEqual([['a', 'b'], [], []])
  })

  test('does not grow without bound', () => {
    const reminders = new Reminders()
    for (let i = 0; i < 100; i++) reminders.keep(1, [`word ${i}`])
    expect(reminders.take(1)).toHaveLength(20)
    for (let i = 0; i < 6_000; i++) reminders.once(`thing ${i}`)
    expect(reminders.once('thing 0')).toBe(true) // forgotten
    expect(reminders.once('thing 5999')).toBe(false)
  })
})
