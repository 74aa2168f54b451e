/**
 * What a command is: its help is data, so that `--help`, docs/commands.md and the completions are the same text.
 * One file per command; `main.ts` loads only the one that runs.
 */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { closest } from '../core/closest.ts'
import { GantryError } from '../core/errors.ts'
import { type Places, places } from '../core/paths.ts'

export interface Option {
  readonly type: 'boolean' | 'string'
  readonly short?: string
  /** The word for the value in the help. */
  readonly value?: string
  /** May be given more than once. */
  readonly multiple?: true
  readonly help: string
}

export interface Command {
  readonly name: string
  readonly summary: string
  /** After `gantry <name>`. */
  readonly usage: string
  /** How many words it takes besides its options; none unless it says so. */
  readonly takes?: number
  readonly options: Readonly<Record<string, Option>>
  readonly examples: readonly { readonly line: string; readonly does: string }[]
  /** What of the configuration it shows: while that is refused, it says so and exits 1. */
  readonly shows?: 'config' | 'rules'
  /** An agent may run it as a hook: exit 2 then blocks, so a mistake in its usage is exit 1. */
  readonly blocksByExit2?: true
  /** From its first word on, the command line belongs to another program. */
  readonly passesOn?: true
  run(input: Input, all: CommandList): Promise<number>
}

/** All commands by name, for those that describe them. */
export type CommandList = readonly (readonly [
  string,
  { readonly summary: string; load(): Promise<Command> },
])[]

export interface Input {
  readonly args: readonly string[]
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  readonly places: Places
  /** Said already: what of the configuration that it shows is refused. */
  readonly refused?: string
}

export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  home: { type: 'string', value: 'dir', help: 'Use this folder instead of GANTRY_HOME or the XDG folders' },
  help: { type: 'boolean', short: 'h', help: 'Show this help' },
  verbose: { type: 'boolean', help: 'Show the cause of an error' },
}

export function parseInput(command: Command, argv: readonly string[]): Input {
  const options: ParseArgsOptionsConfig = {}
  for (const [name, option] of Object.entries({ ...command.options, ...COMMON_OPTIONS })) {
    const { type, short, multiple = false } = option
    options[name] = short ? { type, short, multiple } : { type, multiple }
  }
  const { own, passedOn } = ownArguments(command, argv)
  const input = parsed(own, passedOn, command, options)
  const most = command.takes ?? 0
  if (input.args.length <= most) return input
  const many = most === 0 ? 'no argument' : most === 1 ? 'one argument' : `at most ${most} arguments`
  const extra = input.args.slice(most).map((arg) => `"${arg}"`)
  throw new GantryError(
    'USAGE',
    `"gantry ${command.name}" takes ${many}; too much: ${extra.join(', ')}. See: gantry ${command.name} --help`,
  )
}

function parsed(
  own: readonly string[],
  passedOn: readonly string[],
  command: Command,
  options: ParseArgsOptionsConfig,
): Input {
  try {
    const { args, text } = withTextAside(own, options)
    const parsed = parseArgs({ args, options, allowPositionals: true, strict: true })
    const flags = parsed.values as Record<string, string | boolean | string[] | undefined>
    const home = typeof flags.home === 'string' ? flags.home : undefined
    return {
      args: [...parsed.positionals.map((arg) => text.get(arg) ?? arg), ...passedOn],
      flags,
      places: home === undefined ? places() : places(process.env, home),
    }
  } catch (cause) {
    throw new GantryError(
      'USAGE',
      `${problemOf(cause, Object.keys(options))} See: gantry ${command.name} --help`,
      { cause },
    )
  }
}

function problemOf(cause: unknown, names: readonly string[]): string {
  const text = cause instanceof Error ? cause.message : String(cause)
  const [, option] = /^Option '(?:-\w, )?(--[\w-]+).*' argument is ambiguous/.exec(text) ?? []
  const [, unknown] = /^Unknown option '--([^']+)'/.exec(text) ?? []
  const close = unknown === undefined ? undefined : closest(unknown, names)
  if (close !== undefined) return `Unknown option '--${unknown}'. Did you mean --${close}?`
  if (option === undefined) return `${text.split(/\.?\s*\n|\. /)[0] ?? text}.`
  return `${option} takes a value; one that begins with a dash is written ${option}=-x.`
}

/** What gantry reads itself, and what goes to another program as it is. */
export function ownArguments(
  command: Pick<Command, 'options' | 'passesOn'>,
  argv: readonly string[],
): { readonly own: readonly string[]; readonly passedOn: readonly string[] } {
  if (!command.passesOn) return { own: argv, passedOn: [] }
  const options = { ...command.options, ...COMMON_OPTIONS }
  let end = 0
  while (argv[end]?.startsWith('-') && argv[end] !== '--')
    end += options[argv[end]?.slice(2) ?? '']?.type === 'string' ? 2 : 1
  return { own: argv.slice(0, end), passedOn: argv.slice(argv[end] === '--' ? end + 1 : end) }
}

/** No option has a space in its name: `- tests pass`, as agents write it, is a text and no option. */
const TEXT = /^-[^=]*\s/
/** Nor is a number below zero one: the command says what is wrong with it. */
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

/** Of an option that may be given more than once. */
export function listFlag(input: Input, name: string): readonly string[] {
  const value = input.flags[name]
  return Array.isArray(value) ? value : []
}

export function stringFlag(input: Input, name: string): string | undefined {
  const value = input.flags[name]
  return typeof value === 'string' ? value : undefined
}

export function countFlag(input: Input, name: string, otherwise: number, most = Infinity, or = ''): number {
  const text = stringFlag(input, name) ?? String(otherwise)
  const value = Number(text)
  if (Number.isInteger(value) && value > 0 && value <= most) return value
  const range = most === Infinity ? 'above 0' : `from 1 to ${most}`
  throw new GantryError('USAGE', `--${name} takes a whole number ${range}${or}, not "${text}".`)
}

/** As above, or "all". */
export function limitFlag(input: Input, name: string, otherwise: number): number {
  return stringFlag(input, name) === 'all'
    ? Infinity
    : countFlag(input, name, otherwise, Infinity, ' or "all"')
}

export function helpOf(command: Command): string {
  const rows = Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(([name, option]) => {
    const short = option.short ? `-${option.short}, ` : '    '
    return [`${short}--${name}${option.value ? ` <${option.value}>` : ''}`, option.help] as const
  })
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return [
    `gantry ${command.name} · ${command.summary}`,
    '',
    `Usage: gantry ${[command.name, command.usage].filter(Boolean).join(' ')}`,
    '',
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`),
    '',
    'Examples:',
    ...command.examples.flatMap(({ line, does }) => [`  ${line}`, `      ${does}`]),
    '',
  ].join('\n')
}
