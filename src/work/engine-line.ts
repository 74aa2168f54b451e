/**
 * Whether a shell line is one command of the engine and nothing else. Such a command passes every guard, so whatever runs
 * beside it would, too. Hence this reads the little of the shell's language that it fully understands, the same in every
 * shell; all else makes an ordinary line.
 *
 *   gantry effort log "parser done; tests next"     yes
 *   gantry effort log x && rm -rf build             no
 *   gantry effort log "$(rm -rf build)"             no
 */
import { ownProgram } from './own-command.ts'

const MAX_LINE_CHARS = 100_000 // a dehydration payload and then some; an agent waits while it is read

const ABOUT = /^(?:effort|task|session|sessions|fleet)$/

/** Between words; a line may be continued there. */
const BLANK = /[ \t](?:[ \t]|\\\n)*/y
/** Parts of a word that mean themselves, or at most an argument such as $1, in every shell. */
const PLAIN = /[\w./:,=@%+\u00a1-\uffff-]+/y
const ESCAPED = /\\[^\n\0]/y
const SINGLE = /'[^'\0]*'/y
/** Between double quotes, in pieces: one pattern for all of it is slow with long texts. */
const QUOTED = /[^"\\$`\0]+|\\[^\0]|\$(?=[\d ])/y
const QUOTE = /"/y
const PARTS = [PLAIN, SINGLE, ESCAPED]

/** Output to nowhere or beside the other, and a file to read: not /dev, where bash has connections to other hosts. */
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

/** Loose where the other is strict: whether a line may well log something, however it is written. It may do more besides. */
export function mayLog(text: string): boolean {
  return LOGS.test(text.slice(0, MAX_LINE_CHARS))
}

/** By any path, behind anything, as a command or as a call. */
const LOGS = /\bgantry\b[^\n;&|]{0,300}?\beffort[ \t.]{1,8}(?:log|dehydrate|finish)\b/

/** By its name, or by the path that gantry itself names. */
function takeProgram(line: Cursor): boolean {
  const { at } = line
  if (line.take(PLAIN) === 'gantry') return true
  line.at = at
  return line.takeText(ownProgram())
}

/** Between the program and the command there may be the folder to use. */
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

/** Behind `<<EOF` come redirections at most, then its text, and its end is the end of the line. */
function endsWithDocument(line: Cursor, [, dash, single, double, bare]: RegExpExecArray): boolean {
  do line.take(SPACES)
  while (line.take(REDIRECTION))
  const [opening, ...body] = line.rest().split('\n')
  if (opening !== '') return false
  const end = single ?? double ?? bare ?? ''
  const last = body.findIndex((one) => (dash === '-' ? one.replace(/^\t+/, '') : one) === end)
  if (last < 0 || body.slice(last + 1).some((one) => !/^[ \t]*$/.test(one))) return false
  // Without quotes the shell looks into the text, and may even find its end elsewhere.
  return bare === undefined || !/[$`\\]/.test(body.slice(0, last).join('\n'))
}

class Cursor {
  readonly #text: string
  at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Undefined where the text does not go on like this; nothing is taken then. */
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
