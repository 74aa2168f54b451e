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
