/**
 * What a command is: its help is data, so that `--help`, docs/commands.md and the completions are the same text.
 * One file per command; `main.ts` loads only the one that runs.
 */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { GantryError } from '../errors.ts'
import { type Places, places } from '../places.ts'

export interface Option {
  readonly type: 'boolean' | 'string'
  readonly short?: string
  /** The word for the value in the help. */
  readonly value?: string
  readonly help: string
}

export interface Command {
  readonly name: string
  readonly summary: string
  /** After `gantry <name>`. */
  readonly usage: string
  readonly options: Readonly<Record<string, Option>>
  readonly examples: readonly { readonly line: string; readonly does: string }[]
  run(input: Input): Promise<number>
}

export interface Input {
  readonly args: readonly string[]
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
  readonly places: Places
}

export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  home: { type: 'string', value: 'dir', help: 'Use this folder instead of GANTRY_HOME or the XDG folders' },
  help: { type: 'boolean', short: 'h', help: 'Show this help' },
  verbose: { type: 'boolean', help: 'Show the cause of an error' },
}

export function parseInput(command: Command, argv: readonly string[]): Input {
  const options: ParseArgsOptionsConfig = {}
  for (const [name, option] of Object.entries({ ...command.options, ...COMMON_OPTIONS })) {
    options[name] = option.short ? { type: option.type, short: option.short } : { type: option.type }
  }
  try {
    const parsed = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
    const flags = parsed.values as Record<string, string | boolean | undefined>
    const home = typeof flags.home === 'string' ? flags.home : undefined
    return {
      args: parsed.positionals,
      flags,
      places: home === undefined ? places() : places(process.env, home),
    }
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message.split(/\.?\s*\n|\. /)[0] : String(cause)
    throw new GantryError('USAGE', `${problem}. See: gantry ${command.name} --help`, { cause })
  }
}

export function stringFlag(input: Input, name: string): string | undefined {
  const value = input.flags[name]
  return typeof value === 'string' ? value : undefined
}

export function countFlag(input: Input, name: string, otherwise: number): number {
  const text = stringFlag(input, name) ?? String(otherwise)
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new GantryError('USAGE', `--${name} takes a whole number above 0, not "${text}".`)
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
