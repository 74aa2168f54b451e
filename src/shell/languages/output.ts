/** What a command prints, where that follows from its words: it may be the next command's code. */
import type { Command, Word } from '../command.ts'
import { printedByCode } from './code.ts'
import { FILTERS } from './filters.ts'
import { languageOf } from './interpreters.ts'

/** `spend` is told of more work than one pass over the words and the input. */
export function outputOf(command: Command, spend: (steps: number) => void): Word | undefined {
  const { argv, program } = command
  const words = argv.slice(1)
  switch (program) {
    case 'echo':
      return echoed(words)
    case 'printf':
      return printed(words, spend)
    case 'find':
      return { text: foundBy(words).join('\n'), known: false }
    case 'crontab':
      // Lines that nobody knows; what stands behind them in `(crontab -l; echo x) | crontab -` is known.
      return words.length === 1 && words[0]?.text === '-l' ? { text: '', known: false } : undefined
    case 'yes':
      return { ...echoed(words.length > 0 ? words : [{ text: 'y', known: true }]), known: false }
    case ':':
    case 'true':
    case 'cd':
    case 'export':
    case 'set':
    case 'read':
      return { text: '', known: true }
    default:
      if (Object.hasOwn(FILTERS, program)) return FILTERS[program]?.(words, inputOf(command), spend)
      return printedByInterpreter(command)
  }
}

function printedByInterpreter(command: Command): Word | undefined {
  const code = languageOf(command)?.text
  const text = code && printedByCode(code.text)
  return text === undefined ? undefined : { text, known: false }
}

/** A filter reads the files that it is given, else its standard input. */
function inputOf({ program, argv, stdin }: Command): Word | undefined {
  const files = argv.slice(1).filter(({ output }) => output)
  if (files.length === 0) return program === 'cat' && argv.some(isOperand) ? undefined : stdin
  const texts = files.map(({ output }) => output as Word)
  return { text: texts.map(({ text }) => text).join(''), known: texts.every(({ known }) => known) }
}

function isOperand({ text }: Word, i: number): boolean {
  return i > 0 && !text.startsWith('-')
}

/** The files that a `find` names: its folders and the pattern it looks for, as globs. */
export function foundBy(all: readonly Word[]): string[] {
  const words = lastAlternative(all.map(({ text }) => text)).map((i) => all[i] as Word)
  const names = words.flatMap(({ text }, i) =>
    /^-i?(name|path|wholename)$/.test(text) && !/^(!|-not)$/.test(words[i - 1]?.text ?? '')
      ? (words[i + 1]?.text ?? '*')
      : [],
  )
  // `\( -name a -o -name b \)` takes both; of tests that all must hold, the first says enough.
  const isEither = words.some(({ text }) => /^-or?$/.test(text))
  const found = names.length === 0 ? ['*'] : isEither ? names.slice(0, MAX_NAMES) : names.slice(0, 1)
  return rootsOf(all).flatMap(({ text }) => {
    // Without a value, `$x` is this folder, and `$x/` the root.
    const root = text.replace(/(?<!^\$\{?\w{1,64}\}?)\/+$/, '')
    // The pattern of -path begins with the folder.
    const below = (name: string) => (name.startsWith(`${root}/`) ? name.slice(root.length) : name)
    return found.map((name) => `${root}/**/${below(name).replace(/^\/+/, '')}`)
  })
}

const MAX_NAMES = 16

/** `find . -name x -o -delete`: which tests stand before the action, as places among the words. */
export function lastAlternative(words: readonly string[]): number[] {
  const action = words.findIndex((word) => /^-(?:delete|exec|execdir|ok|okdir)$/.test(word))
  const end = action < 0 ? words.length : action
  let depth = 0
  let start = 0
  for (let i = 0; i < end; i++) {
    if (words[i] === '(') depth++
    else if (words[i] === ')') depth--
    else if (depth === 0 && /^(?:-o|-or|,)$/.test(words[i] ?? '')) start = i + 1
  }
  if (action < 0) start = 0 // all alternatives are printed
  return words.flatMap((_, i) => (i >= start && i < end ? [i] : []))
}

/** The folders in which a `find` looks. */
export function rootsOf(words: readonly Word[]): readonly Word[] {
  const first = words.findIndex(({ text }) => /^[-(!]/.test(text) && !/^-[HLPOD]/.test(text))
  const roots = words.slice(0, first < 0 ? words.length : first).filter(({ text }) => !text.startsWith('-'))
  return roots.length > 0 ? roots : [{ text: '.', known: true }]
}

function echoed(words: readonly Word[]): Word {
  let first = 0
  let flags = ''
  while (/^-[neE]+$/.test(words[first]?.text ?? '')) flags += words[first++]?.text ?? ''
  const rest = words.slice(first)
  const text = rest.map((word) => word.text).join(' ')
  const shown = flags.includes('e') ? unescaped(text) : text
  return { text: flags.includes('n') ? shown : `${shown}\n`, known: rest.every(({ known }) => known) }
}

const MAX_WORK = 1_000_000 // characters of the format, times values

/** `printf` with %s, %b, %d and escapes; a format with anything else is not followed. */
function printed(words: readonly Word[], spend: (steps: number) => void): Word | undefined {
  const [format, ...values] = words[0]?.text === '--' ? words.slice(1) : words
  if (!format || format.text.startsWith('-') || /%(?![sbdiq%])/.test(format.text)) return undefined
  const work = format.text.length * values.length
  if (work > MAX_WORK) return undefined
  spend(work >> 10)
  const known = words.every((word) => word.known)
  let text = ''
  let next = 0
  do {
    const start = next
    text += unescaped(format.text).replace(/%([sbdiq%])/g, (_, kind) => {
      if (kind === '%') return '%'
      const value = values[next++]?.text ?? ''
      return kind === 'b' ? unescaped(value) : value
    })
    if (next === start) break
  } while (next < values.length)
  return { text, known }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  v: '\v',
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(x[\da-fA-F]{1,2}|0?[0-7]{1,3}|u[\da-fA-F]{1,4}|[\s\S])/g, (whole, code: string) => {
    if (/^[xu]./.test(code)) return String.fromCodePoint(Number.parseInt(code.slice(1), 16))
    if (/^[0-7]/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8))
    return ESCAPES[code] ?? (code === '\\' ? '\\' : whole)
  })
}
