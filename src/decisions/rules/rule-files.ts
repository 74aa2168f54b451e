/** The user's rules on disk: `config/rules/*.yaml`, read at the start and whenever they change. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import { readPlain } from '../../core/files/small-file.ts'
import { type Watching, watchPath } from '../../core/files/watch-files.ts'
import type { Log } from '../../core/log.ts'
import { counted } from '../../core/text/text.ts'
import { type Policy, parseRules, type Rule } from './index.ts'

const SETTLE_MS = 30 // editors write a file in several steps
const MAX_FILE_BYTES = 1024 * 1024

export class RuleFiles {
  readonly #dir: string
  readonly #policy: Policy
  readonly #log: Log
  #watcher: Watching | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #problem: string | undefined

  constructor(dir: string, policy: Policy, log: Log) {
    this.#dir = dir
    this.#policy = policy
    this.#log = log
    mkdirSync(dir, { recursive: true, mode: 0o700 })
  }

  /** What is wrong with the files; the last good rules stay in force. */
  get problem(): string | undefined {
    return this.#problem
  }

  get isEmpty(): boolean {
    return filesIn(this.#dir).length === 0
  }

  async load(): Promise<void> {
    try {
      const rules = await rulesIn(filesIn(this.#dir))
      this.#policy.replace(rules)
      if (rules.length > 0 || this.#problem)
        this.#log.info('rules', `${counted(rules.length, 'rule')} in force`)
      this.#problem = undefined
    } catch (error) {
      this.#problem = messageOf(error)
      this.#log.error('rules', `${this.#problem}; the last good rules stay`)
    }
  }

  watch(): void {
    this.#watcher = watchPath(this.#dir, () => {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.load(), SETTLE_MS)
    })
  }

  close(): void {
    this.#watcher?.close()
    clearTimeout(this.#timer)
  }
}

/** What is wrong with the files of a folder, each of them; without a daemon. */
export async function ruleProblems(dir: string): Promise<string[]> {
  const problems: string[] = []
  const seen = new Map<string, string>()
  for (const file of existsSync(dir) ? filesIn(dir) : []) {
    try {
      await readRules(file, seen)
    } catch (error) {
      problems.push(...messageOf(error).split('\n'))
    }
  }
  return problems
}

/** The rules of these files together. Throws what is wrong with the first that is not good. */
export async function rulesIn(files: readonly string[]): Promise<Rule[]> {
  const rules: Rule[] = []
  const seen = new Map<string, string>()
  for (const file of files) {
    rules.push(...(await readRules(file, seen)))
    await new Promise(setImmediate) // a file takes some time, and hooks come in between
  }
  return rules
}

export function filesIn(dir: string): string[] {
  const names = readdirSync(dir).filter((name) => /\.ya?ml$/.test(name) && !name.startsWith('.'))
  return names.sort().map((name) => join(dir, name))
}

/** `seen` has the ids of the files before it, and in which they are. */
async function readRules(file: string, seen: Map<string, string>): Promise<Rule[]> {
  const rules = await parseRules(textOf(file), file)
  for (const { id } of rules) {
    const other = seen.get(id)
    if (other !== undefined)
      throw new Error(
        `${file}: two rules are called "${id}", the other in ${other}; give one of them another id`,
      )
    seen.set(id, file)
  }
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
