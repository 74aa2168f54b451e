import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { anyText } from '../../../test/any-text.ts'
import { cpuMsOf } from '../../../test/kit.ts'
import { cut, elide, fit, fitRight, widthOf, wrap } from './columns.ts'
import { bare, clean, cleanCells, escaped, plain, shellWord } from './text.ts'

test('text from an agent cannot control the terminal', () => {
  expect(clean('\u001b[2J\u001b]0;owned\u0007\u001b[31mred\u001b[0m')).toBe('red')
  expect(clean('a\u0000b\u0008c\rd\ne\u0085f\u009b2Jg')).toBe('a b c d e fg')
  expect(clean('\u001bPq#0;2;0;0;0\u001b\\x')).not.toContain('\u001b')
  expect(clean('left\u202eright\u2066x')).toBe('leftrightx')
})

test('a sequence is removed whole, and an unterminated one hides nothing after it', () => {
  expect(plain('X\u001b[31m\u001b]0;t\u0007Y\u001b]8;;http://x\u001b\\link\u001b(B!')).toBe('XYlink!')
  expect(plain('\u009b1;2Ha\u009d0;t\u009cb\u0090q\u001b\\c\u001b_x\u001b\\d')).toBe('abcd')
  for (const show of [plain, clean]) {
    expect(show('a\u001b]0;never ends')).toBe('a0;never ends')
    expect(show('a\u009d0;t \u001b[31mb')).toBe('a 0;t b')
  }
  expect(bare('a\u001b]0;t\u0007b')).toBe('a ]0;t b')
})

test('a text made only of sequence starts takes linear time', () => {
  const took = cpuMsOf(() => {
    for (const letter of ['\u009d', '\u001b]', '\u001b[', '\u0090x'])
      expect(plain(letter.repeat(200_000))).not.toContain(letter)
  })
  expect(took).toBeLessThan(10_000) // a quadratic algorithm takes minutes
})

test('escaping keeps the JSON value', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(escaped(text))).toEqual(JSON.parse(text))
    }),
  )
})

test('letters of disputed width are replaced by ones of agreed width', () => {
  expect(clean('⚠️ 👩‍👩‍👧 👍🏽')).toBe('⚠ 👩👩👧 👍')
  expect(clean('🇩🇪')).toBe('DE')
  expect(clean(`z${'\u0301'.repeat(50)}`).length).toBeLessThan(5)
  expect(clean('日本語 ü')).toBe('日本語 ü')
  expect(clean('\ud800x')).toBe('?x')
})

test('no text leaves a control character or exceeds its width', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 80 }), fc.integer({ min: 1, max: 40 }), (text, width) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
      expect(cleanCells(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
      expect(widthOf(fit(clean(text), width))).toBe(width)
      expect(widthOf(fitRight(clean(text), width))).toBe(width)
    }),
    { numRuns: 500 },
  )
})

test('a cut is marked and never splits a wide letter', () => {
  expect(cut('permission', 6)).toBe('permi…')
  expect(cut('日本語', 4)).toBe('日…')
  expect(cut('日本語', 6)).toBe('日本語')
  expect(cut('x', 0)).toBe('')
})

test('a long text wraps at spaces and marks where it was cut', () => {
  expect(wrap('one two three four', 9, 2)).toEqual(['one two', 'three…'])
  expect(wrap('one two', 20, 2)).toEqual(['one two'])
})

test('a word longer than a line continues on the next one', () => {
  expect(wrap('ls abcdefghijkl; rm', 5, 9)).toEqual(['ls', 'abcde', 'fghij', 'kl;', 'rm'])
  expect(wrap('日本語日本語', 5, 9)).toEqual(['日本', '語日', '本語'])
})

test('text left out of the middle is counted, also when cut twice, and the end stays', () => {
  const text = `begin ${'x'.repeat(1_000)} end`
  const once = elide(text, 200)
  expect(once).toMatch(/^begin x+ … \d+ more … x+ end$/)
  const left = (line: string) => Number(/ (\d+) more /.exec(line)?.[1])
  expect(once.length - ` … ${left(once)} more … `.length + left(once)).toBe(text.length)
  const twice = elide(once, 60)
  expect(twice.length - ` … ${left(twice)} more … `.length + left(twice)).toBe(text.length)
  expect(elide(text, 20)).toMatch(/^begin x*…\+\d+$/)
  expect(elide('short', 5)).toBe('short')
})

test('any text stays within its columns when its middle is left out', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.integer({ min: 1, max: 80 }),
      (text, width) => {
        expect(widthOf(elide(clean(text), width))).toBeLessThanOrEqual(width)
      },
    ),
  )
})

test('a quoted shell word is read back unchanged', () => {
  expect(shellWord('/home/dev/bin/gantry')).toBe('/home/dev/bin/gantry')
  for (const text of ['/a b/c', "it's", '$(touch x)', '`x`', '', 'a\nb', '~'])
    expect(Bun.spawnSync(['sh', '-c', `printf %s ${shellWord(text)}`]).stdout.toString()).toBe(text)
})
