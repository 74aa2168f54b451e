/** sed scripts: their substitutions, and the commands that they start. */
import type { Word } from '../command.ts'
import { readOptions, valueNames } from '../options.ts'

const SED_VALUES = valueNames('e expression f file l line-length')

/** The texts of all scripts on its command line. */
export function sedScripts(words: readonly Word[]): Word[] {
  const { all, operands, given } = readOptions(words, SED_VALUES)
  const scripts = all.flatMap(([name, value]) => {
    if (!value) return []
    if (name === 'e' || name === 'expression') return [value]
    return (name === 'f' || name === 'file') && value.output ? [value.output] : []
  })
  if (scripts.length > 0 || given.has('f') || given.has('file')) return scripts
  return operands.slice(0, 1)
}

export interface Substitution {
  /** As a pattern of JavaScript; absent where it has something that only sed knows. */
  readonly pattern?: string
  readonly replacement: string
  readonly isGlobal: boolean
  /** The flag `e`: what results is run. */
  readonly isRun: boolean
}

const MAX_SUBSTITUTIONS = 32
const MAX_SCRIPT = 8_000 // characters that are looked at
/** A command begins at the start, behind `;`, `{` or a line, or behind an address. */
const START = /(?:^|[;{}\n])[\s\d,$!~+]{0,20}(?:\/(?:[^/\\\n]|\\.){0,200}\/[\s!]{0,9})?s([^\w\s\\])/g

export function substitutionsOf(whole: string): Substitution[] {
  const script = whole.slice(0, MAX_SCRIPT)
  const found: Substitution[] = []
  START.lastIndex = 0
  for (
    let start = START.exec(script);
    start && found.length < MAX_SUBSTITUTIONS;
    start = START.exec(script)
  ) {
    const separator = start[1] ?? '/'
    const from = START.lastIndex
    const middle = endOf(script, from, separator)
    const end = middle < 0 ? -1 : endOf(script, middle + 1, separator)
    if (end < 0) break
    const flags = /^\w*/.exec(script.slice(end + 1, end + 9))?.[0] ?? ''
    const pattern = patternOf(script.slice(from, middle))
    found.push({
      ...(pattern !== undefined && { pattern }),
      replacement: script.slice(middle + 1, end).replaceAll(`\\${separator}`, separator),
      isGlobal: flags.includes('g'),
      isRun: flags.includes('e'),
    })
    START.lastIndex = end + 1
  }
  return found
}

function endOf(script: string, from: number, separator: string): number {
  for (let i = from; i < script.length; i++) {
    if (script[i] === '\\') i++
    else if (script[i] === separator) return i
  }
  return -1
}

const MAX_STARS = 2 // each multiplies the time by the length of the text

/** Letters, `.`, `*`, `^`, `$` and groups mean the same in both; everything else is left alone. */
function patternOf(text: string): string | undefined {
  if (!/^(?:[\w\s,:;@%=<>"'!#&~.^$/-]|\.\*|\\[().*/^$]){0,200}$/.test(text)) return undefined
  if (text.split('.*').length > MAX_STARS + 1) return undefined
  return text.replace(/\\([()])/g, '$1')
}

const RUN = /(?:^|[;{}\n])[\s\d,$!]{0,20}e[ \t]{1,9}([^\n]+)/g

const WRITTEN =
  /(?:^|[;{}\n])[\s\d,$!]{0,20}(?:\/(?:[^/\\\n]|\\.){0,200}\/[\s!]{0,9})?[wW][ \t]{1,9}([^\n;}]{1,400})/g
const WRITTEN_BEHIND =
  /(?:^|[;{}\n])[\s\d,$!]{0,20}s([^\w\s\\])(?:(?!\1)[^\n\\]|\\.){0,400}\1(?:(?!\1)[^\n\\]|\\.){0,400}\1[gpIiMm\d]{0,6}w[ \t]{1,9}([^\n]{1,400})/g

/** `w file`, `s/x/y/w file`: files that a script writes. */
export function filesInSed(whole: string): string[] {
  const script = whole.slice(0, MAX_SCRIPT)
  if (!/[wW][ \t]/.test(script)) return []
  return [
    ...[...script.matchAll(WRITTEN)].map(([, file = '']) => file),
    ...[...script.matchAll(WRITTEN_BEHIND)].map(([, , file = '']) => file),
  ]
    .map((file) => file.trim())
    .filter((file) => file !== '' && !file.startsWith('/dev/std'))
}

/** `s/x/y/e` runs what it makes, and `e ls` runs a command. */
export function commandsInSed(script: string): string[] {
  return [
    ...substitutionsOf(script).flatMap(({ isRun, replacement }) =>
      isRun ? [replacement.replace(/(?<!\\)(?:&|\\\d)/g, '$line')] : [],
    ),
    ...[...script.slice(0, MAX_SCRIPT).matchAll(RUN)].map(([, text = '']) => text),
  ]
}
