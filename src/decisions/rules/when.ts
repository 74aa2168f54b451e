/**
 * `when` of a rule: what a tool call does, and the facts of its session. All conditions of one `when` are about the same command
 * of a command line; it holds if they hold for one of its commands. What nobody can know is neither yes nor no. Loaded only
 * where a rule has a `when`.
 */
import type { FileEffect, NetworkEffect } from '../../shell/index.ts'
import { type Call, callOf, has, operands, options } from '../guards/call.ts'
import { flags, gitCall } from '../guards/pack/git.ts'
import { holdsSecret } from '../guards/pack/secret-values.ts'
import { showsSecret } from '../guards/secret-files.ts'
import type { ToolCall } from '../tool-calls.ts'
import { anyOf, isOutside, pathGlobs, textGlobs } from './glob.ts'
import type { Budget } from './pattern/index.ts'
import type { Facts, Judgement } from './rule.ts'
import { CUT, TOO_LONG } from './rule.ts'
import type { When } from './rule-schema.ts'
import { ASSUMED, type FactName, factWords } from './world.ts'

/** One command with what it does; a file tool is one without a program. */
interface Subject {
  readonly tool: ToolCall
  readonly call: Call | undefined
  readonly reads: readonly FileEffect[]
  readonly writes: readonly FileEffect[]
  readonly deletes: readonly FileEffect[]
  readonly network: readonly NetworkEffect[]
}

// Of the budget of patterns: a test takes about as long as so many steps.
const STEPS_PER_COMMAND = 100
const STEPS_PER_EFFECT = 100
const STEPS_PER_WORD = 20

/** Whether there is that much left for this event. */
function spends(budget: Budget, steps: number): boolean {
  budget.left -= steps
  return budget.left >= 0
}

type Test = (subject: Subject, facts: Facts) => Judgement

const NO_PROGRAM: Judgement = { unknown: 'it starts a program whose name is not known' }
const NO_WORD: Judgement = { unknown: 'a word of the command is not known' }
const NO_PATH: Judgement = { unknown: 'a path of the command is not known' }
const NO_HOST: Judgement = { unknown: 'the host is not known' }

export function compileWhen(when: When): (facts: Facts) => Judgement {
  const test = nodeOf(when)
  if (!asksCall(when)) return (facts) => test(NOBODY, facts)
  const names = [when.program ?? []].flat()
  const isExact = names.length > 0 && !names.some((name) => /[*?]/.test(name))
  const programs = isExact ? [...new Set(names), ''] : [ALL]
  return (facts) => {
    const { event } = facts
    if (event.partial && event.tool?.input === undefined) return CUT
    const tool = facts.call
    if (tool === undefined) return 'no'
    const { understood, why } = tool.effects
    let judgement: Judgement = understood ? 'no' : { unknown: why ?? 'its command is not understood' }
    const { all, byProgram } = subjectsOf(tool)
    for (const name of programs) {
      const subjects = name === ALL ? all : byProgram.get(name)
      if (subjects === undefined) continue
      if (!spends(facts.budget, subjects.length * STEPS_PER_COMMAND)) return TOO_LONG
      for (const subject of subjects) {
        const next = test(subject, facts)
        if (next === 'yes') return 'yes'
        if (judgement === 'no') judgement = next
      }
    }
    return judgement
  }
}

const ALL = '*' // no program that is named exactly

/**
 * Without one of these bits in an event's `offers`, a `when` surely says no. A bit is for a kind of effects or for several programs:
 * most rules are about what a command does not do, and this tells it without a look at their conditions.
 */
export function needsOf(when: When): number {
  const { program, subcommand, flags, args, targets } = when
  if (program !== undefined) {
    const names = [program].flat()
    return names.some((name) => /[*?]/.test(name))
      ? 0
      : names.reduce((bits, one) => bits | bitOf(one), bitOf(''))
  }
  // Only what the first test is about: those before it would spend of the budget.
  if ([subcommand, flags, args, targets].some((one) => one !== undefined)) return 0
  const kind = KINDS.findIndex((one) => when[one] !== undefined)
  return kind < 0 ? 0 : 1 << kind
}

/** In the order of their tests. */
const KINDS = ['reads', 'writes', 'deletes', 'network'] as const
export const EFFECTS = 2 ** KINDS.length - 1

function bitOf(program: string): number {
  const end = program.length - 1
  const sum = end < 0 ? 0 : program.charCodeAt(0) * 7 + program.charCodeAt(end) * 3 + end
  return 1 << (KINDS.length + (sum % (32 - KINDS.length)))
}

/** `steps`: what a rule about effects spends before its first test. */
export interface Offers {
  readonly bits: number
  readonly steps: number
}

