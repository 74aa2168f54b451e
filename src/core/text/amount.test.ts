import { expect, test } from 'bun:test'
import {
  age,
  ageWords,
  amount,
  byteWords,
  costTicks,
  costWords,
  percentWords,
  shortCost,
  shortNumber,
  spanWords,
  sumWords,
  tookWords,
} from './amount.ts'

const SPANS = [-5, 59_000, 60_000, 134_000, 482_000, 3_600_000, 3_723_000, 7_200_000, 90_000_000, 1e14]

test('an age takes at most four columns', () => {
  expect(SPANS.map(age)).toEqual(['0s', '59s', '1m', '2m', '8m', '1h', '1h', '2h', '1d', '999d'])
})

test('a span has the unit below, too', () => {
  expect(SPANS.slice(0, -1).map(spanWords)).toEqual([
    ...['0s', '59s', '1m 00s', '2m 14s', '8m 02s', '1h', '1h 2m', '2h', '1d 1h'],
  ])
  expect([59_000, 134_000, 3_723_000].map(ageWords)).toEqual(['59s', '2m', '1h 2m'])
})

test('a sum is rounded, and has no days', () => {
  const sums = [400, 61_000, 3_599_999, 3_600_000, 11_520_000, 1_000_020_000]
  expect(sums.map(sumWords)).toEqual(['1s', '1m', '1h', '1h', '3h 12m', '277h 47m'])
})

test('what one thing took is said as exactly as anybody wants to know', () => {
  const took = [-1, 0, 0.0042, 0.042, 0.421, 1.44, 4, 9.96, 320, 999.6, 4_200, 180_000]
  expect(took.map(tookWords)).toEqual([
    ...[
      '0ms',
      '0ms',
      '0.004ms',
      '0.042ms',
      '0.42ms',
      '1.4ms',
      '4ms',
      '10ms',
      '320ms',
      '1.0s',
      '4.2s',
      '3m 00s',
    ],
  ])
})

test('numbers in few letters', () => {
  expect([0.094, 12.61, 4_200].map(costWords)).toEqual(['$0.09', '$12.61', '$4200.00'])
  expect([0.094, 12.61, 4_200, 999_960].map(shortCost)).toEqual(['$0.09', '$12.61', '$4.2k', '$1.0M'])
  expect([46.4, -3, 5_000].map(percentWords)).toEqual(['46%', '0%', '999%'])
  expect([999, 12_345, 3_000_000].map(shortNumber)).toEqual(['999', '12.3k', '3M'])
  expect([0, 1023, 1024, 1536, 5 * 1024 ** 2, 3 * 1024 ** 4].map(byteWords)).toEqual([
    ...['0 B', '1023 B', '1 KB', '1.5 KB', '5 MB', '3 TB'],
  ])
  expect([amount('tokens', 1), amount('tokens', 1_234)]).toEqual(['1 token', '1,234 tokens'])
  expect([amount('tool_calls', 1), amount('tool_calls', 1_234)]).toEqual(['1 tool call', '1,234 tool calls'])
})

test('what is rounded up to the next unit is said in that unit', () => {
  expect([59_949, 59_950, 59_999, 60_000].map(tookWords)).toEqual(['59.9s', '1m 00s', '1m 00s', '1m 00s'])
  expect([999.4, 999.6, 999_499, 999_950].map(shortNumber)).toEqual(['999', '1k', '999k', '1M'])
  const bytes = [1023, 1024 ** 2 - 1, 1024 ** 3 - 1, 1024 ** 5]
  expect(bytes.map(byteWords)).toEqual(['1023 B', '1 MB', '1 GB', '1024 TB'])
  const costs = [999.99, 999.999, 99_949, 99_950, 999_499, 1e6, 1e9]
  expect(costs.map(shortCost)).toEqual(['$999.99', '$1.0k', '$99.9k', '$100k', '$999k', '$1.0M', '$1000M'])
})

test('ticks of an axis are told apart', () => {
  expect(costTicks([0, 0.5, 1])).toEqual(['$0.00', '$0.50', '$1.00'])
  expect(costTicks([0, 0.005, 0.01])).toEqual(['$0.000', '$0.005', '$0.010'])
  expect(costTicks([1_000, 1_020])).toEqual(['$1000.00', '$1020.00'])
})

test('what is not whole is never 100%', () => {
  expect([99.4, 99.6, 99.999, 100, 100.4].map(percentWords)).toEqual(['99%', '99%', '99%', '100%', '100%'])
})
