import { expect, test } from 'bun:test'
import { sinceOf } from './since.ts'

const NOW = Date.parse('2026-01-31T12:00:00Z')

test.each([
  ['all', 'all'],
  ['new', 'new'],
  ['1700', { seq: 1700 }],
  ['90s', { time: NOW - 90_000 }],
  ['1.5h', { time: NOW - 5_400_000 }],
  ['2026-01-30T12:00:00Z', { time: NOW - 86_400_000 }],
] as const)('%s is a place to begin', (text, deliver) => {
  expect(sinceOf(text, NOW)).toEqual(deliver)
})

test.each(['-5', '5 minutes', 'yesterday', 'May', '', '12:00', '2026-13-45'])(
  '%p is refused with examples of valid values',
  (text) => {
    expect(() => sinceOf(text, NOW)).toThrow('neither a sequence nor a time')
  },
)
