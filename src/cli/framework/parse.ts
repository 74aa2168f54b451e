/** A command line, read as its command defines it. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { type GantryError, messageOf } from '../../core/errors.ts'
import { places } from '../../core/files/paths.ts'
import { closest } from '../../core/text/closest.ts'
import { COMMON_OPTIONS, type Definition, type Input, type Option } from './define.ts'
import { readValue } from './kinds.ts'
import { usageError } from './usage.ts'

export function parseInput<D extends Definition>(definition: D, argv: readonly string[]): Input<D> {
  const options = allOptions(definition)
  const { own, passedOn } = ownArguments(definition, argv)
  const { values, words } = split(definition, own, options)
  refuseTwo(definition, values)
  const flags = Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, flagOf(definition, name, option, values[name])]),
  )
  const home = typeof flags.home === 'string' ? flags.home : undefined
  return {
    args: argsOf(definition, [...words, ...passedOn]),
    flags,
    places: home === undefined ? places() : places(process.env, home),
  } as Input<D>
}

function allOptions({ options }: Definition): Readonly<Record<string, Option>> {
  return { ...options, ...COMMON_OPTIONS }
}

type Given = string | boolean | (string | boolean)[] | undefined

function flagOf({ name: command }: Definition, name: string, option: Option, given: Given): unknown {
  if (option.kind === 'flag') return given === true
  const read = (text: string) => readValue(text, `--${name}`, option)
  if (option.multiple) return (Array.isArray(given) ? given : []).map(String).map(read)
  const text = typeof given === 'string' ? given : option.default
  if (text !== undefined && !(option.required && text === '')) return read(String(text))
  if (option.required) throw usage(command, `--${name} is missing.`)
  return undefined
}

function refuseTwo({ name, oneOf }: Definition, values: Readonly<Record<string, Given>>): void {
  if (oneOf === undefined) return
  const given = oneOf.names.filter((option) => values[option] !== undefined)
  if (given.length === 1 || (given.length === 0 && !oneOf.required)) return
  const names = oneOf.names.map((option) => `--${option}`)
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  throw usage(name, `Say one of ${list}${given.length > 1 ? ', not two' : ''}.`)
}

function argsOf(
  { name, args = [] }: Definition,
  words: readonly string[],
): Readonly<Record<string, unknown>> {
  const most = args.at(-1)?.many === undefined ? args.length : Infinity
  if (words.length > most) {
    const many = most === 0 ? 'no argument' : most === 1 ? 'one argument' : `at most ${most} arguments`
    const extra = words.slice(most).map((word) => `"${word}"`)
    throw usage(name, `"gantry ${name}" takes ${many}; too much: ${extra.join(', ')}.`)
  }
  return Object.fromEntries(
    args.map((arg, i) => {
      const own = arg.many === undefined ? words.slice(i, i + 1) : words.slice(i)
      const isMissing = arg.many === 'text' ? own.join('').trim() === '' : own.length === 0
      if (arg.required && isMissing) throw usage(name, arg.missing ?? `<${arg.name}> is missing.`)
      // The first word reads like a part of the command: `rules tset`. A choice that must be made is no such part.
      const isPart = i === 0 && !(arg.kind === 'choice' && arg.required)
      const read = own.map((word) => readValue(word, isPart ? name : `<${arg.name}>`, arg))
      return [arg.name, arg.many === 'text' ? own.join(' ').trim() : arg.many ? read : read[0]]
    }),
  )
}

function usage(name: string, problem: string, cause?: unknown): GantryError {
  return usageError(`${problem} See: gantry ${name} --help`, { cause })
}

/** What gantry reads itself, and what goes to another program as it is. */
export function ownArguments(
  definition: Definition,
  argv: readonly string[],
): { readonly own: readonly string[]; readonly passedOn: readonly string[] } {
  if (!definition.passesOn) return { own: argv, passedOn: [] }
  const options = allOptions(definition)
  let end = 0
  while (argv[end]?.startsWith('-') && argv[end] !== '--')
    end += (options[argv[end]?.slice(2) ?? '']?.kind ?? 'flag') === 'flag' ? 1 : 2
  return { own: argv.slice(0, end), passedOn: argv.slice(argv[end] === '--' ? end + 1 : end) }
}

function split({ name }: Definition, own: readonly string[], all: Readonly<Record<string, Option>>) {
  const options: ParseArgsOptionsConfig = {}
  for (const [name, option] of Object.entries(all)) {
    const type = option.kind === 'flag' ? 'boolean' : 'string'
    const multiple = option.kind !== 'flag' && option.multiple === true
    options[name] = option.short ? { type, short: option.short, multiple } : { type, multiple }
  }
  try {
    const { args, text } = withTextAside(own, options)
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true })
    return {
      values: values as Record<string, Given>,
      words: positionals.map((word) => text.get(word) ?? word),
    }
  } catch (cause) {
    throw usage(name, problemOf(cause, Object.keys(options)), cause)
  }
}

function problemOf(cause: unknown, names: readonly string[]): string {
  const text = messageOf(cause)
  const [, option] = /^Option '(?:-\w, )?(--[\w-]+).*' argument is ambiguous/.exec(text) ?? []
  const [, unknown] = /^Unknown option '--([^']+)'/.exec(text) ?? []
  const close = unknown === undefined ? undefined : closest(unknown, names)
  if (close !== undefined) return `Unknown option '--${unknown}'. Did you mean --${close}?`
  if (option === undefined) return `${text.split(/\.?\s*\n|\. /)[0] ?? text}.`
  return `${option} takes a value; one that begins with a dash is written ${option}=-x.`
}

/** No option has a space in its name: `- tests pass`, as agents write it, is a text. */
const TEXT = /^-[^=]*\s/
/** A negative number is not an option, either: its kind reports the mistake. */
const NEGATIVE = /^-\d/

function withTextAside(argv: readonly string[], options: ParseArgsOptionsConfig) {
  const args: string[] = []
  const text = new Map<string, string>()
  for (const [i, arg] of argv.entries()) {
    if (arg === '--') return { args: [...args, ...argv.slice(i)], text }
    const before = optionIn(args.at(-1), options)
    if (before !== undefined && (TEXT.test(arg) || NEGATIVE.test(arg)))
      args.splice(-1, 1, `--${before}=${arg}`)
    else if (!TEXT.test(arg)) args.push(arg)
    else {
      const mark = `\u0000${i}` // no argument has a zero byte
      text.set(mark, arg)
      args.push(mark)
    }
  }
  return { args, text }
}

/** The name of an option that takes a value, when it stands alone. */
function optionIn(arg: string | undefined, options: ParseArgsOptionsConfig): string | undefined {
  return Object.keys(options).find((name) => {
    const { type, short } = options[name] ?? {}
    return type === 'string' && (arg === `--${name}` || (short !== undefined && arg === `-${short}`))
  })
}
