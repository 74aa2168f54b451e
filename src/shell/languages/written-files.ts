/** The files that a script writes, with their text: a later command of the same script may run or read them. */
import { normalize } from 'node:path'
import type { Assignment, Command, Redirect, Word } from '../command.ts'
import { NO_VALUES, readOptions, valueNames } from '../options.ts'

const MAX_PATH = 4_096 // characters; the kernel takes no longer one
const MAX_TEXT = 65_536 // characters from which on a file does not grow: more than that are not parsed
const COPY_VALUES = valueNames('m mode o owner g group S suffix t target-directory')

export class WrittenFiles {
  readonly #texts = new Map<string, Word>()
  /** The last parts of their paths: a command may have thousands of words. */
  readonly #names = new Set<string>()
  /** Copies of programs, and links to them: what each of them is in truth. */
  readonly #copies = new Map<string, string>()
  readonly #programOf: (word: Word | undefined) => string

  constructor(programOf: (word: Word | undefined) => string) {
    this.#programOf = programOf
  }

  /** `cp /bin/rm x; ./x`: the program that a path is a copy of. */
  copiedFrom(word: Word | undefined, cwd: Word | undefined): string | undefined {
    if (this.#copies.size === 0 || !word?.text.includes('/')) return undefined
    return this.#copies.get(keyOf(word, cwd))
  }

  #copied(from: Word | undefined, to: Word | undefined, { cwd }: Command): void {
    const program = from && to ? (this.copiedFrom(from, cwd) ?? this.#programOf(from)) : ''
    if (!to || program === '' || this.#copies.size >= MAX_COPIES) return
    this.#copies.set(keyOf(to, cwd), program)
  }

  /** Words and redirects of a command, with the text of each file that they name. */
  withTexts(
    argv: readonly Word[],
    redirects: readonly Redirect[],
    cwd: Word | undefined,
  ): Pick<Command, 'argv' | 'redirects'> {
    if (this.#texts.size === 0) return { argv, redirects }
    return {
      argv: argv.map((word) => this.#named(word, cwd)),
      redirects: redirects.map((one) =>
        one.operator === '<' ? { ...one, target: this.#named(one.target, cwd) } : one,
      ),
    }
  }

  /** Takes down what a command leaves in files: the targets of its redirects, and the operands of tee, cp and mv. */
  add(command: Command, output: Word | undefined): void {
    for (const { operator, fd, target } of command.redirects)
      if (operator.includes('>') && (fd ?? 1) === 1)
        this.#write(target, command, output, operator.includes('>>'))
    const { program, stdin } = command
    if (program === 'tee' || program === 'sponge') {
      const { given, operands } = readOptions(command.argv.slice(1), NO_VALUES)
      for (const file of operands) this.#write(file, command, stdin, given.has('a') || given.has('append'))
    } else if (program === 'dd') {
      const [from, to] = ['if=', 'of='].map((name) => {
        const word = command.argv.find(({ text }) => text.startsWith(name))
        return word && { text: word.text.slice(name.length), known: word.known }
      })
      this.#copied(from, to, command)
      for (const { text, known } of command.argv)
        if (text.startsWith('of=')) this.#write({ text: text.slice(3), known }, command, stdin, false)
    } else if (COPIERS.has(program)) {
      const { operands } = readOptions(command.argv.slice(1), COPY_VALUES)
      const [from, to, ...others] = operands
      const text = from?.text === '/dev/stdin' ? stdin : from?.output
      if (to && text && others.length === 0) this.#write(to, command, text, false)
      else if (others.length === 0) this.#copied(from, to, command)
    } else if (program === 'cat') {
      const [from, ...others] = readOptions(command.argv.slice(1), NO_VALUES).operands
      const to = command.redirects.find(({ operator, fd }) => /^>[>|]?$/.test(operator) && (fd ?? 1) === 1)
      if (from && !from.output && others.length === 0) this.#copied(from, to?.target, command)
    }
  }

  #write(file: Word, { cwd }: Command, text: Word | undefined, isAppended: boolean): void {
    const key = keyOf(file, cwd)
    const before = isAppended ? this.#texts.get(key) : undefined
    if (text) this.#names.add(nameOf(file.text))
    if (before && before.text.length > MAX_TEXT) return
    const sum = text && (before ? { text: before.text + text.text, known: before.known && text.known } : text)
    if (!sum) this.#texts.delete(key)
    else this.#texts.set(key, { text: sum.text, known: sum.known && (!isAppended || before !== undefined) })
  }

  /** Assignments, with the text of each file that a value names: `BASH_ENV=x`. */
  withValues(assignments: readonly Assignment[], cwd: Word | undefined): readonly Assignment[] {
    if (this.#texts.size === 0) return assignments
    return assignments.map((one) => ({ ...one, value: this.#named(one.value, cwd) }))
  }

  textOf(file: Word, cwd: Word | undefined): Word | undefined {
    return this.#texts.get(keyOf(file, cwd))
  }

  #named(word: Word, cwd: Word | undefined): Word {
    if (word.output || !this.#names.has(nameOf(word.text))) return word
    const output = this.textOf(word, cwd)
    return output ? { ...word, output } : word
  }
}

const MAX_COPIES = 32
const COPIERS = new Set(['cp', 'mv', 'ln', 'install'])

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function keyOf({ text }: Word, cwd: Word | undefined): string {
  if (text.length + (cwd?.text.length ?? 0) > MAX_PATH) return ''
  return normalize(!cwd || /^[/~$`]/.test(text) ? text : `${cwd.text}/${text}`)
}
