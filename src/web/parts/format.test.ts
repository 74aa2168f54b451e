import { expect, test } from 'bun:test'
import { tookOrNone, wholeOrNone } from './format.ts'

test('no whole millisecond is less than one', () => {
  expect([null, 0, 1, 9].map(wholeOrNone)).toEqual(['–', '<1ms', '1ms', '9ms'])
  expect([null, 0.4].map(tookOrNone)).toEqual(['–', '0.4ms'])
})
