import { describe, expect, test } from 'bun:test'
import { dayOf, firstOf } from '../../core/time/days.ts'
import { type CostRow, costBy, dayWords, everyDay, shareWords } from './sums.ts'

const row = (more: Partial<CostRow>): CostRow => ({
  ...{ day: '2026-03-01', agent: 'claude', model: 'opus', project: 'acme', requests: 1 },
  ...{ input: 1, cacheRead: 2, cacheWrite: 3, output: 4, costUsd: 1, unpriced: 0 },
  ...more,
})

describe('sums', () => {
  test('cost by anything, the most expensive first, the nameless as unknown', () => {
    const rows = [
      row({ project: 'a' }),
      row({ project: 'b', costUsd: 5 }),
      row({ project: 'a' }),
      row({ project: '' }),
    ]
    const sums = costBy(rows, ({ project }) => project)
    expect(sums.map(({ name, costUsd, tokens }) => [name, costUsd, tokens])).toEqual([
      ['b', 5, 10],
      ['a', 2, 20],
      ['unknown', 1, 10],
    ])
  })

  test('days without anything are there, over the change to summer time', () => {
    const range = { firstDay: '2026-03-27', lastDay: '2026-03-31' }
    const days = everyDay([{ day: '2026-03-29', n: 1 }], range, (day) => ({ day, n: 0 }))
    expect(days.map(({ day, n }) => `${day.slice(8)} ${n}`)).toEqual(['27 0', '28 0', '29 1', '30 0', '31 0'])
  })

  test('so many days as are named, at any time of the day, over both changes of the clock', () => {
    for (const day of ['2026-03-31', '2026-10-27', '2026-01-03'])
      for (const hour of ['00', '12', '23'])
        for (const count of [1, 7, 30]) {
          const until = new Date(`${day}T${hour}:59:00`).getTime()
          const since = firstOf(count, until)
          const range = { firstDay: dayOf(since), lastDay: dayOf(until) }
          expect(everyDay([], range, (one) => ({ day: one }))).toHaveLength(count)
          expect(new Date(since).getHours()).toBe(0)
        }
  })

  test('numbers in few letters', () => {
    expect([shareWords(0, 5), shareWords(1, 250), shareWords(1, 5), shareWords(249, 250)]).toEqual([
      ...['–', '0.4%', '20%', '99%'],
    ])
    expect(dayWords('2026-03-01')).toBe('Sun 1')
  })
})
