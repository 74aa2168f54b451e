/**
 * What a person typed, as a question to the index. Words must all be there, `"words in quotes"` next to each other, and
 * `begin*` stands for what begins so. Nothing else means anything: operators, brackets and columns of the index's own
 * language are words like all others, and no text makes it fail.
 */
import { spaced, tokensOf } from './tokens.ts'

export interface Term {
  /** One word, or several that stand next to each other. */
  readonly words: readonly string[]
  /** The last word may go on. */
  readonly open: boolean
}

export interface Question {
  readonly terms: readonly Term[]
  /** In the language of FTS5, of the columns `said` and `did`; empty when nothing is asked for. */
  readonly match: string
}

const MAX_CHARS = 1_000
const MAX_TERMS = 16 // nobody types more, and each costs a walk through the index
const MIN_OPEN_CHARS = 2 // what begins with one letter is half of everything
const PART = /"([^"]*)"?(\*?)|([^\s"]+)/gu

export function questionOf(text: string): Question {
  const terms: Term[] = []
  const matches: string[] = []
  for (const [, quoted, star, bare] of text.slice(0, MAX_CHARS).toWellFormed().matchAll(PART)) {
    const said = quoted ?? bare ?? ''
    const words = tokensOf(said).flatMap(({ word }) => (word === '' ? [] : [word]))
    const last = words.at(-1)
    if (last === undefined) continue
    const open = (star === '*' || said.endsWith('*')) && last.length >= MIN_OPEN_CHARS
    terms.push({ words, open })
    matches.push(`"${spaced(wordsOnly(said))}"${open ? ' *' : ''}`)
    if (terms.length === MAX_TERMS) break
  }
  return { terms, match: matches.length === 0 ? '' : `{said did} : (${matches.join(' AND ')})` }
}

/** Quotes and zero bytes would end the text early; to the tokenizer they are no more than a space. */
function wordsOnly(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{M}\p{Co}]+/gu, ' ')
}
