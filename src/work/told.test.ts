import { describe, expect, test } from 'bun:test'
import { Told } from './told.ts'

describe('what a window was told', () => {
  test('is told once, or again after so many calls', () => {
    const told = new Told()
    expect([told.once('a'), told.once('a'), told.once('b')]).toEqual([true, false, true])
    expect([1, 2, 5, 6, 7].filter((count) => told.again('full', count, 5))).toEqual([1, 6])
    expect(told.again('full', 0, 5)).toBe(true) // a log set the count back
    expect([1, 9].filter((count) => told.again('warned', count))).toEqual([1])
  })

  test('waits for it, and is gone when it was heard', () => {
    const told = new Told()
    told.keep(1, ['a'])
    told.keep(1, ['b'])
    told.keep(2, [])
    expect([told.take(1), told.take(1), told.take(2)]).toEqual([['a', 'b'], [], []])
    told.owe(1)
    expect([told.pay(1), told.pay(1), told.pay(2)]).toEqual([true, false, false])
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