export function offersOf({ event, call }: Facts): Offers {
  if (event.partial || call?.effects.understood === false) return UNKNOWN_OFFERS
  if (call === undefined) return NO_OFFERS
  const { all, byProgram } = subjectsOf(call)
  let bits = 0
  for (const [i, kind] of KINDS.entries()) if (call.effects[kind].length > 0) bits |= 1 << i
  for (const program of byProgram.keys()) bits |= bitOf(program)
  return { bits, steps: all.length * STEPS_PER_COMMAND }
}

const UNKNOWN_OFFERS: Offers = { bits: ~0, steps: 0 }
const NO_OFFERS: Offers = { bits: 0, steps: 0 }

const NO_CALL: ToolCall = {
  source: '',
  effects: { understood: true, commands: [], reads: [], writes: [], deletes: [], network: [] },
  place: { cwd: '/', home: '/' },
  content: '',
}
const NOBODY: Subject = { tool: NO_CALL, call: undefined, reads: [], writes: [], deletes: [], network: [] }

interface Subjects {
  readonly all: readonly Subject[]
  /** By program; calls of unknown programs are under ''. */
  readonly byProgram: ReadonlyMap<string, readonly Subject[]>
}

const NO_EFFECTS: readonly never[] = []

/** All rules ask about one event before they ask about the next. */
let latest: { readonly tool: ToolCall; readonly subjects: Subjects } = {
  tool: NO_CALL,
  subjects: { all: [], byProgram: new Map() },
}

/** Made once for all rules, and in one pass: a line may have thousands of commands. */
function subjectsOf(tool: ToolCall): Subjects {
  if (latest.tool === tool) return latest.subjects
  const { commands } = tool.effects
  const reads = byCommand(tool.effects.reads, commands)
  const writes = byCommand(tool.effects.writes, commands)
  const deletes = byCommand(tool.effects.deletes, commands)
  const network = byCommand(tool.effects.network, commands)
  const subject = (index: number, call: Call | undefined): Subject => ({
    tool,
    call,
    reads: reads(index),
    writes: writes(index),
    deletes: deletes(index),
    network: network(index),
  })
  const all =
    commands.length === 0
      ? [subject(-1, undefined)]
      : commands.map((command, index) => subject(index, callOf(command, index)))
  const started = all.filter(({ call }) => call !== undefined && call.command.argv.length > 0)
  const byProgram = Map.groupBy(started, ({ call }) => call?.program ?? '')
  latest = { tool, subjects: { all, byProgram } }
  return latest.subjects
}

/** Most lines have one command, or no effects of a kind. */
function byCommand<T extends { readonly command: number }>(
  effects: readonly T[],
  commands: readonly unknown[],
): (index: number) => readonly T[] {
  if (effects.length === 0 || commands.length < 2) return () => effects
  const groups = Map.groupBy(effects, ({ command }) => command)
  return (index) => groups.get(index) ?? NO_EFFECTS
}

const CALL_KEYS = [
  'program',
  'subcommand',
  'flags',
  'args',
  'targets',
  'reads',
  'writes',
  'deletes',
  'network',
  'redirects',
  'secret',
] as const

function asksCall({ any = [], not, ...rest }: When): boolean {
  return CALL_KEYS.some((key) => rest[key] !== undefined) || any.some(asksCall) || (!!not && asksCall(not))
}

/** The cheap tests and those that exclude most come first. */
function nodeOf(when: When): Test {
  const tests: Test[] = []
  if (when.program !== undefined) tests.push(programTest(when.program))
  if (when.subcommand !== undefined) tests.push(subcommandTest(when.subcommand))
  if (when.flags !== undefined) tests.push(flagsTest(when.flags))
  if (when.args !== undefined) tests.push(argsTest(when.args, when.subcommand))
  for (const role of ['targets', 'reads', 'writes', 'deletes'] as const) {
    const paths = when[role]
    if (paths !== undefined) tests.push(pathsTest(role, paths))
  }
  if (when.network !== undefined) tests.push(networkTest(when.network))
  if (when.redirects !== undefined) tests.push(redirectsTest(when.redirects))
  tests.push(...factTests(when))
  if (when.any !== undefined) tests.push(combined(when.any.map(nodeOf), 'yes'))
  if (when.not !== undefined) tests.push(inverse(nodeOf(when.not)))
  if (when.secret !== undefined) tests.push(secretTest)
  const [only] = tests
  return only !== undefined && tests.length === 1 ? only : combined(tests, 'no')
}

/** The first test that says `decides` is the answer, else the first that could not tell. */
function combined(tests: readonly Test[], decides: 'yes' | 'no'): Test {
  const otherwise = decides === 'no' ? 'yes' : 'no'
  return (subject, facts) => {
    let judgement: Judgement = otherwise
    for (const test of tests) {
      const next = test(subject, facts)
      if (next === decides) return decides
      if (judgement === otherwise) judgement = next
    }
    return judgement
  }
}

