import { afterEach, describe, expect, test } from 'bun:test'
import { bare, cut, dated, padTo, plain, red, sanitize } from './terminal.ts'

describe('what an agent says', () => {
  test('is one line of text and drives no terminal', () => {
    expect(plain('a\u001b[31mb\r\nc\td')).toBe('ab c d')
    expect(plain('\u001b]0;title\u0007x')).toBe('x')
    expect(plain('\u009b31mx')).toBe('x')
    expect(plain('safe\u202eevil\u2066x\u061cy')).toBe('safe evil x y')
    expect(plain('ü 日本 🚂')).toBe('ü 日本 🚂')
  })
})

test('what a person answers for hides nothing in a sequence', () => {
  expect(bare('echo hi \u001b]0; ; rm -rf ~')).toBe('echo hi  ]0; ; rm -rf ~')
})

describe('the last gate', () => {
  const { FORCE_COLOR: before } = process.env
  afterEach(() => {
    if (before === undefined) delete process.env.FORCE_COLOR
    else process.env.FORCE_COLOR = before
  })

  test('shows what a command forgot, and lets its own colours pass', () => {
    process.env.FORCE_COLOR = '1'
    expect(sanitize(`${red('x')}\u001b[5my\u001b]0;t\u0007`)).toBe(`${red('x')}\\u001b[5my\\u001b]0;t\\u0007`)
    process.env.FORCE_COLOR = '0'
    expect(sanitize('a\n\u001b[31mb\tc')).toBe('a\n\\u001b[31mb\tc')
  })

  test('leaves JSON what it was, without a character that drives anything', () => {
    process.env.FORCE_COLOR = '0'
    const value = { 'k\u009b\u202e': '\u001b[2J\u007f\u2066\u2028ü🚂\\', list: ['\n\t'] }
    const text = sanitize(JSON.stringify(value, null, 2))
    expect(JSON.parse(text)).toEqual(value)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/)
  })
})

test('a time of another day has its date', () => {
  const old = new Date(2026, 0, 15, 2, 54, 6).getTime()
  expect([dated(old), dated(old, false)]).toEqual(['2026-01-15 02:54:06', '2026-01-15 02:54'])
  expect(dated(Date.now())).toMatch(/^\d\d:\d\d:\d\d$/)
})

test('a text is cut to a width', () => {
  expect(cut('abcdef', 6)).toBe('abcdef')
  expect(cut('abcdefg', 6)).toBe('abcde…')
  expect([cut('abc', 0), cut('abc', 1)]).toEqual(['', '…'])
})

test('a width is in columns, whatever the letters are', () => {
  expect(cut('日本語', 6)).toBe('日本語')
  expect(cut('日本語', 5)).toBe('日本…')
  expect(cut('🚂🚂🚂', 4)).toBe('🚂…')
  expect(cut(`e${'\u0301'.repeat(1_000)}`, 10).length).toBeLessThan(50)
  expect([padTo('日本', 6), padTo('abc', 2)]).toEqual(['日本  ', 'abc'])
})
