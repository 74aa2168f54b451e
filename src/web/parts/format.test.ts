import { expect, test } from 'bun:test'
import { ageWords, costWords, exactWords, percentWords, shortNumber } from './format.ts'

test('ages and numbers in few letters', () => {
  expect([42_000, 134_000, 3_720_000, 7_200_000, 200_000_000].map(ageWords)).toEqual([
    '42s',
    '2m',
    '1h 2m',
    '2h',
    '2d',
  ])
  expect([42_000, 134_000, 482_000, 3_720_000].map(exactWords)).toEqual(['42s', '2m 14s', '8m 02s', '1h 2m'])
  expect([0.094, 12.61, 4_200].map(costWords)).toEqual(['$0.09', '$12.61', '$4.2k'])
  expect([46.4, -3, 5_000].map(percentWords)).toEqual(['46%', '0%', '999%'])
  expect([999, 12_345, 3_000_000].map(shortNumber)).toEqual(['999', '12.3k', '3M'])
})
