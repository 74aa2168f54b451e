/**
 * Parses a search query. All words must occur, `"quoted words"` next to each other, and `begin*` matches a prefix.
 * Nothing else is special: operators, brackets and columns of FTS5 are ordinary words, so no query is a syntax error.
 */

export interface Term {
  /** One word, or several adjacent ones. */
  readonly words: readonly string[]
  /** The last word is a prefix. */
  readonly open: boolean
}

export interface Question {
  readonly terms: readonly Term[]
  /** As an FTS5 expression over the columns `said` and `did`; empty if the query has no word. */
  readonly match: string
}

const MAX_CHARS = 1_000
const MAX_TERMS = 16 // each costs a walk through the index
const MIN_OPEN_CHARS = 2 // one letter would match half of everything
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

/** Quotes and NUL bytes would end the text early; the tokenizer treats them as spaces. */
function wordsOnly(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{M}\p{Co}]+/gu, ' ')
}

/**
 * Tokens like those of the index: letters and digits, without case and accents. SQLite's tokenizer takes a whole
 * sentence of Chinese, Japanese or Korean for one word, so in those scripts every character is a token, in rows and in
 * queries.
 */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII is what it looks for, and it is nearly always that
const ASCII = /^[\u0000-\u007f]*$/
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[[\p{L}\p{N}\p{M}\p{Co}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]]+/gv

export interface Token {
  /** As in the index. */
  readonly word: string
  readonly start: number
  readonly end: number
}

/** Text as passed to the index and to a query. */
export function spaced(text: string): string {
  return ASCII.test(text) ? text : text.replace(UNSPACED, ' $& ')
}

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (const { 0: found, index } of text.matchAll(WORD))
    tokens.push({ word: fold(found), start: index, end: index + found.length })
  return tokens
}

function fold(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase()
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
