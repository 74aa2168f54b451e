/**
 * Private keys as blocks of text: PEM with or without a password, OpenSSH, PGP, SSH2, PuTTY; complete, cut off, with line
 * numbers, quoted in source text, or inside a URL. A BEGIN line alone is not a secret; the key lines after it are. Only
 * such lines are covered: a command must not hide behind "[redacted]".
 */
import type { Span } from './redact.ts'

const GAP = '(?: |%20|\\+)' // plain and URL-encoded
const LABEL = `(?:${GAP}[A-Z0-9]{1,12}){0,4}?${GAP}PRIVATE${GAP}KEY(?:${GAP}BLOCK)?${GAP}?-----?`
const BEGIN = new RegExp(`-----?${GAP}?BEGIN${LABEL}|Private-Lines: [0-9]{1,4}`, 'g')
const END = new RegExp(`-----?${GAP}?END${LABEL}|Private-MAC: [0-9a-f]{40,64}`, 'y')

/** A line of key material, including its escapes in JSON (`\/`, `\u002B`) and in a URL. */
const LINE = /(?:[A-Za-z0-9+/=_-]|\\\/|\\u00(?:2[BbFf]|3[Dd])|%2[BbFf]|%3[Dd]){24,}/y
/** The last line, and the PGP checksum. */
const SHORT_LINE = /=?(?:[A-Za-z0-9+/]|\\\/|%2[BbFf]){1,23}(?:=|%3[Dd]){0,2}(?=[\\\s"'&%`]|$)/y
const SHORT_LINES = 2
/** Between lines: line breaks, line numbers, quotes, diff marks, URL separators. A quote that ends a JSON string is none of them. */
const BETWEEN =
  /(?:\s|\\+['nrt]|(?<!\\)\\(?:\\\\)*"|\\u[0-9a-fA-F]{4}|%0[AaDd]|%20|[>|#*+→:,'`]|-(?!-)|[0-9]{1,6}(?=\\t|[\t→:|]))+/y
const HEADER =
  /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Subject)(?::|%3A)(?:[A-Za-z0-9 ,.:@/+=_-]|%(?!0[AaDd])){0,120}/y
const MAX_HEADERS = 6

export function privateKeys(text: string): Span[] {
  if (!(text.includes('----') && text.includes('PRIVATE')) && !text.includes('-Lines: ')) return []
  const spans: Span[] = []
  BEGIN.lastIndex = 0
  for (let begin = BEGIN.exec(text); begin; begin = BEGIN.exec(text)) {
    const end = endOfKey(text, BEGIN.lastIndex)
    if (end === undefined) continue
    spans.push([begin.index, end])
    BEGIN.lastIndex = end
  }
  return spans
}

/** Undefined if no key line follows. */
function endOfKey(text: string, body: number): number | undefined {
  let at = after(BETWEEN, text, body) ?? body
  for (let i = 0; i < MAX_HEADERS; i++) {
    const header = after(HEADER, text, at)
    if (header === undefined) break
    at = after(BETWEEN, text, header) ?? header
  }
  let end: number | undefined
  for (let line = after(LINE, text, at); line !== undefined; line = after(LINE, text, at)) {
    end = line
    at = after(BETWEEN, text, line) ?? line
  }
  if (end === undefined) return undefined
  for (let i = 0; i < SHORT_LINES; i++) {
    const line = after(SHORT_LINE, text, at)
    if (line === undefined || !/[0-9+/=]/.test(text.slice(at, line))) break // an ordinary word after the key
    end = line
    at = after(BETWEEN, text, line) ?? line
  }
  return after(END, text, at) ?? end
}

function after(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
