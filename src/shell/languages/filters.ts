/**
 * Programs that make text out of text: what reaches the next command, as far as it follows from their words. Where the input
 * is not known, the parts that are: `awk '{print "rm " $1}'` prints `rm $1`.
 */
import { Buffer } from 'node:buffer'
import type { Word } from '../command.ts'
import { NO_VALUES, optionValue, readOptions, valueNames } from '../options.ts'
import { printedByAwk } from './awk.ts'
import { type Substitution, sedScripts, substitutionsOf } from './sed.ts'

/**
 * What a filter prints for an input; without one, its input is not known. `spend` is told of more work than one pass over
 * both.
 */
type Filter = (
  words: readonly Word[],
  input: Word | undefined,
  spend: (steps: number) => void,
) => Word | undefined

const same: Filter = (_, input) => input
const doubted: Filter = (_, input) => input && { ...input, known: false }
/** Only some of the files that `find` finds, so its output is not known. */
const some = (_: readonly Word[], input: Word | undefined) =>
  input?.text.includes('/**/') ? undefined : input && { ...input, known: false }

export const FILTERS: Readonly<Record<string, Filter>> = {
  cat: same,
  tee: same,
  sponge: same,
  pv: same,
  dd: same,
  iconv: same,
  unbuffer: same,
  dos2unix: same,
  envsubst: doubted,
  sort: doubted,
  uniq: doubted,
  shuf: some,
  grep: some,
  egrep: some,
  rg: some,
  paste: doubted,
  head: (words, input) => sliced(words, input, false),
  tail: (words, input) => sliced(words, input, true),
  tac: (_, input) => mapped(input, (text) => `${lines(text).reverse().join('\n')}\n`),
  rev: (_, input) => mapped(input, (text) => text.split('\n').map(reversed).join('\n')),
  tr: translated,
  cut,
  sed,
  awk,
  gawk: awk,
  mawk: awk,
  base64: (words, input) =>
    hasFlag(words, /^(-\w*[dD]\w*|--decode)$/) ? mapped(input, fromBase64) : undefined,
  base32: (words, input) => (hasFlag(words, /^(-\w*d\w*|--decode)$/) ? mapped(input, fromBase32) : undefined),
  basenc: (words, input) =>
    hasFlag(words, /^(-\w*d\w*|--decode)$/) && hasFlag(words, /^--base64(url)?$/)
      ? mapped(input, fromBase64)
      : undefined,
  openssl: (words, input) =>
    hasFlag(words, /^-d$/) && hasFlag(words, /^-?(base64|a)$/) ? mapped(input, fromBase64) : undefined,
  xxd: (words, input) => (hasFlag(words, /^-\w*r/) ? mapped(input, fromHex) : undefined),
}

function hasFlag(words: readonly Word[], flag: RegExp): boolean {
  return words.some(({ text }) => flag.test(text))
}

function mapped(word: Word | undefined, map: (text: string) => string): Word | undefined {
  return word?.known ? { text: map(word.text), known: true } : undefined
}

function lines(text: string): string[] {
  return text.replace(/\n$/, '').split('\n')
}

function reversed(line: string): string {
  return [...line].reverse().join('')
}

const LINES_VALUES = valueNames('n lines c bytes')

/** `head -n 2`, `head -2`, `head -c 5`; every other form is the input with a doubt. */
function sliced(words: readonly Word[], input: Word | undefined, isTail: boolean): Word | undefined {
  if (!input?.known) return some(words, input)
  const options = readOptions(words, LINES_VALUES)
  const count = optionValue(options, 'n lines')?.text ?? /^-(\d+)$/.exec(words[0]?.text ?? '')?.[1] ?? '10'
  const bytes = optionValue(options, 'c bytes')
  const number = Number(bytes?.text ?? count)
  if (!Number.isInteger(number) || number <= 0 || /^[-+]/.test(count)) return { ...input, known: false }
  if (bytes) return { text: isTail ? input.text.slice(-number) : input.text.slice(0, number), known: true }
  const all = lines(input.text)
  const kept = isTail ? all.slice(-number) : all.slice(0, number)
  return { text: `${kept.join('\n')}\n`, known: true }
}

/** `tr a-z n-za-m`, `tr -d x`, `tr , '\n'`. */
function translated(words: readonly Word[], input: Word | undefined): Word | undefined {
  const { given, operands } = readOptions(words, NO_VALUES)
  const [from, to] = operands.map(({ text }) => charactersOf(text))
  if (!input?.known || !from || given.has('c') || given.has('C') || given.has('s'))
    return input && { ...input, known: false }
  if (!given.has('d') && (!to || to.length === 0)) return undefined
  const map = new Map(from.map((char, i) => [char, given.has('d') ? '' : (to?.[i] ?? to?.at(-1) ?? '')]))
  let text = ''
  for (const char of input.text) text += map.get(char) ?? char
  return { text, known: true }
}

const CLASSES: Readonly<Record<string, string>> = {
  '[:lower:]': 'a-z',
  '[:upper:]': 'A-Z',
  '[:digit:]': '0-9',
  '[:alpha:]': 'A-Za-z',
  '[:space:]': ' \t\n',
}
const TR_ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' }
const MAX_SET = 512 // characters

