import { describe, expect, test } from 'bun:test'
import { RecentMap } from './recent-map.ts'

describe('a recent map', () => {
  test('has the last entries, and at most twice as many', () => {
    const map = new RecentMap<number, number>(100)
    for (let n = 1; n <= 1_000; n++) map.set(n, -n)
    const known = Array.from({ length: 1_000 }, (_, index) => index + 1).filter((n) => map.has(n))
    expect(known.length).toBeLessThanOrEqual(200)
    expect(known.slice(-100)).toEqual(Array.from({ length: 100 }, (_, index) => 901 + index))
    expect([map.get(1_000), map.get(1)]).toEqual([-1_000, undefined])
  })

  test('keeps an entry that is set again, with its last value', () => {
    const map = new RecentMap<string, number>(10)
    for (let n = 0; n < 100; n++) {
      map.set('often', n)
      map.set(`once ${n}`, n)
    }
    expect(map.get('often')).toBe(99)
  })

  test('does not have what was deleted, however old it is', () => {
    const map = new RecentMap<number, string>(2)
    for (let n = 0; n < 4; n++) map.set(n, 'x')
    for (let n = 0; n < 4; n++) map.delete(n)
    expect([0, 1, 2, 3].some((n) => map.has(n))).toBe(false)
  })
})
