import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { cpuMsOf } from '../../../test/kit.ts'
import { rounds } from '../../../test/long.ts'
import { overlaid } from './code.tsx'
import { colouredLines } from './highlight.ts'
import { languageOfField, languageOfPath } from './language.ts'

const CHARS = rounds(12_500, 60_000)
const LANGUAGES = ['bash', 'go', 'json', 'python', 'rust', 'typescript', 'yaml'] as const

describe('colours', () => {
  test('say what a word is, also where it goes over lines', () => {
    const [first, second] = colouredLines('const a = `x\ny` // why', 'typescript')
    expect(first?.[0]).toEqual({ text: 'const', scope: 'keyword' })
    expect(first?.at(-1)).toEqual({ text: '`x', scope: 'string' })
    expect(second?.[0]).toEqual({ text: 'y`', scope: 'string' })
    expect(second?.at(-1)).toEqual({ text: '// why', scope: 'comment' })
  })

  test('of a text that is made to take long end soon, and the rest has none', () => {
    for (const seed of ['a', '"', '$(', '(', '`', '<', ' ', '\n', 'a\n', '${`', "'\n", '/*\n']) {
      for (const length of [CHARS, 390]) {
        const line = seed.repeat(Math.ceil(length / seed.length))
        const text = `${line}\n`.repeat(Math.ceil(CHARS / length))
        for (const language of LANGUAGES) {
          let lines: ReturnType<typeof colouredLines> = []
          const ms = cpuMsOf(() => (lines = colouredLines(text, language)))
          expect(lines.map((pieces) => pieces.map((piece) => piece.text).join('')).join('\n')).toBe(text)
          expect(ms, `${language} ${seed}`).toBeLessThan(3_000) // without a limit: minutes
        }
      }
    }
  }, 120_000)

  test('change no letter of any text, in any language', () => {
    for (const language of LANGUAGES)
      fc.assert(
        fc.property(
          fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\n', '/*', '<b>', '`'))),
          (parts) => {
            const text = parts.join('')
            const lines = colouredLines(text, language)
            expect(lines.map((line) => line.map((piece) => piece.text).join('')).join('\n')).toBe(text)
          },
        ),
        { numRuns: 20 },
      )
  })
})

test('changed words and colours are laid over each other', () => {
  const words = [
    { text: 'let fo', changed: false },
    { text: 'o', changed: true },
  ]
  const colours = [
    { text: 'let', scope: 'keyword' },
    { text: ' foo', scope: '' },
  ]
  expect(overlaid(words, colours)).toEqual([
    { text: 'let', scope: 'keyword', changed: false },
    { text: ' fo', scope: '', changed: false },
    { text: 'o', scope: '', changed: true },
  ])
  expect(overlaid([{ text: 'more than the colours', changed: true }], [{ text: 'mo', scope: 'x' }])).toEqual([
    { text: 'mo', scope: 'x', changed: true },
    { text: 're than the colours', scope: '', changed: true },
  ])
})

test('the language is by the name of the file, or of the field', () => {
  expect(languageOfPath('/a/b.test.TSX')).toBe('typescript')
  expect(languageOfPath('/a/Makefile')).toBeUndefined()
  expect(languageOfField('command', {})).toBe('bash')
  expect(languageOfField('content', { file_path: 'x.py' })).toBe('python')
  expect(languageOfField('content', {})).toBeUndefined()
  expect(languageOfField('prompt', { file_path: 'x.py' })).toBeUndefined()
})