function inverse(test: Test): Test {
  return (subject, facts) => {
    const said = test(subject, facts)
    return said === 'yes' ? 'no' : said === 'no' ? 'yes' : said
  }
}

function judged(said: boolean | undefined, unknown: Judgement): Judgement {
  return said === undefined ? unknown : said ? 'yes' : 'no'
}

function programTest(globs: string | readonly string[]): Test {
  const matches = textGlobs(globs)
  return ({ call }, { budget }) => {
    if (call === undefined || call.command.argv.length === 0) return 'no'
    return call.program === '' ? NO_PROGRAM : judged(matches(call.program, budget), NO_PROGRAM)
  }
}

/** Options before the subcommand that take the next word. */
const VALUED: Readonly<Record<string, ReadonlySet<string>>> = {
  docker: options('-H --host -c --context -l --log-level --config'),
  podman: options('--url --connection --log-level --root'),
  kubectl: options('-n --namespace --context --kubeconfig --cluster --user -s --server'),
  helm: options('-n --namespace --kube-context --kubeconfig'),
  npm: options('--prefix -C -w --workspace'),
  pnpm: options('-C --dir -F --filter'),
  yarn: options('--cwd'),
  bun: options('--cwd --config'),
  gh: options('-R --repo'),
  cargo: options('--manifest-path --config -C -Z --color'),
  aws: options('--profile --region --output --endpoint-url'),
  gcloud: options('--project --account --configuration'),
  az: options('--subscription'),
  systemctl: options('-H --host -M --machine'),
}

/** A call as its program reads it. */
interface Words {
  /** Operands, the subcommand first. */
  readonly operands: readonly string[]
  /** Where its flags are: those before a subcommand of git are git's own. */
  readonly flags: Call
  /** Words that a variable or a substitution may turn into anything. */
  readonly open: ReadonlySet<string>
}

const WORDS = new WeakMap<Call, Words>()

/** Made once for all rules. Git's own aliases of the same call are followed. */
export function wordsOf(call: Call): Words {
  const known = WORDS.get(call)
  if (known) return known
  const open = new Set(call.command.argv.filter(isOpen).map(({ text }) => text))
  const words =
    call.program === 'git'
      ? gitWords(call, open)
      : { operands: operands(call, VALUED[call.program]), flags: call, open }
  WORDS.set(call, words)
  return words
}

function gitWords(call: Call, open: ReadonlySet<string>): Words {
  const git = gitCall(call)
  if (git === undefined) return { operands: [], flags: { ...call, words: [] }, open } // its help, or its version
  return { operands: [git.verb, ...git.rest], flags: flags(call, git.verb), open }
}

/** What a variable or a substitution may turn into anything. */
function isOpen({ text, known }: { readonly text: string; readonly known: boolean }): boolean {
  return !known && /[$`]/.test(text)
}

function subcommandTest(names: string | readonly string[]): Test {
  const all = [names].flat().map((name) => name.trim().split(/\s+/).map(textGlobs))
  return ({ call }, { budget }) => {
    if (call === undefined) return 'no'
    const { operands: words, open } = wordsOf(call)
    let judgement: Judgement = 'no'
    for (const parts of all) {
      const at = parts.findIndex((matches, i) => words[i] === undefined || matches(words[i], budget) !== true)
      if (at < 0) return 'yes'
      if (open.has(words[at] ?? '')) judgement = NO_WORD // it may be it, as all before it is
    }
    return judgement
  }
}

function flagsTest(given: NonNullable<When['flags']>): Test {
  const all = [given].flat()
  const groups = all.every((one) => typeof one === 'string') ? [all] : all.map((one) => [one].flat())
  return ({ call }, { budget }) => {
    if (call === undefined) return 'no'
    const { flags: own, open } = wordsOf(call)
    if (!spends(budget, own.words.length * STEPS_PER_WORD)) return TOO_LONG
    if (groups.every((group) => has(own, ...group))) return 'yes'
    for (const word of open) if (/^[-$`"]/.test(word)) return NO_WORD
    return 'no'
  }
}

