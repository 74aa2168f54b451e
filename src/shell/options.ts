/** Options as getopt reads them: bundled letters, values attached or behind, `--` at the end. */
import type { Word } from './command.ts'

export interface Options {
  /** Each option by its letter or its long name, with its value if it takes one; the last wins. */
  readonly given: ReadonlyMap<string, Word | undefined>
  /** The same in their order, each as often as it stands there. */
  readonly all: readonly (readonly [string, Word | undefined])[]
  readonly operands: readonly Word[]
}

/** The names that take a value, one blank between them. */
export type ValueNames = ReadonlySet<string>

/** Each list is read once: the names come from tables. */
const READ = new Map<string, ValueNames>()

export function valueNames(names = ''): ValueNames {
  let found = READ.get(names)
  if (!found) {
    found = new Set(names.split(' '))
    READ.set(names, found)
  }
  return found
}

export const NO_VALUES = valueNames()

/**
 * Reads options. With `stopsAtOperand`, what stands behind the first operand is not looked at: it is another command's. Then
 * `operands` begins there.
 */
export function readOptions(words: readonly Word[], values: ValueNames, stopsAtOperand = false): Options {
  const given = new Map<string, Word | undefined>()
  const all: [string, Word | undefined][] = []
  const add = (name: string, value?: Word) => {
    given.set(name, value)
    all.push([name, value])
  }
  const operands: Word[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as Word
    const { text } = word
    if (text === '--') {
      for (const rest of words.slice(i + 1)) operands.push(rest)
      break
    }
    if (text.length < 2 || text.charCodeAt(0) !== 0x2d) {
      if (stopsAtOperand) return { given, all, operands: words.slice(i) }
      operands.push(word)
      continue
    }
    const isLong = text.startsWith('--')
    const at = text.indexOf('=')
    const name = text.slice(isLong ? 2 : 1, at < 0 ? undefined : at)
    if (at >= 0 && (isLong || (name.length > 1 && values.has(name))))
      add(name, { text: text.slice(at + 1), known: word.known })
    else if (isLong) add(name, values.has(name) ? words[++i] : undefined)
    else if (values.has(text.slice(1))) add(text.slice(1), words[++i])
    else i += readLetters(word, words[i + 1], values, add)
  }
  return { given, all, operands }
}

/**
 * The same where no switch begins like an option with a value: `--target` is `--target-directory`, since getopt takes any
 * beginning that is unique.
 */
export function readAbbreviated(words: readonly Word[], values: ValueNames): Options {
  const end = words.findIndex(({ text }) => text === '--')
  const whole = words.map((word, i) => {
    const [, name] = /^--([\w-]{2,32})(?==|$)/.exec(word.text) ?? []
    if (name === undefined || values.has(name) || (end >= 0 && i > end)) return word
    for (const one of values)
      if (one.startsWith(name)) return { ...word, text: `--${one}${word.text.slice(2 + name.length)}` }
    return word
  })
  return readOptions(whole, values)
}

/** How many words further: one, if the last letter's value is the next word. */
function readLetters(
  word: Word,
  next: Word | undefined,
  values: ValueNames,
  add: (name: string, value?: Word) => void,
): number {
  const letters = word.text.slice(1, 64)
  for (const [at, letter] of [...letters].entries()) {
    if (!values.has(letter)) {
      add(letter)
      continue
    }
    const attached = letters.slice(at + 1)
    add(letter, attached === '' ? next : { text: word.text.slice(at + 2), known: word.known })
    return attached === '' ? 1 : 0
  }
  return 0
}

export function hasOption({ given }: Options, names: string): boolean {
  return names.split(' ').some((name) => given.has(name) || isAbbreviated(given, name))
}

const LEAST_ABBREVIATION = 2 // letters; getopt takes any that is unique

function isAbbreviated(given: Options['given'], name: string): boolean {
  if (name.length <= LEAST_ABBREVIATION) return false
  for (const key of given.keys()) if (key.length >= LEAST_ABBREVIATION && name.startsWith(key)) return true
  return false
}

export function optionValue({ given }: Options, names: string): Word | undefined {
  for (const name of names.split(' ')) {
    const value = given.get(name)
    if (value) return value
  }
  return undefined
}