function charactersOf(set: string): string[] {
  const text = set
    .slice(0, MAX_SET)
    .replace(/\[:\w+:\]/g, (name) => CLASSES[name] ?? '')
    .replace(/\\(0?[0-7]{3}|[\s\S])/g, (_, code: string) =>
      /^\d/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (TR_ESCAPES[code] ?? code),
    )
  const found: string[] = []
  for (let i = 0; i < text.length; i++) {
    const [first, dash, last] = [text.charCodeAt(i), text[i + 1], text.charCodeAt(i + 2)]
    if (dash !== '-' || !(last >= first) || last > first + 128) found.push(text[i] ?? '')
    else {
      for (let code = first; code <= last; code++) found.push(String.fromCharCode(code))
      i += 2
    }
  }
  return found
}

const CUT_VALUES = valueNames('d delimiter f fields c characters b bytes')

/** `cut -d: -f2`, `cut -c3-`; a list of ranges is not followed. */
function cut(words: readonly Word[], input: Word | undefined): Word | undefined {
  const options = readOptions(words, CUT_VALUES)
  const separator = optionValue(options, 'd delimiter')?.text ?? '\t'
  const fields = optionValue(options, 'f fields')?.text
  const [, from, dash, to] =
    /^(\d*)(-?)(\d*)$/.exec(fields ?? optionValue(options, 'c characters b bytes')?.text ?? '') ?? []
  if (!input?.known || dash === undefined || separator === '') return input && { ...input, known: false }
  const start = Number(from || 1) - 1
  const end = dash === '' ? start + 1 : to === '' ? undefined : Number(to)
  const text = lines(input.text)
    .map((line) => {
      if (fields === undefined) return line.slice(start, end)
      return line.includes(separator) ? line.split(separator).slice(start, end).join(separator) : line
    })
    .join('\n')
  return { text: `${text}\n`, known: true }
}

/** `sed 's/a/b/'`. Of an input that is not known the replacement remains, with `$line` for what stood there. */
function sed(
  words: readonly Word[],
  input: Word | undefined,
  spend: (steps: number) => void,
): Word | undefined {
  const scripts = sedScripts(words)
  const substitutions = scripts.flatMap(({ text }) => substitutionsOf(text))
  const work = input?.known ? workOf(input.text, substitutions) : 0
  spend(Math.min(work, MAX_WORK) >> 10)
  if (!input?.known || work > MAX_WORK) {
    const made = substitutions.map(replacedLine)
    const texts = [
      ...(input ? [input.text.replace(/\n$/, '')] : []),
      ...made.filter((text) => /\w\s/.test(text)),
    ]
    return texts.length > 0 ? { text: `${texts.join('\n')}\n`, known: false } : undefined
  }
  let { text } = input
  for (const { pattern, replacement, isGlobal } of substitutions) {
    const by = replacement.replace(/\$/g, '$$$$').replace(/(\\?)&|\\(\d)|\\n|\\(.)/g, replacementPart)
    const apply = (line: string) =>
      pattern ? line.replace(new RegExp(pattern, isGlobal ? 'g' : ''), by) : line
    text = text.split('\n').map(apply).join('\n')
  }
  const isWhole = scripts.every(({ known }) => known) && substitutions.every(({ pattern }) => pattern)
  const isOnlyThese = scripts.every(({ text }) => /^\s*s\W/.test(text) && !/[;\n}]/.test(text))
  return { text, known: isWhole && isOnlyThese }
}

/** A line that nobody knows, after a substitution: what the pattern leaves of it stands behind. */
function replacedLine({ pattern, replacement }: Substitution): string {
  const text = replacement.replace(/(?<!\\)(?:&|\\\d)/g, '$line')
  if (pattern?.includes('.*') || text.includes('$line')) return text
  return pattern === '$' ? `$line${text}` : `${text}$line`
}

const MAX_WORK = 1_000_000 // steps of a pattern, and characters that replacements make

/** A star of a pattern goes through the text again, and a replacement may stand at each letter. */
function workOf(text: string, substitutions: readonly Substitution[]): number {
  let made = text.length
  let work = 0
  const count = text.split('\n').length
  for (const { pattern = '', replacement, isGlobal } of substitutions) {
    work = Math.max(work, made ** pattern.split('.*').length * substitutions.length)
    made += replacement.length * (isGlobal ? made : count)
    if (Math.max(work, made) > MAX_WORK) return Number.POSITIVE_INFINITY
  }
  return Math.max(work, made)
}

function replacementPart(whole: string, escaped: string | undefined, group?: string, other?: string): string {
  if (whole.endsWith('&')) return escaped ? '&' : '$&'
  if (group !== undefined) return `$${group}`
  return other === undefined ? '\n' : other
}

function awk(words: readonly Word[], input: Word | undefined): Word | undefined {
  const { operands, given } = readOptions(words, AWK_VALUES)
  const program = given.get('f')?.output ?? given.get('e') ?? given.get('source') ?? operands[0]
  const text = program && printedByAwk(program.text, input)
  return text === undefined ? undefined : { text, known: false }
}

const AWK_VALUES = valueNames('F v f e source field-separator assign file')

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8')
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function fromBase32(text: string): string {
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const char of text.replace(/[\s=]/g, '').toUpperCase()) {
    value = ((value << 5) | Math.max(0, BASE32.indexOf(char))) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >> bits) & 0xff)
  }
  return Buffer.from(bytes).toString('utf8')
}

function fromHex(text: string): string {
  return Buffer.from(text.replace(/\s+/g, ''), 'hex').toString('utf8')
}
