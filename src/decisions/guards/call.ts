/**
 * One started program as guards ask about it: flags in any order, bundled or abbreviated, and its operands.
 *
 *   has(call, '-f', '--force')            // git push -uf, --force, --force=true, --forc
 *   operands(call, GIT_VALUED)[0]         // 'push' in git -C x push
 */
import type { Command } from '../../shell/index.ts'

export interface Call {
  readonly command: Command
  readonly index: number
  readonly program: string
  /** What follows the program's name. */
  readonly words: readonly string[]
}

export function callOf(command: Command, index: number): Call {
  return { command, index, program: command.program, words: command.argv.slice(1).map(({ text }) => text) }
}

/** `-f` is found in a bundle, `--force` with a value or abbreviated; any other word only as it is, or with `=`. */
export function has(call: Call, ...flags: readonly string[]): boolean {
  for (const word of call.words) {
    if (word === '--') return false
    if (word.startsWith('-') && flags.some((flag) => isFlag(word, flag))) return true
  }
  return false
}

const LEAST_ABBREVIATION = 5 // "--for"; shorter ones are rarely unique
/** A flag of its own that others begin with. */
const WHOLE: ReadonlySet<string> = new Set(['--force', '--delete', '--all', '--prune', '--dry', '--data'])

function isFlag(word: string, flag: string): boolean {
  if (word === flag) return true
  if (flag.startsWith('--'))
    return (
      word.startsWith(`${flag}=`) ||
      (word.length >= LEAST_ABBREVIATION && flag.startsWith(word) && !WHOLE.has(word))
    )
  if (flag.length === 2) return /^-[A-Za-z0-9]+$/.test(word) && word.includes(flag[1] ?? ' ')
  return word.startsWith(`${flag}=`)
}

/** The words without options and their values; `valued` are the options that take the next word. */
export function operands(call: Call, valued: ReadonlySet<string> = NONE): string[] {
  const found: string[] = []
  for (let i = 0; i < call.words.length; i++) {
    const word = call.words[i] ?? ''
    if (word === '--') return [...found, ...call.words.slice(i + 1)]
    if (word.startsWith('-') && word !== '-') {
      if (valued.has(word)) i += 1
    } else found.push(word)
  }
  return found
}

const NONE: ReadonlySet<string> = new Set()

/** Parsed once per text: guards name their options where they need them. */
export function options(text: string): ReadonlySet<string> {
  let known = OPTIONS.get(text)
  if (known === undefined) {
    known = new Set(names(text))
    OPTIONS.set(text, known)
  }
  return known
}
const OPTIONS = new Map<string, ReadonlySet<string>>()

/** Words of a long list, which stand between spaces. */
export function names(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

/** By program: subcommands as patterns, one for each operand. */
export type Subcommands = ReadonlyMap<string, readonly (readonly RegExp[])[]>

/**
 * A row for each group of programs. A comma separates subcommands, a space the patterns of their operands.
 *
 *   const STORES = subcommands(`
 *     gh fly: auth token
 *     op: read|inject, item get
 *   `)
 *   isSubcommand(STORES.get('op') ?? [], ['item', 'get', 'x'])   // true
 */
export function subcommands(rows: string): Subcommands {
  return new Map(
    rows.split('\n').flatMap((row) => {
      const [programs = '', list = ''] = row.split(': ', 2)
      const patterns = list.split(', ').map((one) => names(one).map((word) => new RegExp(`^(?:${word})$`)))
      return programs.trim() === '' ? [] : names(programs).map((program) => [program, patterns] as const)
    }),
  )
}

export function isSubcommand(list: readonly (readonly RegExp[])[], words: readonly string[]): boolean {
  return list.some((patterns) => patterns.every((pattern, i) => pattern.test(words[i] ?? '')))
}

export function isDryRun(call: Call): boolean {
  return call.words.some((word) =>
    /^--?(dry-run|dryrun|what-if|whatif|simulate)\b(?!=(?:false|none))/.test(word),
  )
}

/** `-h` is help for most programs, and "human" or "host" for some: the caller knows. */
export function isHelp(call: Call): boolean {
  const [first] = call.words
  return first === 'help' || call.words.includes('--help') || call.words.at(-1) === '-h'
}

/** What is written to its standard input, as far as that is known. */
export function stdinOf({ command }: Call): string {
  return command.stdin?.text ?? ''
}

/** Its words and its standard input: where a client of a database finds its statements. */
export function allTextOf(call: Call): string {
  const stdin = stdinOf(call)
  return stdin === '' ? call.words.join(' ') : `${call.words.join(' ')} ${stdin}`
}

/** The call that feeds names to the xargs or parallel which starts this call. */
export function listedBy(calls: readonly Call[], call: Call): Call | undefined {
  let from = calls[call.command.parent ?? -1]
  for (let depth = 0; from && PASSES_WORDS.test(from.program) && depth < MAX_PIPES; depth++)
    from = calls[from.command.parent ?? -1]
  if (from === undefined || !/^(?:xargs|parallel)$/.test(from.program)) return undefined
  return [...feedersOf(calls, from)][0] ?? from
}

/** They may stand between xargs and the program. */
const PASSES_WORDS = /^(?:sudo|doas|env|command|nice|ionice|nohup|time|timeout|(?:ba|z|da|k)?sh)$/

interface Links {
  readonly children: ReadonlyMap<number, readonly Call[]>
  readonly takers: ReadonlyMap<number, readonly Call[]>
}

/** Made once for the calls of a script: a script may have thousands, and a guard looks at the neighbours of each. */
const LINKS = new WeakMap<readonly Call[], Links>()
const NO_CALLS: readonly Call[] = []

/** What came out of a call: its substitutions, what it wraps, the code that it was given. */
export function childrenOf(calls: readonly Call[], index: number): readonly Call[] {
  return linksOf(calls).children.get(index) ?? NO_CALLS
}

/** The calls that read the output of a call. */
export function takersOf(calls: readonly Call[], index: number): readonly Call[] {
  return linksOf(calls).takers.get(index) ?? NO_CALLS
}

const MAX_PIPES = 32 // a longer pipe hides nothing

/** The calls that write the input of a call, through all pipes, the nearest first. */
export function* feedersOf(calls: readonly Call[], { command }: Call): Generator<Call> {
  let feeder = calls[command.pipedFrom ?? -1]
  for (let depth = 0; feeder && depth < MAX_PIPES; depth++) {
    yield feeder
    feeder = calls[feeder.command.pipedFrom ?? -1]
  }
}

function linksOf(calls: readonly Call[]): Links {
  const known = LINKS.get(calls)
  if (known) return known
  const children = new Map<number, Call[]>()
  const takers = new Map<number, Call[]>()
  for (const call of calls) {
    add(children, call.command.parent, call)
    add(takers, call.command.pipedFrom, call)
  }
  const links = { children, takers }
  LINKS.set(calls, links)
  return links
}

function add(map: Map<number, Call[]>, key: number | undefined, call: Call): void {
  if (key === undefined) return
  const list = map.get(key)
  if (list) list.push(call)
  else map.set(key, [call])
}
