/** Options as getopt reads them: bundled letters, values attached or behind, `--` at the end. */
import type { Word } from './command.ts'

export interface Options {
  /** Each option by its letter or its long name, with its value if it takes one; the last wins. */
  readonly given: ReadonlyMap<string, Word | undefined>
  readonly operands: readonly Word[]
}

/** The names that take a value, one blank between them. */
export type ValueNames = ReadonlySet<string>

export function valueNames(names = ''): ValueNames {
  return new Set(names.split(' '))
}

/**
 * Reads options. With `stopsAtOperand`, what stands behind the first operand is not looked at: it is another command's. Then
 * `operands` begins there.
 */
export function readOptions(words: readonly Word[], values: ValueNames, stopsAtOperand = false): Options {
  const given = new Map<string, Word | undefined>()
  const operands: Word[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as Word
    const { text } = word
    if (text === '--') {
      operands.push(...words.slice(i + 1))
      break
    }
    if (text.length < 2 || text.charCodeAt(0) !== 0x2d) {
      if (stopsAtOperand) return { given, operands: words.slice(i) }
      operands.push(word)
    } else if (text.startsWith('--')) {
      const at = text.indexOf('=')
      const name = text.slice(2, at < 0 ? undefined : at)
      if (at >= 0) given.set(name, { text: text.slice(at + 1), known: word.known })
      else given.set(name, values.has(name) ? words[++i] : undefined)
    } else if (values.has(text.slice(1))) given.set(text.slice(1), words[++i])
    else i += readLetters(word, words[i + 1], values, given)
  }
  return { given, operands }
}

/** How many words further: one, if the last letter's value is the next word. */
function readLetters(
  word: Word,
  next: Word | undefined,
  values: ValueNames,
  given: Map<string, Word | undefined>,
): number {
  const letters = word.text.slice(1, 64)
  for (const [at, letter] of [...letters].entries()) {
    if (!values.has(letter)) {
      given.set(letter, undefined)
      continue
    }
    const attached = letters.slice(at + 1)
    given.set(letter, attached === '' ? next : { text: word.text.slice(at + 2), known: word.known })
    return attached === '' ? 1 : 0
  }
  return 0
}

export function hasOption({ given }: Options, names: string): boolean {
  return names.split(' ').some((name) => given.has(name) || isAbbreviated(given, name))
}

const LEAST_ABBREVIATION = 3 // letters; getopt takes any that is unique

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
