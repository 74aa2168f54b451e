import { describe, expect, test } from 'bun:test'
import { bytes, cut, duration, padTo, plain } from './terminal.ts'

describe('what an agent says', () => {
  test('is one line of text and drives no terminal', () => {
    expect(plain('a\u001b[31mb\r\nc\td')).toBe('a [31mb c d')
    expect(plain('\u001b]0;title\u0007x')).toBe(' ]0;title x')
    expect(plain('\u009b31mx')).toBe(' 31mx')
    expect(plain('safe\u202eevil\u2066x')).toBe('safe evil x')
    expect(plain('ü 日本 🚂')).toBe('ü 日本 🚂')
  })
})

test('a text is cut to a width', () => {
  expect(cut('abcdef', 6)).toBe('abcdef')
  expect(cut('abcdefg', 6)).toBe('abcde…')
  expect(cut('abc', 0)).toBe('…')
})

test('a width is in columns, whatever the letters are', () => {
  expect(cut('日本語', 6)).toBe('日本語')
  expect(cut('日本語', 5)).toBe('日本…')
  expect(cut('🚂🚂🚂', 4)).toBe('🚂…')
  expect(cut(`e${'\u0301'.repeat(1_000)}`, 10).length).toBeLessThan(50)
  expect([padTo('日本', 6), padTo('abc', 2)]).toEqual(['日本  ', 'abc'])
})

test('sizes and times are for people', () => {
  expect([0, 1023, 1024, 1536, 5 * 1024 ** 2, 3 * 1024 ** 4].map(bytes)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KB',
    '1.5 KB',
    '5.0 MB',
    '3072.0 GB',
  ])
  expect([0, 59_000, 61_000, 3_723_000, 90_000_000].map(duration)).toEqual([
    '0 s',
    '59 s',
    '1 min 1 s',
    '1 h 2 min',
    '1 d 1 h',
  ])
})
