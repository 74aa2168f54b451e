/**
 * Programs that start what their words say. A plain wrapper is a row of wrapper-rows.ts, the others are functions in
 * special-wrappers.ts.
 */
import type { Command, Word } from '../command.ts'
import { commandsInCode } from '../languages/code.ts'
import { languageOf } from '../languages/interpreters.ts'
import {
  hasOption,
  NO_VALUES,
  type Options,
  optionValue,
  readOptions,
  type ValueNames,
  valueNames,
} from '../options.ts'
import { SHELLS } from '../programs.ts'
import {
  type Around,
  type Child,
  joinedWords,
  leadingAssignments,
  NOTHING,
  one,
  type Unwrapped,
  withoutVersion,
} from './child.ts'
import { commandsInOptions, commandsInVariables, packageScripts } from './command-values.ts'
import { shell } from './shells.ts'
import { SPECIAL } from './special-wrappers.ts'
import { commandsInSubscripts } from './subscripts.ts'
import { GLOBAL_VALUES, NAMED_WRAPPERS, WRAPPERS, type Wrapper } from './wrapper-rows.ts'

/** Everything that a command starts; `around` is the shell that it is in. */
export function unwrap(command: Command, around: Around): Unwrapped {
  const found = startedBy(command, around)
  const inValues = [
    ...commandsInVariables(command.assignments),
    ...commandsInOptions(command.program, command.argv.slice(1)),
    ...packageScripts(command, around),
    ...commandsInSubscripts(command),
  ]
  return inValues.length > 0 ? { ...found, children: [...found.children, ...inValues] } : found
}

