import { describe, expect, test } from 'bun:test'
import { Told } from './reminders.ts'

describe('what a window was told', () => {
  test('is told once, or again after so many calls', () => {
    const told = new Told()
    expect([told.once('a'), told.once('a'), told.once('b')]).toEqual([true, false, true])
    const calls = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((call) => {
      told.count(1)
      return [call, told.again('full', 1, 5), told.again('warned', 1)]
    })
    expect(calls.filter(([, full]) => full).map(([call]) => call)).toEqual([1, 6, 11])
    expect(calls.filter(([, , warned]) => warned).map(([call]) => call)).toEqual([1])
    told.forget(['warned', 'never said'])
    expect([told.again('warned', 1), told.again('warned', 1)]).toEqual([true, false])
  })

  test('waits for it, and is gone when it was heard', () => {
    const told = new Told()
    told.keep(1, ['a'])
    told.keep(1, ['b'])
    told.keep(2, [])
    expect([told.take(1), told.take(1), told.take(2)]).toEqual([['a', 'b'], [], []])
  })

  test('does not grow without bound', () => {
    const told = new Told()
    for (let i = 0; i < 100; i++) told.keep(1, [`word ${i}`])
    expect(told.take(1)).toHaveLength(20)
    for (let i = 0; i < 6_000; i++) told.once(`thing ${i}`)
    expect(told.once('thing 0')).toBe(true) // forgotten
    expect(told.once('thing 5999')).toBe(false)
  })
})
