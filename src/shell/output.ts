/** What a command prints, where that follows from its words: it may be the next command's code. */
import { Buffer } from 'node:buffer'
import type { Command, Word } from './command.ts'

export function outputOf(command: Command): Word | undefined {
  const { argv, stdin } = command
  const words = argv.slice(1)
  switch (command.program) {
    case 'echo':
      return echoed(words)
    case 'printf':
      return printed(words)
    case 'cat':
      return words.every(({ text }) => text.startsWith('-')) ? stdin : lone(words)?.output
    case 'tee':
    case 'sort':
    case 'uniq':
      return stdin
    case 'base64':
      return words.some(({ text }) => /^(-\w*[dD]\w*|--decode)$/.test(text))
        ? mapped(stdin, fromBase64)
        : undefined
    case 'xxd':
      return words.some(({ text }) => /^-\w*r/.test(text)) ? mapped(stdin, fromHex) : undefined
    case 'rev':
      return mapped(stdin, (text) =>
        text
          .split('\n')
          .map((line) => [...line].reverse().join(''))
          .join('\n'),
      )
    case 'find':
      return { text: foundBy(words).join('\n'), known: false }
    case ':':
    case 'true':
    case 'cd':
    case 'export':
    case 'set':
    case 'read':
      return { text: '', known: true }
    default:
      return undefined
  }
}

/** The files that a `find` names: its folders and the pattern it looks for, as globs. */
export function foundBy(words: readonly Word[]): string[] {
  const at = words.findIndex(({ text }) => /^-i?(name|path|wholename)$/.test(text))
  const name = at < 0 ? '*' : (words[at + 1]?.text ?? '*')
  return rootsOf(words).map(({ text }) => `${text.replace(/\/+$/, '')}/**/${name.replace(/^\/+/, '')}`)
}

/** The folders in which a `find` looks. */
export function rootsOf(words: readonly Word[]): readonly Word[] {
  const first = words.findIndex(({ text }) => /^[-(!]/.test(text) && !/^-[HLPOD]/.test(text))
  const roots = words.slice(0, first < 0 ? words.length : first).filter(({ text }) => !text.startsWith('-'))
  return roots.length > 0 ? roots : [{ text: '.', known: true }]
}

function lone(words: readonly Word[]): Word | undefined {
  return words.length === 1 ? words[0] : undefined
}

function mapped(word: Word | undefined, map: (text: string) => string): Word | undefined {
  return word?.known ? { text: map(word.text), known: true } : undefined
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8')
}

function fromHex(text: string): string {
  return Buffer.from(text.replace(/\s+/g, ''), 'hex').toString('utf8')
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
function printed(words: readonly Word[]): Word | undefined {
  const [format, ...values] = words[0]?.text === '--' ? words.slice(1) : words
  if (!format || format.text.startsWith('-') || /%(?![sbdiq%])/.test(format.text)) return undefined
  if (format.text.length * values.length > MAX_WORK) return undefined
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
