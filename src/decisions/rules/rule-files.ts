/** The user's rules on disk: `config/rules/*.yaml`, read at the start and whenever they change. */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { GantryError, messageOf } from '../../core/errors.ts'
import { keepLastGood, readLastGood } from '../../core/files/last-good.ts'
import { LocalFolders } from '../../core/files/local-folders.ts'
import { readPlain } from '../../core/files/small-file.ts'
import { type Watching, watchPath } from '../../core/files/watch-files.ts'
import type { Log } from '../../core/log.ts'
import { counted } from '../../core/text/text.ts'
import { debounce } from '../../core/time/debounce.ts'
import { Policy, parseRules, type Rule, type World } from './index.ts'
import {
  foldersOf,
  keptText,
  type ProjectFiles,
  type ProjectState,
  parseProject,
  readProject,
  readTrusted,
  stateOf,
  type Trusted,
  trustFile,
} from './project-rules.ts'

const MAX_FILE_BYTES = 1024 * 1024

export class RuleFiles {
  readonly #dir: string
  readonly #policy: Policy
  readonly #log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly #key: () => string
  readonly #folders = new LocalFolders()
  #watcher: Watching | undefined
  #projects: Watching[] = []
  readonly #changed = debounce(
    () => this.load(),
    (error) => this.#log.error('rules', messageOf(error)),
  )
  #problem: string | undefined
  readonly #lastGood: string | undefined
  /** The text of each file when it was last good, by path. */
  #texts: ReadonlyMap<string, string> | undefined

  /** `key` proves that a person trusted the rules of a project; `lastGood` is where texts outlast a restart. */
  constructor(
    dir: string,
    policy: Policy,
    log: Pick<Log, 'info' | 'warn' | 'error'>,
    key: () => string,
    lastGood?: string,
  ) {
    this.#dir = dir
    this.#lastGood = lastGood
    this.#key = key
    this.#policy = policy
    this.#log = log
    mkdirSync(dir, { recursive: true, mode: 0o700 })
  }

  /** What is wrong with the files; of those, the last good text stays in force. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** What cannot work in the rules in force. */
  get warnings(): string[] {
    const all = [...this.#policy.rules, ...[...this.#policy.projects.values()].flat()]
    return all.flatMap(({ warnings = [] }) => warnings)
  }

  get isEmpty(): boolean {
    return filesIn(this.#dir).length === 0 && !existsSync(trustFile(this.#dir))
  }

  /** All of these projects, and all trusted ones, that have rules. Leaves out folders that are not on a local disk. */
  async projects(roots: Iterable<string>): Promise<ProjectState[]> {
    const trusted = this.#trusted()
    const states: ProjectState[] = []
    for (const root of new Set([...roots, ...trusted.keys()])) {
      const state = this.#folders.has(root) ? stateOf(root, trusted) : undefined
      if (state) states.push(state)
    }
    return states
  }

  #trusted(): ReadonlyMap<string, Trusted> {
    return existsSync(trustFile(this.#dir)) ? readTrusted(this.#dir, this.#key) : new Map()
  }

  async load(): Promise<void> {
    await this.#loadProjects()
    const known = this.#texts ?? textsIn(this.#lastGood)
    const texts = new Map<string, string>()
    const rules: Rule[] = []
    const problems: string[] = []
    const seen = new Map<string, Rule>()
    for (const file of filesIn(this.#dir)) {
      const { text, rules: own, problem } = await currentOrLast(file, known.get(file), seen)
      if (text !== undefined) texts.set(file, text)
      rules.push(...own)
      if (problem !== undefined) problems.push(problem)
      await new Promise(setImmediate) // a file takes some time, and hooks come in between
    }
    this.#policy.replace(rules)
    this.#texts = texts
    if (this.#lastGood !== undefined)
      keepLastGood(this.#lastGood, texts.size === 0 ? '' : JSON.stringify([...texts]))
    if (problems.length > 0) this.#log.error('rules', problems.join('\n'))
    else if (rules.length > 0 || this.#problem)
      this.#log.info('rules', `${counted(rules.length, 'rule')} in force`)
    this.#problem = problems.length > 0 ? problems.join('\n') : undefined
  }

  /** Loads rules as they were trusted. `projects` reports files that changed since. */
  async #loadProjects(): Promise<void> {
    const loaded = new Map<string, readonly Rule[]>()
    for (const watching of this.#projects.splice(0)) watching.close()
    for (const trusted of this.#trusted().values()) {
      const { root } = trusted
      if (!this.#folders.has(root)) continue
      try {
        const project = this.#textOf(trusted)
        if (project) loaded.set(root, await parseProject(project))
      } catch (error) {
        this.#log.warn('rules', messageOf(error))
      }
    }
    this.#policy.replaceProjects(loaded)
  }

  /** The trusted text: the files of the project, which is watched from now on, or the copy that was kept of them. */
  #textOf(trusted: Trusted): ProjectFiles | undefined {
    const { root, hash } = trusted
    let why = `the rules of ${root} have changed since they were trusted`
    try {
      const [watched = root] = foldersOf(root).filter((folder) => existsSync(folder))
      this.#projects.push(watchPath(watched, () => this.#changed.soon()))
      const project = readProject(root)
      if (project?.hash === hash) return project
    } catch (error) {
      why = messageOf(error)
    }
    const kept = keptText(trusted)
    const then = kept ? 'those that were trusted stay in force' : 'they do not apply'
    this.#log.warn('rules', `${why}; ${then}`)
    return kept
  }

  watch(): void {
    this.#watcher = watchPath(this.#dir, () => this.#changed.soon())
  }

  close(): void {
    for (const watching of [this.#watcher, ...this.#projects]) watching?.close()
    this.#changed.close()
  }
}

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

/** The rules as a daemon would load them; throws if a file is refused. */
export async function loadPolicy(dir: string, key: () => string, world?: World): Promise<Policy> {
  const policy = new Policy([], world)
  const files = new RuleFiles(dir, policy, SILENT, key)
  await files.load()
  files.close()
  if (files.problem !== undefined) throw new GantryError('BAD_CONFIG', files.problem)
  return policy
}

/** What is wrong with the files of a folder, each of them; without a daemon. */
export async function ruleProblems(dir: string): Promise<string[]> {
  return (await checkRules(existsSync(dir) ? filesIn(dir) : [])).problems
}

/** What is wrong with these files, and what cannot work. */
export async function checkRules(
  files: readonly string[],
): Promise<{ problems: string[]; warnings: string[] }> {
  const problems: string[] = []
  const warnings: string[] = []
  const seen = new Map<string, Rule>()
  for (const file of files) {
    try {
      const rules = await readRules(file, seen)
      warnings.push(...rules.flatMap((rule) => rule.warnings ?? []))
    } catch (error) {
      problems.push(...messageOf(error).split('\n'))
    }
  }
  return { problems, warnings }
}

/** The rules of these files together. Throws what is wrong with the first that is not good. */
export async function rulesIn(files: readonly string[]): Promise<Rule[]> {
  const rules: Rule[] = []
  const seen = new Map<string, Rule>()
  for (const file of files) {
    rules.push(...(await readRules(file, seen)))
    await new Promise(setImmediate) // a file takes some time, and hooks come in between
  }
  return rules
}

/** A file, or the files of a folder. */
export function filesAt(path: string): string[] {
  if (!existsSync(path)) throw new GantryError('USAGE', `There is no file or folder ${path}.`)
  return statSync(path).isDirectory() ? filesIn(path) : [path]
}

function filesIn(dir: string): string[] {
  const names = readdirSync(dir).filter((name) => /\.ya?ml$/.test(name) && !name.startsWith('.'))
  return names.sort().map((name) => join(dir, name))
}

interface ReadFile {
  /** The text that is in force; undefined if none is. */
  readonly text?: string
  readonly rules: readonly Rule[]
  readonly problem?: string
}

/** A file that is not good stays as it was last good; the others are not touched by that. */
async function currentOrLast(
  file: string,
  last: string | undefined,
  seen: Map<string, Rule>,
): Promise<ReadFile> {
  try {
    const text = textOf(file)
    return { text, rules: await readRules(file, seen, text) }
  } catch (error) {
    const problem = messageOf(error)
    try {
      return last === undefined
        ? { rules: [], problem }
        : { text: last, rules: await readRules(file, seen, last), problem }
    } catch {
      return { rules: [], problem } // another file has its ids by now
    }
  }
}

function textsIn(lastGood: string | undefined): ReadonlyMap<string, string> {
  const text = lastGood === undefined ? undefined : readLastGood(lastGood)
  if (text === undefined) return new Map()
  try {
    return new Map(JSON.parse(text) as [string, string][])
  } catch {
    return new Map()
  }
}

/** `seen` has the rules of the files before it by their ids. */
async function readRules(file: string, seen: Map<string, Rule>, text = textOf(file)): Promise<Rule[]> {
  const rules = await parseRules(text, file)
  const own = new Map<string, Rule>()
  for (const rule of rules) {
    const { id, place } = rule
    const other = seen.get(id) ?? own.get(id)
    if (other)
      throw new Error(
        `${place}: two rules are called "${id}", the other at ${other.place}; give one of them another id`,
      )
    own.set(id, rule)
  }
  for (const [id, rule] of own) seen.set(id, rule)
  return rules
}

/** A rule that is not read guards nothing, so a file that cannot be read whole is an error, and never left out. */
function textOf(file: string): string {
  const text = readPlain(file, MAX_FILE_BYTES)
  if (text !== undefined) return text
  throw new Error(
    `${file} is not a plain file of at most 1 MB that can be read; mend it, or give it another ending`,
  )
}
