/**
 * Values that look random behind a name that tells a secret, in whatever form programs print them: assignments, JSON, escaped
 * or not, YAML, objects of code, headers, options, addresses.
 *
 *   {"stdout":"{\"COHERE_API_KEY\": \"kXQpUhzkRE0BtHjgsieyPECp\"}"}
 *
 * It starts at a long run of letters and digits, which the caller has found anyway, and looks back from there. Most runs have
 * no separator before them, or no such name behind it; to see that takes some nanoseconds. Each character is read a bounded
 * number of times.
 */
import { looksRandom } from './looks-random.ts'
import type { Span } from './redact.ts'

/** Asked for runs in ascending order: the value that the run is part of, if a name before it tells that it is a secret. */
export function namedValues(text: string): (from: number, to: number) => Span | undefined {
  let seen = 0
  return (from, to) => {
    if (from < seen) return undefined // part of a value that was looked at
    const first = seen
    seen = to
    if (text.charCodeAt(to) === AT && text.startsWith('://', from - 3))
      return looksRandom(text.slice(from, to)) ? [from, to] : undefined
    const start = startOf(text, from, first)
    const name = start === undefined ? undefined : nameBefore(text, start)
    if (start === undefined || name === undefined) return undefined
    const end = endOf(text, to)
    seen = end
    const value = text.slice(start, end)
    if (!looksRandom(value) || CODE.includes(text[end] ?? ' ') || !isNamed(text, name, start))
      return undefined
    return isPublic(value, text.slice(Math.max(0, name - LOOK_BACK), name)) ? undefined : [start, end]
  }
}

const LOOK_BACK = 120 // a name, and before it `--proxy-user somebody`
const CODE = '($[{' // a call, a template, an index
const [AT = 0, SLASH = 0, BACKSLASH = 0, PERCENT = 0, DOT = 0] = Buffer.from('@/\\%.')
/** What a value may hold besides letters, digits, `_` and `-`. */
const VALUE_CHARS = table('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/~.')
const SEPARATOR_CHARS = table(' "\'`:=>[](,?+|\\')
const MAX_GAP = 96 // `\\\": \\\"` of JSON three times in JSON has 18, with colours up to 80

function table(letters: string): Uint8Array {
  const is = new Uint8Array(128)
  for (const letter of letters) is[letter.charCodeAt(0)] = 1
  return is
}

/** A quote or separator that is escaped by JSON encoders or in an address, before a value. */
const ESCAPED_SEPARATOR = /\\u00(?:2[27]|3[AaDd])|%(?:25)?(?:2[027]|3[AaDd])/y
/** `+` and `/` in a value. */
const ESCAPED_SIGN = /\\u002[BbFf]|%2[BbFf]|\\+\//y
/** What fills base64 at its end. */
const PADDING = /(?:=|%3[Dd]|\\u003[Dd]){1,4}(?![A-Za-z0-9_-])/y

/** Undefined if the value before this run goes on in it, or an escape that is no separator ends before it. */
function startOf(text: string, from: number, first: number): number | undefined {
  let start = from
  while (start > first) {
    const code = text.charCodeAt(start - 1)
    if (VALUE_CHARS[code] === 1) start -= 1
    else if (code === BACKSLASH && text.charCodeAt(start) === SLASH) start -= 1
    else if (code !== BACKSLASH && code !== PERCENT) return start
    else if (endsAt(ESCAPED_SEPARATOR, text, start - 1) !== undefined) return ESCAPED_SEPARATOR.lastIndex
    else if (endsAt(ESCAPED_SIGN, text, start - 1) !== undefined) start -= 1
    else return undefined
  }
  return undefined
}

function endOf(text: string, to: number): number {
  let end = to
  for (;;) {
    const code = text.charCodeAt(end)
    if (VALUE_CHARS[code] === 1) end += 1
    else if (code === BACKSLASH || code === PERCENT) {
      const next = endsAt(ESCAPED_SIGN, text, end)
      if (next === undefined) break
      end = next
    } else break
  }
  while (text.charCodeAt(end - 1) === DOT) end -= 1 // of a sentence
  return endsAt(PADDING, text, end) ?? end
}

function endsAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** The ends of all names that `isTelling` knows, and of the words that may stand between name and value. */
const TAILS = new Set<number>()
const CAPITALS = 0x202020 // set in all small letters
for (const tail of 'key ken ret ord swd pwd ase pat ass uth ion ing str lue ial als'.split(' '))
  TAILS.add(tailOf(tail, 3))

