import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { rounds } from '../../../test/long.ts'
import { Unacknowledged } from './unacknowledged.ts'

describe('a delivery', () => {
  test('is open until it is settled, once', () => {
    const given = new Unacknowledged()
    expect(given.give(1, 30, 'a')).toBe(1)
    expect(given.give(2, 30, 'a')).toBe(1)
    expect({ size: given.size, first: given.first }).toEqual({ size: 2, first: 1 })
    expect(given.settle(1)).toBe(true)
    expect(given.settle(1)).toBe(false)
    expect(given.settle(99)).toBe(false)
    expect({ size: given.size, first: given.first }).toEqual({ size: 1, first: 2 })
  })

  test('is due after its time, oldest first, and counted', () => {
    const given = new Unacknowledged()
    given.give(5, 30, 'a')
    given.give(3, 20, 'a')
    expect(given.dueBy(19)).toEqual([])
    expect(given.nextDue).toBe(20)
    expect(given.dueBy(20)).toEqual([3])
    expect(given.dueBy(30)).toEqual([3, 5])
    expect(given.give(3, 60, 'a')).toBe(2)
    expect(given.again).toBe(1)
    expect(given.dueBy(30)).toEqual([5])
  })

  test('can be delayed, or made due at once', () => {
    const given = new Unacknowledged()
    given.give(1, 30, 'a')
    given.give(2, 30, 'a')
    expect(given.put(1, 100)).toBe(true)
    expect(given.put(2, 0)).toBe(true)
    expect(given.put(3, 0)).toBe(false)
    expect(given.dueBy(50)).toEqual([2])
    expect(given.dueBy(100)).toEqual([1, 2])
  })

  test('of a closed connection is due, the rest is not', () => {
    const given = new Unacknowledged()
    given.give(1, 30, 'a')
    given.give(2, 30, 'b')
    given.release('a', 5)
    expect(given.dueBy(5)).toEqual([1])
  })

  test('is due at once after a restart, with its count', () => {
    const before = new Unacknowledged()
    before.give(4, 30, 'a')
    before.give(4, 30, 'a')
    before.give(7, 30, 'a')
    before.settle(7)
    const after = new Unacknowledged(before.pending())
    expect(after.dueBy(0)).toEqual([4])
    expect(after.give(4, 30, 'b')).toBe(3)
  })

  test('is never forgotten: the due ones always equal those of a plain list', () => {
    const step = fc.record({
      what: fc.constantFrom('give', 'settle', 'put', 'look'),
      seq: fc.integer({ min: 1, max: 8 }),
      time: fc.integer({ min: 0, max: 50 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const given = new Unacknowledged()
        const plain = new Map<number, number>()
        for (const { what, seq, time } of steps) {
          if (what === 'give') {
            given.give(seq, time, 'a')
            plain.set(seq, time)
          } else if (what === 'settle') expect(given.settle(seq)).toBe(plain.delete(seq))
          else if (what === 'put') {
            expect(given.put(seq, time)).toBe(plain.has(seq))
            if (plain.has(seq)) plain.set(seq, time)
          } else {
            const due = [...plain].filter(([, at]) => at <= time).map(([one]) => one)
            expect(given.dueBy(time)).toEqual(due.sort((a, b) => a - b))
          }
          expect(given.nextDue).toBeLessThanOrEqual(Math.min(...plain.values(), Number.POSITIVE_INFINITY))
          expect(given.size).toBe(plain.size)
        }
      }),
      { numRuns: rounds(100, 3_000) },
    )
  })
})
