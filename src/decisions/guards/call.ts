/**
 * One started program as guards ask about it: flags in any order, bundled or abbreviated, and its operands.
 *
 *   has(call, '-f', '--force')            // git push -uf, --force, --force=true, --forc
 *   operands(call)[0]                     // 'push' in git -C x push
 */
import type { Command } from '../../shell/index.ts'
import { takesNext, valuedOf } from './valued.ts'

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
  const least = /^git(?: |$)/.test(call.program) ? LEAST_OF_GIT : LEAST_ABBREVIATION
  return partsOf(call).flags.some((word) => flags.some((flag) => isFlag(word, flag, least)))
}

/**
 * A flag that takes the danger away: where it stands with its opposite, the last one counts.
 *
 *   spares(call, '-n', '--dry-run')   // git push -n; not git push -n --no-dry-run, --dry-run=none
 */
export function spares(call: Call, ...flags: readonly string[]): boolean {
  const { flags: words } = partsOf(call)
  const isOpposite = (word: string) =>
    flags.some((flag) => flag.startsWith('--') && isFlag(word, `--no-${flag.slice(2)}`))
  const at = words.findLastIndex((word) => isOpposite(word) || flags.some((flag) => isFlag(word, flag)))
  const word = words[at]
  return word !== undefined && !isOpposite(word) && !/=(?:false|none|no|off|0)?$/i.test(word)
}

/** The value of the last of these options, as its own word or behind `=`. */
export function lastValue(call: Call, ...names: readonly string[]): string | undefined {
  const { flags, values } = partsOf(call)
  const at = flags.findLastIndex((word) => names.includes(word.split('=')[0] ?? ''))
  const word = flags[at]
  return word?.includes('=') ? word.slice(word.indexOf('=') + 1) : values.get(at)
}

interface Parts {
  /** Options as they stand there, without their values. */
  readonly flags: readonly string[]
  /** Values that are words of their own, by the place of their option in `flags`. */
  readonly values: ReadonlyMap<number, string>
  readonly operands: readonly string[]
}

const PARTS = new WeakMap<Call, Parts>()

/** Values are no flags, and behind `--` there are none. */
function partsOf(call: Call): Parts {
  const known = PARTS.get(call)
  if (known) return known
  const flags: string[] = []
  const values = new Map<number, string>()
  const found: string[] = []
  const { program, words } = call
  const hasVerb = !program.includes(' ')
  let valued = valuedOf(program)
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    if (word === '--') {
      found.push(...words.slice(i + 1))
      break
    }
    if (!word.startsWith('-') || word === '-') {
      if (hasVerb && found.length === 0) valued = valuedOf(`${program} ${word}`, valued)
      found.push(word)
    } else if (takesNext(word, valued)) {
      values.set(flags.push(word) - 1, words[++i] ?? '')
    } else {
      const isBundle = /^-[A-Za-z0-9]{2}/.test(word)
      const end = isBundle ? [...word].findIndex((letter) => valued.has(`-${letter}`)) : -1
      flags.push(end < 0 ? word : word.slice(0, end + 1))
      if (end === word.length - 1) i += 1
    }
  }
  const parts = { flags, values, operands: found }
  PARTS.set(call, parts)
  return parts
}

const LEAST_ABBREVIATION = 5 // "--for"; shorter ones are rarely unique
const LEAST_OF_GIT = 3 // "--m"; git refuses what may be two options, so what it does not refuse is this one
/** A flag of its own that others begin with. */
const WHOLE: ReadonlySet<string> = new Set(['--force', '--delete', '--all', '--prune', '--dry', '--data'])

function isFlag(word: string, flag: string, least = LEAST_ABBREVIATION): boolean {
  if (word === flag) return true
  if (flag.startsWith('--'))
    return word.startsWith(`${flag}=`) || (word.length >= least && flag.startsWith(word) && !WHOLE.has(word))
  if (flag.length === 2) return /^-[A-Za-z0-9]+$/.test(word) && word.includes(flag[1] ?? ' ')
  return word.startsWith(`${flag}=`)
}

