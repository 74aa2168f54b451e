/**
 * Keeps secrets out of the journal and the bus. Only the secret's own span is replaced; everything else stays byte for
 * byte. It runs on every hook, so it first looks for long runs of letters and digits, which are rare in most text. A token
 * can start at few positions of a run, and each format tests it once. So the time is linear in the text, whatever it
 * contains.
 *
 *   redact('{"command":"curl -H \\"Authorization: Bearer ghp_…\\""}').count   // 1
 */
import { isPlaceholder } from './looks-random.ts'
import { namedValues } from './named-values.ts'
import { LEAD_FORMATS, PLACED_FORMATS, TOKEN_FORMATS } from './secret-formats.ts'
import { privateKeys } from './secret-keys.ts'

interface Redacted {
  readonly text: string
  readonly count: number
}

/** Where a secret begins and ends. */
export type Span = readonly [from: number, to: number]

/** Stands where a secret was. */
export const MARK = '[redacted]'
const NONE: readonly Format[] = []

/** Returns the same string object if nothing was found, which is nearly always. */
export function redact(text: string): Redacted {
  const spans = spansIn(text)
  if (spans.length === 0) return { text, count: 0 }
  const pieces: string[] = []
  const numberEnd = numbersIn(text)
  let end = 0
  for (const [from, to] of spans) {
    const number = numberEnd(from, to)
    pieces.push(text.slice(end, from), number === undefined ? MARK : `"${MARK}"`)
    end = number ?? to
  }
  pieces.push(text.slice(end))
  return { text: pieces.join(''), count: spans.length }
}

/** What `redact` would replace, in order. */
export function secretsIn(text: string): string[] {
  return spansIn(text).map(([from, to]) => text.slice(from, to))
}

const NUMBER = /-?[0-9][0-9.eE+-]*/y

/**
 * Asked for ascending spans: the end of the number that begins there, outside of all strings of JSON. What stands for it has to be a
 * string.
 */
