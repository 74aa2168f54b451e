import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { anyText } from '../../../test/any-text.ts'
import { tempDir } from '../../../test/kit.ts'
import { rounds } from '../../../test/long.ts'
import { openSearchIndex } from '../../store/index.ts'
import { questionOf, spaced } from './question.ts'

const index = openSearchIndex(join(tempDir(), 'search.db'))
const TEXTS = [
  'add a retry to the upload and test it',
  'npm test -- src/upload.ts',
  'the exit code was 2',
  'code that exits',
  'Über die Brücke gehen',
  '検索を直してください',
  'NEAR AND OR NOT said did facts',
  'session_id: c4f3ad2a-d89e-4889-830b-e7c835403de8',
]
index.put(
  TEXTS.map((text, i) => ({ seq: i + 1, said: spaced(text), did: '', facts: 'aclaude' })),
  { seq: TEXTS.length, id: 'x' },
)
const found = (text: string) => {
  const { match } = questionOf(text)
  if (match === '') return []
  return index.find(match, { order: 'newest', limit: 10 }).map((seq) => TEXTS[seq - 1])
}

describe('a question', () => {
  test('matches all of its words, in any order and case', () => {
    expect(found('TEST retry')).toEqual([TEXTS[0]])
    expect(found('retry brücke')).toEqual([])
  })

  test('with quotes matches adjacent words', () => {
    expect(found('exit code')).toEqual([TEXTS[2]])
    expect(found('"exit code"')).toEqual([TEXTS[2]])
    expect(found('"code exit"')).toEqual([])
    expect(found('"exit code')).toEqual([TEXTS[2]])
  })

  test('with a star matches a prefix', () => {
    expect(found('exit*')).toEqual([TEXTS[3], TEXTS[2]])
    expect(found('"that ex"*')).toEqual([TEXTS[3]])
    expect(questionOf('e*').terms).toEqual([{ words: ['e'], open: false }])
  })

  test('finds paths, ids and names with punctuation as they are', () => {
    expect(found('src/upload.ts')).toEqual([TEXTS[1]])
    expect(found('upload/src')).toEqual([])
    expect(found('c4f3ad2a-d89e-4889')).toEqual([TEXTS[7]])
    expect(found('--')).toEqual([])
  })

  test('finds words without their accents, and Japanese without spaces', () => {
    expect(found('uber brucke')).toEqual([TEXTS[4]])
    expect(found('BRÜCKE')).toEqual([TEXTS[4]])
    expect(found('検索')).toEqual([TEXTS[5]])
    expect(found('索検')).toEqual([])
  })

  test('treats the index’s operators as words', () => {
    expect(found('retry OR code')).toEqual([])
    expect(found('NEAR AND NOT')).toEqual([TEXTS[6]])
    expect(found('said: retry')).toEqual([])
    expect(found('facts')).toEqual([TEXTS[6]])
    expect(found('aclaude')).toEqual([])
  })

  test('never makes the index fail', () => {
    const hostile = fc.constantFrom(
      '"',
      '""',
      '*',
      '^',
      '-',
      '+',
      ':',
      'NEAR(',
      ')',
      '{said}',
      'facts:',
      ' AND ',
      ' OR ',
      ' NOT ',
      "'",
      ';',
      '\0',
      '\\',
      '\ud800',
      '\u0301',
      '検',
      'a',
      '%',
    )
    const texts = fc.oneof(
      anyText(),
      fc.array(fc.oneof(hostile, fc.string()), { maxLength: 12 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const { match, terms } = questionOf(text)
        expect(match === '').toBe(terms.length === 0)
        if (match === '') return
        index.find(match, { order: 'newest', limit: 5 })
        index.find(`${match} AND facts : "aclaude"`, { order: 'best', limit: 5 })
      }),
      { numRuns: rounds(200, 5_000) },
    )
  })

  test('of the length of a book is cut, not refused', () => {
    expect(questionOf('word '.repeat(100_000)).terms).toHaveLength(16)
    expect(found(`${'x'.repeat(1_000_000)}`)).toEqual([])
  })
})
