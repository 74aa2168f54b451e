/**
 * Whether a value was drawn at random, or is words, an identifier, a path, a version. In words, most pairs of letters are
 * usual ones; in random values, letters of both cases and digits follow each other without order.
 *
 *   looksRandom('kXQpUhzkRE0BtHjgsieyPECp')   // true
 *   looksRandom('createAuthenticationForClients')   // false
 */

const MIN_CHARS = 20
const MAX_CHARS = 200 // more of it tells no more
const MIN_ODD_PAIRS = 4
/** Of random values of 24 letters and digits, 1 in 10,000 has fewer odd pairs; of the words in code and docs, hardly any has more. */
const ODD_SHARE = 0.45
/** `abababababababab`: of 16 random characters, even hex, at least five are different. */
const MIN_DIFFERENT = 5
const DIFFERENT_OF = 16

/** Each letter, and those that often follow it: 90 % of the pairs in this repository's own words, of 29 % of all pairs. */
const USUAL =
  'abcdgiklmnprstuy baeilorsu caehiklortu daeiorsu eacdefglmnprstvwxy faefilot gaehinrsu haeiot iabcdefglmnoprstv jaeou keis ladeilostuy maeimop nacdefgiknostuv oabcdfgiklmnoprstuvw paeiloprstu qu racdegikmnorstuy sacehiklopstu tacehilorstuy ubcdeilmnprst vaei waehinor xpt yelmnps ze'
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const [NO_SIGN, SMALL, CAPITAL, DIGIT] = [0, 1, 2, 3] as const
const CODES = 128
const KINDS = new Uint8Array(CODES)
const IS_USUAL = new Uint8Array(CODES * CODES)
for (const letter of ALPHABET) {
  KINDS[letter.charCodeAt(0)] = SMALL
  KINDS[letter.toUpperCase().charCodeAt(0)] = CAPITAL
}
for (const digit of DIGITS) KINDS[digit.charCodeAt(0)] = DIGIT
for (const [first = '', ...next] of USUAL.split(' ')) for (const second of next) usual(first, second)
for (let i = 1; i < ALPHABET.length; i++) usual(ALPHABET[i - 1] ?? '', ALPHABET[i] ?? '') // `abcdef` is a placeholder

function usual(first: string, second: string): void {
  for (const one of [first, first.toUpperCase()])
    for (const two of [second, second.toUpperCase()])
      IS_USUAL[one.charCodeAt(0) * CODES + two.charCodeAt(0)] = 1
}

const FOLDER = /^[/~.]*\/?(?:home|Users|root|tmp|var|run|etc|usr|opt|private|mnt|srv|dev|proc|app|data)\//

export function looksRandom(value: string): boolean {
  if (value.length < MIN_CHARS) return false
  // `/` is of the standard alphabet of base64, `-` and `_` of that for addresses: both together are a path's.
  if (value.includes('/') && (/[._~-]/.test(value) || FOLDER.test(value))) return false
  const end = Math.min(value.length, MAX_CHARS)
  let [odd, even] = [0, 0]
  let before: number = NO_SIGN
  for (let at = 0; at < end; at++) {
    const code = value.charCodeAt(at)
    const kind = KINDS[code] ?? NO_SIGN
    if (before !== NO_SIGN && kind !== NO_SIGN && !(before === DIGIT && kind === DIGIT)) {
      const isOdd = before === DIGIT || kind === DIGIT || (before === SMALL && kind === CAPITAL)
      if (isOdd || IS_USUAL[value.charCodeAt(at - 1) * CODES + code] !== 1) odd += 1
      else even += 1
    }
    before = kind
  }
  return (
    odd >= MIN_ODD_PAIRS && odd >= (odd + even) * ODD_SHARE && !isPlaceholder(value) && !hasFewLetters(value)
  )
}

const PLACEHOLDER = /(?:[xX]{10}|0{10}|EXAMPLE|EXAMPLEKEY)$/
const PLACEHOLDER_CHARS = 10

/** What vendors print in their documentation: `glpat-xxxxxxxxxxxxxxxxxxxx`, `AKIAIOSFODNN7EXAMPLE`. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value.slice(-PLACEHOLDER_CHARS))
}

function hasFewLetters(value: string): boolean {
  if (value.length < DIFFERENT_OF) return false
  const seen = new Set<number>()
  for (let at = value.length - DIFFERENT_OF; at < value.length; at++) {
    seen.add(value.charCodeAt(at))
    if (seen.size >= MIN_DIFFERENT) return false
  }
  return true
}
