/**
 * What can follow what on a command line, read from the commands' own help, so that a new command is completed without
 * anybody thinking of it. The scripts of the three shells are made from this.
 */
import { wireable } from '../install/index.ts'
import { COMMON_OPTIONS, type Command, type CommandList, type Option } from './command.ts'

/** Where the words for a place come from; `sessions`, `channels` and `approvals` are asked of the daemon. */
export type Source =
  | { readonly kind: 'nothing' | 'file' | 'dir' | 'command' | 'sessions' | 'channels' | 'approvals' }
  | { readonly kind: 'words'; readonly words: readonly string[] }

export interface CompletedOption {
  readonly name: string
  readonly short?: string
  readonly help: string
  /** Of its value; undefined for one that takes none. */
  readonly value?: Source
}

export interface Completed {
  readonly name: string
  readonly summary: string
  readonly options: readonly CompletedOption[]
  readonly argument: Source
}

const NOTHING: Source = { kind: 'nothing' }
const FILES: ReadonlySet<string> = new Set(['file', 'path', 'payload.json', 'json', 'recorded.jsonl'])
/** A word to type as it is; `[filters]` alone in its brackets stands for something else. */
const LITERAL = /^\s*(?:\[(?=[a-z]+ ))?([a-z]+(?:\|[a-z]+)*)\b(?!…)/
const STREAMS = ['HOOK_EVENTS', 'SESSION_EVENTS', 'DECISION_EVENTS', 'GANTRY_EVENTS']

export async function completionTable(commands: CommandList): Promise<Completed[]> {
  return Promise.all(commands.map(async ([, { load }]) => completed(await load())))
}

export function completed(command: Command): Completed {
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS })
  return {
    name: command.name,
    summary: command.summary,
    options: options.map(([name, option]) => ({
      name,
      ...(option.short === undefined ? {} : { short: option.short }),
      help: option.help,
      ...(option.type === 'string' ? { value: sourceOfValue(name, option, command.usage) } : {}),
    })),
    argument: command.passesOn ? { kind: 'command' } : argumentOf(command.usage),
  }
}

function sourceOfValue(name: string, { value = '' }: Option, usage: string): Source {
  const choice = new RegExp(`--${name} ([\\w-]+(?:\\|[\\w-]+)+)`).exec(usage)?.[1]
  if (choice !== undefined) return { kind: 'words', words: choice.split('|') }
  if (name === 'session') return { kind: 'sessions' }
  if (name === 'stream') return { kind: 'words', words: STREAMS }
  if (value === 'agent') return agentsHere()
  if (value === 'dir') return { kind: 'dir' }
  return FILES.has(value) && value !== 'json' ? { kind: 'file' } : NOTHING
}

/** The usage says what comes first: `<id|name>`, `[agent…]`, `list | check`, `bash|zsh|fish`. */
function argumentOf(usage: string): Source {
  const words = usage
    .replace(/\[--[^\]]*\]/g, '')
    .split(' | ')
    .flatMap((part) => LITERAL.exec(part)?.[1]?.split('|') ?? [])
  const [, first = ''] = /^[<[]+([^>\]]+)[>\]]/.exec(usage) ?? []
  if (first === 'id|name' || first === 'session') return { kind: 'sessions' }
  if (first === 'channel') return { kind: 'channels' }
  if (first.startsWith('approval')) return { kind: 'approvals' }
  if (first.startsWith('agent') || usage.includes('<agent> [event]')) return agentsHere()
  if (FILES.has(first)) return { kind: 'file' }
  return words.length > 0 ? { kind: 'words', words } : NOTHING
}

function agentsHere(): Source {
  return { kind: 'words', words: wireable().map(({ id }) => id) }
}

/** `bus` and the like: their commands come second. */
export function groupsOf(table: readonly Completed[]): Map<string, Completed[]> {
  const groups = new Map<string, Completed[]>()
  for (const command of table) {
    const [first = '', second] = command.name.split(' ')
    if (second !== undefined) groups.set(first, [...(groups.get(first) ?? []), command])
  }
  return groups
}

/** What may come first, with what it does. */
export function firstWords(table: readonly Completed[]): (readonly [string, string])[] {
  const groups = groupsOf(table)
  const single = table.filter(({ name }) => !name.includes(' '))
  return [
    ...single.map(({ name, summary }) => [name, summary] as const),
    ...[...groups].map(([name, commands]) => [name, listOf(commands)] as const),
    ['help', 'Show all commands'] as const,
  ]
}

function listOf(commands: readonly Completed[]): string {
  return commands.map(({ name }) => name.split(' ')[1]).join(', ')
}

/** One word of a shell, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