function numbersIn(text: string): (from: number, to: number) => number | undefined {
  const isJson = /^\s*[[{]/.test(text)
  let [at, isInside] = [0, false]
  return (from, to) => {
    NUMBER.lastIndex = from
    if (!isJson || !NUMBER.test(text)) return undefined
    const end = NUMBER.lastIndex
    if (end < to) return undefined
    for (; at < from; at++) {
      const code = text.charCodeAt(at)
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) isInside = !isInside
    }
    return isInside ? undefined : end
  }
}

const [QUOTE = 0, BACKSLASH = 0] = Buffer.from('"\\')
const ESCAPE = /\\(?:[bfnrt"\\/]|u[0-9a-fA-F]{4})/y

/** If it is the letter of an escape, what comes after that: half of an escape would not be JSON any more. */
function afterEscape(text: string, at: number): number {
  let first = at
  while (text[first - 1] === '\\') first -= 1
  if ((at - first) % 2 === 0) return at
  ESCAPE.lastIndex = at - 1
  return ESCAPE.test(text) ? ESCAPE.lastIndex : at
}

/** In order, none inside of another: a token inside a header or key is covered by it. */
function spansIn(text: string): readonly Span[] {
  const found: readonly Span[] = [...tokens(text), ...placed(text), ...privateKeys(text)]
  const spans = found.map(([from, to]): Span => [afterEscape(text, from), to])
  if (spans.length < 2) return spans
  spans.sort((a, b) => a[0] - b[0])
  const apart: [number, number][] = []
  for (const [from, to] of spans) {
    const last = apart.at(-1)
    if (last && from < last[1]) last[1] = Math.max(last[1], to)
    else apart.push([from, to])
  }
  return apart
}

const RUN_CHARS = 17 // the shortest: the first part of an Airtable token
/** The position after an escape of JSON, a shell or a URL, or after a terminal colour code. */
const AFTER_ESCAPE =
  /(?<=\\(?:[bfnrt]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})|%(?:25)?[0-9A-Fa-f]{2}|\[[0-9;]{0,20}[A-Za-z])/y
const ESCAPES = '\\%[;' // one of these precedes a run that starts inside an escape
const LONGEST_ESCAPE = 6

interface Format {
  readonly prefix: string
  /** Compiled on first use: there are many, and most are never needed. */
  readonly body: () => RegExp
}

/**
 * Indexed by the code of the first character; leads by their last one. Plain loops, because they run before the first hook.
 */
const TOKENS: Format[][] = []
for (const { prefixes, body } of TOKEN_FORMATS)
  for (const prefix of prefixes) put(TOKENS, prefix.charCodeAt(0), prefix, body)
const LEADS: Format[][] = []
for (const { lead, body } of LEAD_FORMATS) put(LEADS, lead.charCodeAt(lead.length - 1), lead, body)
const SIGNS = [...new Set(PLACED_FORMATS.flatMap(({ signs }) => signs))]
const PLACED = PLACED_FORMATS.map((one) => ({
  ...one,
  signs: one.signs.map((sign) => SIGNS.indexOf(sign)),
  pattern: once(() => new RegExp(one.pattern, 'g')),
}))

function tokens(text: string): Span[] {
  const spans: Span[] = []
  const namedValue = namedValues(text)
  for (let from = nextRun(text, 0); from >= 0; ) {
    const token = tokenIn(text, from)
    let end = token ? token[1] : from + RUN_CHARS
    while (isTokenChar(text, end)) end += 1
    const span = token ?? namedValue(from, end)
    if (span && !isPlaceholder(text.slice(...span))) spans.push(span)
    from = nextRun(text, Math.max(end, span?.[1] ?? 0))
  }
  return spans
}

/** Start of the next run of at least 17 token characters. It reads each window backwards, and so skips most of the text. */
function nextRun(text: string, start: number): number {
  let from = start
  while (from + RUN_CHARS <= text.length) {
    let at = from + RUN_CHARS - 1
    while (at >= from && isTokenChar(text, at)) at -= 1
    if (at < from) return from
    from = at + 1
  }
  return -1
}

const TOKEN_CHARS = new Uint8Array(128)
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-')
  TOKEN_CHARS[letter.charCodeAt(0)] = 1

function isTokenChar(text: string, at: number): boolean {
  return TOKEN_CHARS[text.charCodeAt(at)] === 1
}

function tokenIn(text: string, from: number): Span | undefined {
  const found = (afterEscape(text, from) === from ? tokenAt(text, from) : undefined) ?? ledBy(text, from)
  if (found || !ESCAPES.includes(text[from - 1] ?? ' ')) return found
  for (let at = from + 1; at <= from + LONGEST_ESCAPE; at++) {
    const span = isAfterEscape(text, at) ? tokenAt(text, at) : undefined
    if (span) return span
  }
  return undefined
}

function tokenAt(text: string, at: number): Span | undefined {
  for (const { prefix, body } of TOKENS[text.charCodeAt(at)] ?? NONE) {
    const end = text.startsWith(prefix, at) ? endOf(body, text, at + prefix.length) : undefined
    if (end !== undefined) return [at, end]
  }
  return undefined
}

function ledBy(text: string, from: number): Span | undefined {
  for (const { prefix, body } of LEADS[text.charCodeAt(from - 1)] ?? NONE) {
    const start = from - prefix.length
    if (start < 0 || !text.startsWith(prefix, start)) continue
    const isStart = !isTokenChar(prefix, 0) || !isTokenChar(text, start - 1)
    const end = isStart || isAfterEscape(text, start) ? endOf(body, text, from) : undefined
    if (end !== undefined) return [start, end]
  }
  return undefined
}

function placed(text: string): Span[] {
  const spans: Span[] = []
  const found = SIGNS.map((sign) => text.includes(sign))
  if (!found.includes(true)) return spans
  for (const { signs, pattern, isExample } of PLACED) {
    if (!signs.some((sign) => found[sign])) continue
    for (const match of text.matchAll(pattern())) {
      const secret = match.at(-1) ?? ''
      if (isExample?.(match) || isPlaceholder(secret)) continue
      const end = match.index + match[0].length
      spans.push([end - secret.length, end])
    }
  }
  return spans
}

function isAfterEscape(text: string, at: number): boolean {
  AFTER_ESCAPE.lastIndex = at
  return AFTER_ESCAPE.test(text)
}

function endOf(body: () => RegExp, text: string, at: number): number | undefined {
  const pattern = body()
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function put(formats: Format[][], code: number, prefix: string, body: string): void {
  const one = { prefix, body: once(() => new RegExp(body, 'y')) }
  const list = formats[code]
  if (list) list.push(one)
  else formats[code] = [one]
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