function argsTest(globs: string | readonly string[], subcommand: When['subcommand']): Test {
  const matches = textGlobs(globs)
  const starts = [globs].flat().map((glob) => /^[^*?]*/.exec(glob)?.[0] ?? '')
  const skipped = subcommand === undefined ? 0 : ([subcommand].flat()[0] ?? '').trim().split(/\s+/).length
  return ({ call }, { budget }) => {
    if (call === undefined) return 'no'
    const { operands: words, open } = wordsOf(call)
    if (!spends(budget, words.length * STEPS_PER_WORD)) return TOO_LONG
    const said = anyOf(words, (word, i) => {
      if (i < skipped) return false
      if (!open.has(word)) return matches(word, budget)
      const certain = /^[^$`]*/.exec(word)?.[0] ?? ''
      return starts.some((start) => start.startsWith(certain) || certain.startsWith(start))
        ? undefined
        : false
    })
    return judged(said, NO_WORD)
  }
}

function pathsTest(
  role: 'targets' | 'reads' | 'writes' | 'deletes',
  paths: NonNullable<When['writes']>,
): Test {
  const { path, outside, inside } =
    typeof paths === 'string' || Array.isArray(paths) ? { path: paths } : paths
  const matches = path === undefined ? undefined : pathGlobs(path)
  const judge = (effect: FileEffect, { place }: ToolCall, budget: Budget): boolean | undefined => {
    const isOut = outside === undefined ? true : isOutside(effect, outside, place)
    if (isOut === false) return false
    const isBeyond = inside === undefined ? false : isOutside(effect, inside, place)
    if (isBeyond === true) return false
    const matched = matches === undefined ? true : matches(effect, place, budget)
    return matched === true && (isOut === undefined || isBeyond === undefined) ? undefined : matched
  }
  return (subject, { budget }) => {
    const effects =
      role === 'targets' ? [...subject.reads, ...subject.writes, ...subject.deletes] : subject[role]
    if (effects.length === 0) return 'no'
    if (!spends(budget, effects.length * STEPS_PER_EFFECT)) return TOO_LONG
    return judged(
      anyOf(effects, (effect) => judge(effect, subject.tool, budget)),
      NO_PATH,
    )
  }
}

function networkTest(network: NonNullable<When['network']>): Test {
  const { host, sends } = network === true ? {} : network
  const matches = host === undefined ? undefined : textGlobs(host)
  return (subject, { budget }) => {
    const said = anyOf(subject.network, (effect) => {
      if (sends !== undefined && sends !== effect.sends) return false
      if (matches === undefined) return true
      return effect.host === undefined ? undefined : matches(effect.host, budget)
    })
    return judged(said, NO_HOST)
  }
}

function redirectsTest(operators: NonNullable<When['redirects']>): Test {
  const wanted = operators === true ? undefined : new Set<string>([operators].flat())
  return ({ call }) => {
    const found = call?.command.redirects.some(({ operator }) => wanted?.has(operator) ?? true)
    return found ? 'yes' : 'no'
  }
}

const secretTest: Test = ({ tool, reads, call }) => {
  if (reads.some((effect) => showsSecret(effect, call))) return 'yes'
  return holdsSecret(tool) ? 'yes' : 'no'
}

const TEXTS = ['agent', 'phase', 'permissionMode', 'branch', 'effort', 'host', 'weekday'] as const
const YES_OR_NO = ['subagent', 'dirty'] as const
const NUMBERS = ['contextUse', 'costUsd', 'repeats'] as const

function factTests(when: When): Test[] {
  const tests: Test[] = []
  for (const name of TEXTS) {
    const globs = when[name]
    if (globs === undefined) continue
    const matches = textGlobs(globs)
    tests.push(factTest(name, (value, { budget }) => matches(String(value), budget) === true))
  }
  for (const name of YES_OR_NO) {
    const wanted = when[name]
    if (wanted !== undefined) tests.push(factTest(name, (value) => value === wanted))
  }
  for (const name of NUMBERS) {
    const text = when[name]
    if (text !== undefined) tests.push(factTest(name, comparison(text)))
  }
  if (when.time !== undefined) tests.push(factTest('time', within([when.time].flat())))
  return tests
}

function factTest(
  name: FactName,
  matches: (value: string | number | boolean, facts: Facts) => boolean,
): Test {
  const unknown: Judgement = { unknown: `${factWords(name)} is not known` }
  return (_, facts) => {
    const value = facts.world.fact(facts.event, name)
    if (value === ASSUMED) return 'yes'
    if (value === undefined) return unknown
    return value !== null && matches(value, facts) ? 'yes' : 'no'
  }
}

/** `>= 80` */
function comparison(text: string): (value: unknown) => boolean {
  const [, operator, figure] = /^(>=|<=|>|<) ?(.+)$/.exec(text) ?? []
  const than = Number(figure)
  return (value) => {
    const is = Number(value)
    if (operator === '>=') return is >= than
    if (operator === '<=') return is <= than
    return operator === '>' ? is > than : is < than
  }
}

/** `22:00-06:00` goes over midnight. */
function within(spans: readonly string[]): (value: unknown) => boolean {
  const all = spans.map((span) => span.split('-').map(minutes))
  return (value) => {
    const now = typeof value === 'string' ? minutes(value) : Number(value) // an example says 10:00
    return all.some(([from = 0, to = 0]) => (from <= to ? now >= from && now < to : now >= from || now < to))
  }
}

function minutes(time: string): number {
  const [hours = 0, rest = 0] = time.split(':').map(Number)
  return hours * 60 + rest
}
