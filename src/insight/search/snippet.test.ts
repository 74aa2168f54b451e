import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { anyText } from '../../../test/any-text.ts'
import type { Piece } from './pieces.ts'
import { questionOf, tokensOf } from './question.ts'
import { snippetOf } from './snippet.ts'

const said = (text: string): Piece[] => [{ kind: 'prompt', text }]
const shown = (pieces: readonly Piece[], asked: string) => {
  const { kind, text, matches } = snippetOf(pieces, questionOf(asked))
  return { kind, text, words: matches.map(([from, to]) => text.slice(from, to)) }
}

describe('a snippet', () => {
  test('marks the words of the query, in their own spelling', () => {
    expect(shown(said('Add a Retry to the upload'), 'retry upload')).toEqual({
      kind: 'prompt',
      text: 'Add a Retry to the upload',
      words: ['Retry', 'upload'],
    })
    expect(shown(said('über die Brücke'), 'brucke').words).toEqual(['Brücke'])
    expect(shown(said('検索を直す'), '直す').words).toEqual(['直す'])
  })

  test('marks adjacent words as one, and prefixes to the end of the word', () => {
    expect(shown(said('the exit code, an exit'), '"exit code"').words).toEqual(['exit code'])
    expect(shown(said('uploads and uploading'), 'uplo*').words).toEqual(['uploads', 'uploading'])
  })

  test('is one line around the first match', () => {
    const long = `${'before '.repeat(100)}\nneedle\n${'after '.repeat(100)}`
    const { text, words } = shown(said(long), 'needle')
    expect(text.length).toBeLessThan(170)
    expect(text).toMatch(/^…before .*before {2}?needle after .*…$/)
    expect(words).toEqual(['needle'])
  })

  test('of a tool call begins with the tool', () => {
    const call: Piece[] = [
      { kind: 'tool', text: 'Bash' },
      { kind: 'command', text: 'npm test' },
      { kind: 'path', text: '/home/dev/acme' },
    ]
    expect(shown(call, 'bash test')).toEqual({
      kind: 'command',
      text: 'Bash  npm test',
      words: ['Bash', 'test'],
    })
    expect(shown(call, 'acme')).toEqual({ kind: 'path', text: 'Bash  /home/dev/acme', words: ['acme'] })
    expect(shown(call, 'bash')).toEqual({ kind: 'tool', text: 'Bash  npm test', words: ['Bash'] })
    expect(shown(call.slice(0, 1), 'bash')).toEqual({ kind: 'tool', text: 'Bash', words: ['Bash'] })
  })

  test('marks only what was asked for, whatever the text is', () => {
    const text = anyText({ maxLength: 400 })
    fc.assert(
      fc.property(text, fc.string({ unit: 'grapheme', maxLength: 5 }), (one, other) => {
        const question = questionOf(other)
        const { text, matches } = snippetOf(said(`${one} ${other} ${one}`), question)
        for (const [from, to] of matches) {
          const words = tokensOf(text.slice(from, to)).map(({ word }) => word)
          expect(
            question.terms.some((term) => term.words.every((word) => words.join(' ').includes(word))),
          ).toBe(true)
        }
      }),
    )
  })
})