/** The words without options and their values; `valued` are the options that take the next word, if the table of them does not say it. */
export function operands(call: Call, valued?: ReadonlySet<string>): readonly string[] {
  if (valued === undefined) return partsOf(call).operands
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
type Subcommands = ReadonlyMap<string, readonly (readonly RegExp[])[]>

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

const DRY_RUNS = [
  '--dry-run',
  '-dry-run',
  '--dryrun',
  '--what-if',
  '-what-if',
  '--whatif',
  '-whatif',
  '--simulate',
]

/** `short`: other names of it, as `-n` is for git. */
export function isDryRun(call: Call, ...short: readonly string[]): boolean {
  const isTakenBack = call.words[call.words.lastIndexOf('--dry-run') + 1] === 'false' // as npm reads it
  return !isTakenBack && spares(call, ...short, ...DRY_RUNS)
}

/** `-h` is help for most programs, and "human" or "host" for some: the caller knows. */
export function isHelp(call: Call): boolean {
  const { flags } = partsOf(call)
  const { program, words } = call
  if (program === 'kill') return words[0] === '--help' // it ends what stands before that
  return words[0] === 'help' || flags.includes('--help') || (flags.at(-1) === '-h' && words.at(-1) === '-h')
}

/** As the first word and in full: anywhere else it may be a value, or stand for `--verbose`, as git takes `--ver`. */
export function asksVersion({ words }: Call, ...others: readonly string[]): boolean {
  const [first = ''] = words
  return first === '--version' || others.includes(first)
}

/** What is written to its standard input, as far as that is known. */
export function stdinOf({ command }: Call): string {
  return command.stdin?.text ?? ''
}

/** Its words, what `<(…)` among them prints, and its standard input: where a client of a database finds its statements. */
export function allTextOf(call: Call): string {
  const printed = call.command.argv.flatMap(({ output }) => output?.text ?? [])
  return [...call.words, ...printed, stdinOf(call)].join(' ').trimEnd()
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

/** The same for names that a loop or a substitution brings: `rm $(git ls-files)`, `… | while read f; do rm $f`, `… done < list`. */
export function namedBy(calls: readonly Call[], call: Call): Call | undefined {
  const listed = listedBy(calls, call)
  const open = listed ? '' : (operands(call).find((word) => WHOLE_NAME.test(word)) ?? '')
  if (open === '') return listed
  const links = linksOf(calls)
  if (/^(?:\$\(|`)/.test(open))
    return links.substitutions.findLast(
      ({ command, index, program }) =>
        (index < call.index || command.parent === call.index) && open.includes(program),
    )
  const name = /\w+/.exec(open)?.[0] ?? ''
  const reader = links.readers.find(({ words }) => words.includes(name))
  if (reader === undefined) return undefined
  const loop = links.redirected.find(
    ({ command: { span } }) => span[0] <= call.command.span[0] && call.command.span[1] <= span[1],
  )
  return loop ? (childrenOf(calls, loop.index)[0] ?? loop) : feedersOf(calls, reader).next().value
}

/** Not `$f.bak`. */
const WHOLE_NAME = /^(?:\$\w+|\$\{\w+\}|\$\([\s\S]*\)|`[\s\S]*`)$/

interface Links {
  readonly children: ReadonlyMap<number, readonly Call[]>
  readonly takers: ReadonlyMap<number, readonly Call[]>
  readonly substitutions: readonly Call[]
  readonly readers: readonly Call[]
  /** Loops and groups that read a file. */
  readonly redirected: readonly Call[]
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
  const substitutions = calls.filter(({ command }) => command.via === 'substitution')
  const readers = calls.filter(({ program }) => program === 'read')
  const redirected = calls.filter(
    ({ command: { argv, redirects } }) =>
      argv.length === 0 && redirects.some(({ operator }) => operator.startsWith('<')),
  )
  const links = { children, takers, substitutions, readers, redirected }
  LINKS.set(calls, links)
  return links
}

function add(map: Map<number, Call[]>, key: number | undefined, call: Call): void {
  if (key === undefined) return
  const list = map.get(key)
  if (list) list.push(call)
  else map.set(key, [call])
}