function tailOf(text: string, end: number): number {
  const [a, b, c] = [text.charCodeAt(end - 3), text.charCodeAt(end - 2), text.charCodeAt(end - 1)]
  return (a << 16) | (b << 8) | c | CAPITALS
}

/** A cheap look: where the separators before the value begin, if three letters are before them that a telling name can end in. */
function nameBefore(text: string, start: number): number | undefined {
  const end = gapBefore(text, start)
  if (end === start) return undefined
  return TAILS.has(tailOf(text, end)) || (end === start - 1 && text[end] === ':') ? end : undefined
}

const ESCAPED_BEFORE = /(?:\\+u00(?:2[27]|3[AaDd])|%(?:25)?(?:2[027]|3[AaDd]))$/
const ESCAPED_CHARS = 12
const COLOUR = '(?:(?:\\\\+u001[bB]|\\u001b)\\[[0-9;]{0,9}m)'
const COLOUR_BEFORE = new RegExp(`${COLOUR}$`)
const COLOUR_CHARS = 24

/** Where separators, quotes, spaces and colours begin that end there. */
function gapBefore(text: string, start: number): number {
  let at = start
  const last = Math.max(0, start - MAX_GAP)
  while (at > last) {
    if (SEPARATOR_CHARS[text.charCodeAt(at - 1)] === 1) at -= 1
    else if (text.startsWith(BASE64, at - BASE64.length)) at -= BASE64.length
    else if (isPrefix(text, at)) at -= 1
    else if (text[at - 3] === '%' || text[at - 5] === 'u') {
      const escaped = lengthOf(ESCAPED_BEFORE, text, at, ESCAPED_CHARS)
      if (escaped === 0) return at
      at -= escaped
    } else if (text[at - 1] === 'm') {
      const colour = lengthOf(COLOUR_BEFORE, text, at, COLOUR_CHARS)
      if (colour === 0) return at
      at -= colour
    } else return at
  }
  return at
}

/** As in Laravel's `APP_KEY=base64:…`. */
const BASE64 = 'base64'

/** Of a string in Python, Rust or C#: `b"…"`, `r'…'`, `@"…"`. */
function isPrefix(text: string, at: number): boolean {
  return (
    'brfuBRFU@'.includes(text[at - 1] ?? ' ') &&
    '"\'\\'.includes(text[at] ?? ' ') &&
    SEPARATOR_CHARS[text.charCodeAt(at - 2)] === 1
  )
}

function lengthOf(pattern: RegExp, text: string, end: number, chars: number): number {
  return pattern.exec(text.slice(Math.max(0, end - chars), end))?.[0].length ?? 0
}

