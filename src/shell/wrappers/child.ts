/** What a command starts itself: other commands, or text for a shell. */
import type { Assignment, Command, Word } from '../command.ts'

export interface Child {
  readonly argv?: readonly Word[]
  /** Text that a shell reads. */
  readonly script?: Word
  readonly positional?: readonly Word[]
  /** Its `$0`, where a word says it. */
  readonly zero?: Word
  readonly assignments?: readonly Assignment[]
  readonly cwd?: Word
  readonly isRemote?: boolean
  /** Started by code in another language. */
  readonly isCode?: boolean
  /** `eval`, `source`: it changes the shell that runs it. */
  readonly isSameShell?: boolean
  /** Its standard input is the wrapper's. */
  readonly takesStdin?: boolean
  readonly passesOutput?: boolean
}

export interface Unwrapped {
  readonly children: readonly Child[]
  readonly code?: NonNullable<Command['code']>
  /** Where the command itself works: `git -C x`. */
  readonly cwd?: Word
  /** It starts more than `children`. */
  readonly isTooMuch?: boolean
}

/** The shell around a command, as far as wrappers ask for it. */
export interface Around {
  get(name: string): Word | readonly Word[] | undefined
  set(name: string, value: Word): void
  /** Of a file in the folder of the command that the script wrote before. */
  textOf(file: string): Word | undefined
}

export const NOTHING: Unwrapped = { children: [] }
const MAX_WORK = 1_000_000 // characters of a text, times those of what is put into it

export function one(child: Child): Unwrapped {
  return { children: [child] }
}

/** Without the `--` that ends the options of a builtin. */
export function behindDashes(words: readonly Word[]): readonly Word[] {
  return words[0]?.text === '--' ? words.slice(1) : words
}

export function joinedWords(words: readonly Word[]): Word {
  return { text: words.map(({ text }) => text).join(' '), known: words.every(({ known }) => known) }
}

/** `npm@10 publish` is `npm publish`. */
export function withoutVersion([first, ...rest]: readonly Word[]): readonly Word[] {
  return first
    ? [{ ...first, text: first.text.replace(/(?<=.)(?:@|[=<>~]=)[^/]{0,100}$/, '') }, ...rest]
    : rest
}

export function withToken(word: Word, token: string, by: Word): Word {
  if (token === '' || !word.text.includes(token)) return word
  if (word.text.length * by.text.length > MAX_WORK) return { text: word.text, known: false }
  return { text: word.text.replaceAll(token, by.text), known: word.known && by.known }
}

export function leadingAssignments(words: readonly Word[]): {
  assignments: Assignment[]
  rest: readonly Word[]
} {
  const assignments: Assignment[] = []
  for (const [i, { text, known }] of words.entries()) {
    const [, name, value] = /^([A-Za-z_]\w*(?:%%|\(\))?)=([\s\S]*)$/.exec(text) ?? []
    if (name === undefined) return { assignments, rest: words.slice(i) }
    assignments.push({ name, value: { text: value ?? '', known } })
  }
  return { assignments, rest: [] }
}
