/**
 * Whether a shell line is exactly one command of the engine. Such a command passes every guard, and anything that runs
 * beside it would pass, too. So this accepts only the small part of the language that all shells read alike; every other
 * line is treated as an ordinary command.
 *
 *   gantry effort log "parser done; tests next"     yes
 *   gantry effort log x && rm -rf build             no
 *   gantry effort log "$(rm -rf build)"             no
 */
import { ownProgram } from './own-command.ts'

const MAX_LINE_CHARS = 100_000 // room for a dehydration payload; the agent waits while the line is parsed

const ABOUT = /^(?:effort|task|session|sessions|fleet)$/

/** Whitespace between words, including line continuations. */
const BLANK = /[ \t](?:[ \t]|\\\n)*/y
/** Characters of a word that every shell takes literally, or at most as a positional argument such as $1. */
const PLAIN = /[\w./:,=@%+\u00a1-\uffff-]+/y
const ESCAPED = /\\[^\n\0]/y
const SINGLE = /'[^'\0]*'/y
/** The inside of double quotes, piece by piece: one pattern for the whole is slow on long texts. */
const QUOTED = /[^"\\$`\0]+|\\[^\0]|\$(?=[\d ])/y
const QUOTE = /"/y
const PARTS = [PLAIN, SINGLE, ESCAPED]

/**
 * Redirections of output to /dev/null or to each other, and of input from a file. Not from /dev, where bash opens
 * network connections.
 */
const REDIRECTION = /(?:[12]?>[ \t]*\/dev\/null|[12]?>&[12]|<[ \t]*(?!\/+dev\/)[\w./-]+)(?=[ \t\n]|$)/y
const HERE_DOCUMENT = /<<(-?)[ \t]*(?:'([A-Za-z_]\w*)'|"([A-Za-z_]\w*)"|([A-Za-z_]\w*))(?=[ \t\n]|$)/y
const SPACES = /[ \t]*/y
const END = /[ \t\n]*$/y

export function isEngineLine(text: string): boolean {
  if (text.length > MAX_LINE_CHARS) return false
  const line = new Cursor(text.replace(/^[ \t\n]+/, ''))
  if (!takeProgram(line)) return false
  if (!line.take(BLANK) || !takeHome(line) || !ABOUT.test(line.take(PLAIN) ?? '')) return false
  while (line.take(END) === undefined) {
    if (!line.take(BLANK)) return false
    if (line.take(END) !== undefined) return true
    const document = line.match(HERE_DOCUMENT)
    if (document) return endsWithDocument(line, document)
    if (!line.take(REDIRECTION) && !takeWord(line)) return false
  }
  return true
}

/** Lenient where isEngineLine is strict: whether a line probably logs something. It may run other commands as well. */
export function mayLog(text: string): boolean {
  return LOGS.test(text.slice(0, MAX_LINE_CHARS))
}

/** gantry by any path, behind any prefix, as a command or as a call. */
const LOGS = /\bgantry\b[^\n;&|]{0,300}?\beffort[ \t.]{1,8}(?:log|dehydrate|finish)\b/

/** Matches the program by name, or by the path that gantry puts into its own messages. */
function takeProgram(line: Cursor): boolean {
  const { at } = line
  if (line.take(PLAIN) === 'gantry') return true
  line.at = at
  return line.takeText(ownProgram())
}

/** Takes an optional `--home <folder>` between the program and the command. */
function takeHome(line: Cursor): boolean {
  if (!line.take(HOME)) return true
  return takeWord(line) && line.take(BLANK) !== undefined
}

const HOME = /--home(?:=|[ \t]+)/y

function takeWord(line: Cursor): boolean {
  let found = false
  while (PARTS.some((part) => line.take(part)) || takeQuoted(line)) found = true
  return found
}

function takeQuoted(line: Cursor): boolean {
  const { at } = line
  if (!line.take(QUOTE)) return false
  while (line.take(QUOTED));
  if (line.take(QUOTE)) return true
  line.at = at
  return false
}

/** After `<<EOF` only redirections and the text may follow, and the terminator must end the line. */
function endsWithDocument(line: Cursor, [, dash, single, double, bare]: RegExpExecArray): boolean {
  do line.take(SPACES)
  while (line.take(REDIRECTION))
  const [opening, ...body] = line.rest().split('\n')
  if (opening !== '') return false
  const end = single ?? double ?? bare ?? ''
  const last = body.findIndex((one) => (dash === '-' ? one.replace(/^\t+/, '') : one) === end)
  if (last < 0 || body.slice(last + 1).some((one) => !/^[ \t]*$/.test(one))) return false
  // Without quotes the shell expands the text, and may even find the terminator elsewhere.
  return bare === undefined || !/[$`\\]/.test(body.slice(0, last).join('\n'))
}

class Cursor {
  readonly #text: string
  at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Undefined if the pattern does not match at the cursor; the cursor then stays. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.#text)
    if (!found) return undefined
    this.at += found[0].length
    return found
  }

  take(pattern: RegExp): string | undefined {
    return this.match(pattern)?.[0]
  }

  takeText(text: string): boolean {
    if (!this.#text.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  rest(): string {
    return this.#text.slice(this.at)
  }
}
