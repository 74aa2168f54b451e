/** Printing for people: colours, columns, sizes. No colours if the output is not a terminal or NO_COLOR is set. */
import { writeSync } from 'node:fs'
import type { LookTone } from '../../client/index.ts'
import { GantryError } from '../../core/errors.ts'
import { age } from '../../core/text/amount.ts'
import { widthOf, wrap } from '../../core/text/columns.ts'
import { clock, escaped } from '../../core/text/text.ts'
import { dayOf } from '../../core/time/days.ts'

export { age } from '../../core/text/amount.ts'
export { cut, elide, widthOf, wrap } from '../../core/text/columns.ts'
export { bare, clock, counted, plain } from '../../core/text/text.ts'

const ansi = (open: number, close: number) => (text: string) =>
  colours() ? `\u001b[${open}m${text}\u001b[${close}m` : text

export const bold = ansi(1, 22)
export const dim = ansi(2, 22)
export const red = ansi(31, 39)
export const green = ansi(32, 39)
export const yellow = ansi(33, 39)
export const cyan = ansi(36, 39)
export const magenta = ansi(35, 39)

/** The colour of a session's state, an event or an entry of a timeline. */
export function byTone(tone: LookTone | 'plain' | 'strong' | 'accent'): (text: string) => string {
  const accent = (text: string) => bold(cyan(text))
  return {
    ...{ need: yellow, error: red, work: green, busy: magenta, done: cyan, quiet: dim },
    ...{ plain: String, strong: bold, accent },
  }[tone]
}

function colours(): boolean {
  if (process.env.NO_COLOR) return false
  const { FORCE_COLOR: force, TERM: term } = process.env
  if (force) return force !== '0' && force !== 'false'
  return process.stdout.isTTY === true && term !== 'dumb'
}

/** Before a finding or a result. */
export function levelMark(level: 'ok' | 'warn' | 'fail'): string {
  return level === 'ok' ? green('✓') : level === 'warn' ? yellow('!') : red('✗')
}

/** A person can be asked, and sees what is drawn. */
export function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true
}

export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** The width: COLUMNS, which `watch` and others set for a pipe, else the terminal's, else `inPipe`. */
export function columns(inPipe = 100): number {
  const asked = Number(process.env.COLUMNS)
  if (Number.isInteger(asked) && asked > 0) return asked
  return process.stdout.columns || inPipe
}

const LEAST_COLUMNS = 20 // a narrower window breaks the lines itself
const UNDER_HEAD = 4 // columns

/** Wraps at words with a hanging indent on a terminal, below a head that leaves no room; a pipe gets one line. */
export function paragraph(head: string, text: string, style = (one: string) => one): string {
  if (!process.stdout.isTTY) return head + style(text)
  const hasRoom = columns() - widthOf(head) >= LEAST_COLUMNS
  const indent = hasRoom ? widthOf(head) : UNDER_HEAD
  const lines = wrap(text, Math.max(LEAST_COLUMNS, columns() - indent), Number.POSITIVE_INFINITY).map(style)
  const below = `\n${' '.repeat(indent)}`
  return (hasRoom || lines.length === 0 ? head : head.trimEnd() + below) + lines.join(below)
}

const UP_TO_MINUTES = 5 // letters of `14:02:07`

/** `14:02:07` today, else `2026-03-01 14:02:07`; the seconds of another day only if they matter. */
export function dated(at: number, seconds = true): string {
  const [day, time] = [dayOf(at), clock(at)]
  if (day === dayOf(Date.now())) return time
  return `${day} ${seconds ? time : time.slice(0, UP_TO_MINUTES)}`
}

/** "5m ago". */
export function ago(at: number): string {
  return `${age(Date.now() - at)} ago`
}

/** One line on stderr, for people. */
export function note(text: string): void {
  process.stderr.write(`gantry: ${sanitize(text).replaceAll('\t', ' ')}\n`)
}

const FULL =
  'The output cannot be written: no space left on its disk. Make room there, or write it to another place.'

/** Writes synchronously: commands end with process.exit, which does not flush a pipe. */
export function out(text: string): void {
  const bytes = Buffer.from(sanitize(text.endsWith('\n') ? text : `${text}\n`))
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(1, bytes, done)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE') process.exit(0) // the reader has seen enough, as head does
      if (code === 'ENOSPC' || code === 'EDQUOT') throw new GantryError('PERMISSION', FULL, { cause: error })
      if (code !== 'EAGAIN' && code !== 'EINTR') throw error
      Bun.sleepSync(1)
    }
  }
}

/** Prints a value as JSON. */
export function outJson(value: unknown): 0 {
  out(JSON.stringify(value, null, 2))
  return 0
}

/** Prints an array as JSON, or one line per item; `none` if there are no items. */
export function outList<T>(json: boolean, all: readonly T[], line: (one: T) => string, none?: string): 0 {
  if (json) return outJson(all)
  if (all.length === 0 && none !== undefined) out(none)
  for (const one of all) out(line(one))
  return 0
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours above
const OWN_COLOURS = /(\u001b\[(?:1|2|22|31|32|33|35|36|39)m)/

/** The last line of defence: escapes every control character that a command forgot, except our own colours. */
export function sanitize(text: string): string {
  if (!colours()) return escaped(text)
  return text
    .split(OWN_COLOURS)
    .map((part, i) => (i % 2 === 1 ? part : escaped(part)))
    .join('')
}

/** `/home/me/.claude` → `~/.claude`. */
export function short(path: string): string {
  const home = process.env.HOME
  return home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}