function startedBy(command: Command, around: Around): Unwrapped {
  const { program, argv } = command
  const words = argv.slice(1)
  const [name] = argv
  if (name?.output && /[/$`]/.test(name.text)) return runFile(name.output.text, command)
  if (program === '') return unknownProgram(command)
  if (SHELLS.test(program)) return shell(words, command)
  const special = Object.hasOwn(SPECIAL, program) ? SPECIAL[program] : undefined
  if (special) return special(words, command, around)
  // `/usr/lib/git-core/git-push` is `git push`.
  const verb = /^git-(?=[a-z])(.+)$/.exec(program)?.[1]
  if (verb)
    return one({ argv: [GIT, { text: verb, known: true }, ...words], takesStdin: true, passesOutput: true })
  const found = wrapperFor(program, words)
  if (found) return plain(found.wrapper, found.words, command)
  return inCode(command)
}

/** `./x`: a file that the script wrote before. Its first line may name the program that reads it. */
function runFile(text: string, { argv }: Command): Unwrapped {
  const [, path = 'sh', option] = /^#![ \t]*(\S+)(?:[ \t]+(.+))?/.exec(text.slice(0, MAX_FIRST_LINE)) ?? []
  const words = [path, ...(option ? [option.trim()] : [])].map((text) => ({ text, known: true }))
  return one({ argv: [...words, ...argv], takesStdin: true, passesOutput: true })
}

const GIT: Word = { text: 'git', known: true }
const MAX_FIRST_LINE = 256 // characters; the kernel reads no longer one

/** `$SUDO rm x`: the variable may be empty, or a wrapper. */
function unknownProgram({ argv }: Command): Unwrapped {
  const [first, ...rest] = argv
  return first && !first.known && rest.length > 0 ? one({ argv: rest, takesStdin: true }) : NOTHING
}

/** The row of a program, or of it and its subcommands; options of the program may stand between. */
function wrapperFor(
  program: string,
  words: readonly Word[],
): { wrapper: Wrapper; words: readonly Word[] } | undefined {
  if (Object.hasOwn(WRAPPERS, program)) return { wrapper: WRAPPERS[program] as Wrapper, words }
  const named = /^(?:ld|qemu)/.test(program)
    ? NAMED_WRAPPERS.find(({ name }) => name.test(program))
    : undefined
  if (named) return { wrapper: named.wrapper, words }
  if (!WITH_SUBCOMMANDS.has(program)) return undefined
  let name = program
  let rest = words
  for (let i = 0; i < 3; i++) {
    rest = readOptions(rest, GLOBAL, true).operands
    name += ` ${rest[0]?.text ?? ''}`
    rest = rest.slice(1)
    if (Object.hasOwn(WRAPPERS, name)) return { wrapper: WRAPPERS[name] as Wrapper, words: rest }
  }
  return undefined
}

const GLOBAL = valueNames(GLOBAL_VALUES)
const WITH_SUBCOMMANDS = new Set(
  Object.keys(WRAPPERS).flatMap((name) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : [])),
)

function plain(wrapper: Wrapper, words: readonly Word[], { stdin }: Command): Unwrapped {
  const values = valueNames(wrapper.values)
  const options = readOptions(wrapper.pairs ? withoutPairs(words, wrapper.pairs) : words, values, true)
  if (wrapper.unless && hasOption(options, wrapper.unless)) return NOTHING
  const cwd = wrapper.cwdOption ? optionValue(options, wrapper.cwdOption) : undefined
  const base = {
    takesStdin: true,
    passesOutput: true,
    ...(cwd && { cwd }),
    ...(wrapper.isRemote && { isRemote: true }),
    ...(wrapper.isSameShell && { isSameShell: true }),
  }
  if (wrapper.behind) return behind(words, wrapper.behind, base)
  const script = wrapper.textOption ? textOption(wrapper.textOption, words, values, options) : undefined
  const text: readonly Child[] = script ? [{ ...base, script }] : []
  // Behind the name of a package the option may be the package's own.
  if (script && !(wrapper.isPackage && options.operands.length > 0)) return { children: text }
  const { assignments, rest } = wrapper.assigns
    ? leadingAssignments(options.operands)
    : { assignments: [], rest: options.operands }
  const skip = wrapper.skipsNoneWith && optionValue(options, wrapper.skipsNoneWith) ? 0 : (wrapper.skip ?? 0)
  const skipped = rest.slice(skip)
  const inner = skip ? readOptions(skipped, NO_VALUES, true).operands : skipped
  const program = wrapper.programOption ? optionValue(options, wrapper.programOption) : undefined
  if (program) return one({ ...base, argv: [program, ...skipped] })
  if (inner.length === 0) {
    const isShell =
      wrapper.startsShell === true || (wrapper.startsShell && hasOption(options, wrapper.startsShell))
    return isShell && stdin ? one({ ...base, script: stdin }) : NOTHING
  }
  const argv = wrapper.isPackage ? withoutVersion(inner) : inner
  const isText =
    wrapper.isText || (wrapper.isTextIfOne && argv.length === 1 && /\s/.test(argv[0]?.text ?? ''))
  const own: Child = isText ? { ...base, script: joinedWords(argv) } : { ...base, argv, assignments }
  return { children: [...text, own] }
}

/** `xterm -e rm x`: words, or one text for a shell. */
function behind(words: readonly Word[], marks: string, base: Child): Unwrapped {
  const at = words.findIndex(({ text }) => marks.split(' ').includes(text))
  const inner = at < 0 ? [] : words.slice(at + 1)
  if (inner.length === 0) return NOTHING
  return one(inner[0] && inner.length === 1 ? { ...base, script: inner[0] } : { ...base, argv: inner })
}

function withoutPairs(words: readonly Word[], pairs: string): Word[] {
  const names = valueNames(pairs)
  const kept: Word[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as Word
    if (word.text.startsWith('--') && names.has(word.text.slice(2))) i += 2
    else kept.push(word)
  }
  return kept
}

/** It may stand behind operands, as in `su root -c x`. */
function textOption(
  names: string,
  words: readonly Word[],
  values: ValueNames,
  before: Options,
): Word | undefined {
  return optionValue(before, names) ?? optionValue(readOptions(words, values), names)
}

/** Code of another language: what it starts, as far as plain strings go. */
function inCode(command: Command): Unwrapped {
  const found = languageOf(command)
  if (!found) return NOTHING
  const children = commandsInCode(found.text.text, found.language).map((start): Child => {
    if (typeof start === 'string') return { script: { text: start, known: true }, isCode: true }
    return { argv: start.map((text) => ({ text, known: true })), isCode: true }
  })
  return { children, code: found }
}
