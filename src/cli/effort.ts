/** What the commands about efforts share: which one is meant, how one is shown in a line, how full a thing is. */
import { type EffortView, spanOf } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import { type Input, type Option, stringFlag } from './command.ts'
import { bold, dim, green, out, plain, red, yellow } from './terminal.ts'

export const JSON_OPTION = { json: { type: 'boolean', help: 'Print the effort as JSON' } } as const

/** For commands that mean one effort. */
export const WHICH_OPTIONS: Readonly<Record<string, Option>> = {
  effort: {
    type: 'string',
    value: 'id',
    help: 'Which effort; without it the one of this folder, and of AGENT_ID where that is set',
  },
  ...JSON_OPTION,
}

export function which(input: Input): { readonly effort: number } | { readonly cwd: string } {
  const text = stringFlag(input, 'effort')
  return text === undefined ? { cwd: process.cwd() } : { effort: effortId(text) }
}

export function effortId(text: string): number {
  const id = Number(text)
  if (/^\d{1,15}$/.test(text) && id > 0) return id
  throw new GantryError('USAGE', `"${text}" is no effort. They are numbers: gantry effort list`)
}

/** The words of a command, given as one argument or as many. */
export function textOf(input: Input): string {
  return input.args.join(' ').trim()
}

export function parsedJson(text: string, what: string, example: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new GantryError('USAGE', `${what} is not JSON (${plain(problem)}). For example:\n${example}`, {
      cause,
    })
  }
}

export function spanFlag(input: Input, name: string, otherwiseMs: number): number {
  const text = stringFlag(input, name)
  const span = text === undefined ? otherwiseMs : spanOf(text)
  if (span !== undefined) return span
  throw new GantryError('USAGE', `--${name} takes a time span such as 90s, 15m or 1h, not "${text}".`)
}

/** `✓ effort 4 implement · phase test`, or all of it for programs. */
export function told(input: Input, effort: EffortView, ...more: readonly string[]): number {
  if (input.flags.json) out(JSON.stringify(effort, null, 2))
  else out([`${green('✓')} ${nameOf(effort)}`, ...more].join('\n'))
  return 0
}

export function nameOf({ id, skill, title, currentPhase, agentId }: EffortView): string {
  const parts = [
    plain(title),
    ...(currentPhase === null ? [] : [`phase ${plain(currentPhase)}`]),
    ...(agentId === null ? [] : [`agent ${plain(agentId)}`]),
  ]
  return `${bold(`effort ${id}`)} ${plain(skill)} ${dim('·')} ${parts.join(dim(' · '))}`
}

export interface Limits {
  /** From here on it is worth a look. */
  readonly warn: number
  /** From here on something happens. */
  readonly full: number
}

const BAR_COLUMNS = 10

/** `▮▮▮▯▯▯▯▯▯▯`, coloured by how near the limit is; `share` is 0 to 1. */
export function bar(share: number, { warn, full }: Limits): string {
  const filled = Math.min(BAR_COLUMNS, Math.max(0, Math.round(share * BAR_COLUMNS)))
  const colour = share >= full ? red : share >= warn ? yellow : green
  return colour('▮'.repeat(filled)) + dim('▯'.repeat(BAR_COLUMNS - filled))
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
