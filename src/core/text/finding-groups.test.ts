import { expect, test } from 'bun:test'
import type { Finding } from '../../client/index.ts'
import { groupFindings, groupHead } from './finding-groups.ts'

const odd = (n: number, count = 1): Finding => ({
  level: 'warn',
  about: 'drift',
  message: `odd ${n}`,
  kind: 'unknown claude',
  seen: { count, firstAt: n * 1000, lastAt: n * 2000 },
})
const plain: Finding = { level: 'fail', about: 'journal', message: 'events cannot be stored' }

test('three of a kind are three lines, four are one with the most frequent as its example', () => {
  expect(groupFindings([odd(1), plain, odd(2), odd(3)]).map(({ all }) => all.length)).toEqual([1, 1, 1, 1])
  const [many, other] = groupFindings([odd(1), plain, odd(2, 7), odd(3), odd(4)])
  expect(many?.example.message).toBe('odd 2')
  expect(many && groupHead(many, 61_000)).toBe(
    '4 of these, seen 10 times, first 1m ago, last 53s ago; one of them:',
  )
  expect(other?.all).toEqual([plain])
})

test('what has no kind is never folded, and levels are not mixed', () => {
  expect(groupFindings(Array.from({ length: 9 }, () => plain))).toHaveLength(9)
  const mixed = [1, 2, 3].flatMap((n) => [odd(n), { ...odd(n), level: 'fail' as const }])
  expect(groupFindings(mixed)).toHaveLength(6)
})