const QUOTE = '(?:\\\\*["\'`]|\\\\+u002[27]|%(?:25)?2[27])'
const COLOURS = `${COLOUR}{0,2}`
const SPACE = '(?: |%20){0,12}'
const SIGN = '(?:[?!+]{0,2}={1,3}>?|:{1,2}=?|>|\\?{2}|\\|{1,2}|\\\\+u003[adAD]|%(?:25)?3[AaDd])'
const END_OF_NAME = `${COLOURS}${QUOTE}?${COLOURS}\\]?`
const BEGIN_OF_VALUE = `${COLOURS}${SPACE}${COLOURS}[\\[(]?[brfuBRFU@]?${QUOTE}?${COLOURS}(?:${BASE64}:)?`
/** `NAME=`, `NAME: `, `"NAME": "`, `\"NAME\": \"`; `["--name", "`. */
const ASSIGNED = new RegExp(
  `^(?:${END_OF_NAME}${SPACE}${COLOURS}${SIGN}${BEGIN_OF_VALUE}|${QUOTE} ?, ?${QUOTE})$`,
)
const SPACED = /^ +(?:\\*["'])?$/
/** An option, or a variable of fish, csh or a Dockerfile; `password` also in prose and .netrc. */
const BEFORE_SPACE =
  /(?:(?:^|[\s"'`]|\\[nt])(?:-{1,2}[A-Za-z0-9_-]*|(?:ENV|ARG|setenv|set(?: -{1,2}[a-zA-Z-]{1,9}){1,3}) +[A-Za-z0-9_-]+)|passw(?:or)?d)$/
const LOGIN =
  /(?:^|[\s"'`]|\\[nt])(?:-[uU]|--user|--proxy-user)(?:[ =]|\\*["']|,){0,8}[A-Za-z0-9._@%+-]{1,64}$/
const TYPE_CHARS = 20
const TYPE = /: ?&?(?:'static )?(?:str|[sS]tring)$/
/** Between the name and the value of a variable that are two members, or lines of YAML. */
const MEMBER_CHARS = 64
const MEMBER = /(?:(?:\\+[nrt]|\s|\\*["'],?|[,;-]|\\+u0022,?){1,24})value$/

/** `end`: where the separators begin. */
function isNamed(text: string, end: number, start: number): boolean {
  const gap = text.slice(end, start)
  const before = text.slice(Math.max(0, end - LOOK_BACK), end)
  if (SPACED.test(gap)) return isTelling(before) && BEFORE_SPACE.test(before)
  if (!ASSIGNED.test(gap)) return false
  if (isTelling(before) || (gap === ':' && hasLogin(before))) return true
  const between = before.endsWith('value')
    ? MEMBER.exec(before.slice(-MEMBER_CHARS))
    : TYPE.exec(before.slice(-TYPE_CHARS))
  return between !== null && isTelling(before.slice(0, -between[0].length))
}

/** The pattern takes longer than the search. */
function hasLogin(before: string): boolean {
  return (before.includes('-u') || before.includes('-U')) && LOGIN.test(before)
}

const TELLING =
  /(?:token|secret|credentials?|passw(?:or)?d|passphrase|authorization|key_?base|(?:api|app|application|access|account|admin|auth|client|crypt|cryption|deploy|encrypt|hmac|jwt|license|master|private|secret|service|shared|sign|signing|storage|subscription|webhook)[_ -]?key)$/i
/** Where lists go on, and the fingerprint of the key by which git signs. */
const NO_SECRET =
  /(?:(?:next\w{0,9}|page|pagination|continuation|cursor|sync|resume|starting|marker|publickey)[_ -]?token|sign(?:ing)?[_ ]?key)$/i
/** Short words are the ends of others: `bypass`, `path`, `monkey`. */
const SHORT =
  /(?:(?:^|[^A-Za-z]|\\[bfnrt])(?:pass|[pP]wd|o?auth|AUTH|PASS)|[a-z](?:Pass|Pwd|Auth)|_(?:pat|PAT|pwd|PWD))$/
const OTHER_KEY =
  /(?<!(?:PUBLIC_[A-Z]{1,16}|PUBLIC|PUB|GPG|PGP|SITE|NODE|PUBLISHABLE|CACHE|SORT|PRIMARY|FOREIGN|PARTITION|UNIQUE|INDEX|HASH|ROW|OBJECT|HOST|IDEMPOTENCY|GROUP|BUILD|ROUTING))_KEY$/
const NAME_CHARS = 32 // of the longest name's end

function isTelling(before: string): boolean {
  const name = before.slice(-NAME_CHARS)
  return (TELLING.test(name) && !NO_SECRET.test(name)) || SHORT.test(name) || OTHER_KEY.test(name)
}

/** `"token": "<uuid>"` counts something, as in session.drained of kilo 7.7.7; behind another name it gives access. */
const COUNTER =
  /(?:^|[^A-Za-z0-9_-]|\\[nrt])token$|(?:[cC]lient|[rR]equest|[iI]dempotency|[lL]ock|[pP]rogress)[_-]?[tT]oken$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** The tag of an image, a branch and its commit: `acme/auth:86f7e437…`. */
const IN_PATH = /[/\w]\/[\w.-]{1,64}$/
const COMMIT = /^(?:sha-)?[0-9a-f]{12,64}$/
/** What a chain of blocks calls a token; a key of it has 64 digits. */
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const ARN = /\barn:[\w:-]{1,64}:secret$/
const FILE = /\.(?:js|mjs|css|map|pem|json|html|svg|png)$/

/** Random, and behind a name that tells, but known to everybody. */
function isPublic(value: string, before: string): boolean {
  if (UUID.test(value)) return COUNTER.test(before)
  if (COMMIT.test(value)) return IN_PATH.test(before)
  return ADDRESS.test(value) || FILE.test(value) || ARN.test(before)
}
