/**
 * Warm handlers: the files of `config/handlers`, each in a process of its own that is started in advance. Without files there
 * is no process, and only this module is loaded.
 *
 *   const folder = new WarmFolder(places.handlers, parts)
 *   await folder.load()
 *   folder.watch()
 */
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import { type Watching, watchPath } from '../../core/files/watch-files.ts'
import { lazy } from '../../core/lazy.ts'
import { didYouMean } from '../../core/text/closest.ts'
import { debounce } from '../../core/time/debounce.ts'
import type { HookEvent } from '../../events/index.ts'
import type { WarmFile, WarmFileParts } from './warm-file.ts'
import type { WarmSpec } from './warm-worker.ts'

const names = lazy(() => require('../name-warnings.ts') as typeof import('../name-warnings.ts'))
const warm = lazy(() => require('./warm-file.ts') as typeof import('./warm-file.ts'))

/** A loaded handler. */
export interface WarmOne {
  readonly spec: WarmSpec
  readonly file: WarmFile
  /** Its index in the file. */
  readonly at: number
}

const MAX_FILES = 32 // a process of some 20 MB each

export class WarmFolder {
  readonly #dir: string
  readonly #parts: WarmFileParts
  readonly #files = new Map<string, WarmFile>()
  readonly #watching = new Map<string, Watching>()
  readonly #debounced: ReturnType<typeof debounce>
  #refused: readonly string[] = []

  constructor(dir: string, parts: WarmFileParts) {
    this.#dir = dir
    this.#parts = parts
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    this.#debounced = debounce(
      () => this.load(),
      (error) => parts.log('error', messageOf(error)),
    )
  }

  get handlers(): WarmOne[] {
    return [...this.#files.values()].flatMap((file) => file.handlers.map((spec, at) => ({ spec, file, at })))
  }

  /** The errors of the files, each with its path. */
  get problems(): string[] {
    const seen = new Map<string, string>()
    const twice = this.handlers.flatMap(({ spec: { id }, file }) => {
      const other = seen.get(id)
      seen.set(id, file.file)
      return other === undefined
        ? []
        : [`${file.file}: ${other} has a handler "${id}", too; rename one of them`]
    })
    return [...this.#refused, ...twice, ...[...this.#files.values()].flatMap(({ problem }) => problem ?? [])]
  }

  /** What cannot work in them. */
  get warnings(): string[] {
    return this.handlers.flatMap(({ spec, file }) =>
      specWarnings(spec).map((why) => `${file.file}: ${spec.id}: ${why}`),
    )
  }

  /** Resolves when each file is in force or rejected. */
  async load(): Promise<void> {
    const { files, refused } = filesIn(this.#dir)
    for (const line of refused) if (!this.#refused.includes(line)) this.#parts.log('error', line)
    this.#refused = refused
    let gone = false
    for (const [path, file] of this.#files) {
      if (files.includes(path)) continue
      this.#files.delete(path)
      file.close()
      gone = true
    }
    for (const path of files)
      if (!this.#files.has(path)) this.#files.set(path, new (warm().WarmFile)(path, this.#parts))
    await Promise.all([...this.#files.values()].map((file) => file.refresh()))
    if (gone || refused.length > 0) this.#parts.changed()
    if (this.#watching.size > 0) this.watch()
  }

  /** Takes what their processes have said by now. */
  read(): void {
    for (const file of this.#files.values()) file.read()
  }

  /** Watches the folder, and the folders of imported files. */
  watch(): void {
    const dirs = new Set([
      this.#dir,
      ...[...this.#files.values()].flatMap(({ files }) => files.map((path) => dirname(path))),
    ])
    for (const [dir, watching] of this.#watching) {
      if (dirs.has(dir)) continue
      watching.close()
      this.#watching.delete(dir)
    }
    for (const dir of dirs) {
      if (this.#watching.has(dir)) continue
      try {
        this.#watching.set(
          dir,
          watchPath(dir, () => this.#debounced.soon()),
        )
      } catch {
        // The folder is gone; the next change in the handlers' folder tries again.
      }
    }
  }

  close(): void {
    this.#debounced.close()
    for (const watching of this.#watching.values()) watching.close()
    for (const file of this.#files.values()) file.close()
  }
}

function filesIn(dir: string): { files: string[]; refused: string[] } {
  const names = readdirSync(dir).filter(
    (name) => /^[^.].*\.m?[jt]s$/.test(name) && !/\.(d|test)\.m?[jt]s$/.test(name),
  )
  if (names.length === 0) return { files: [], refused: [] }
  const refusal = refusalOf(dir)
  if (refusal !== undefined) return { files: [], refused: [`${refusal} No handler in it is loaded.`] }
  const files: string[] = []
  const refused: string[] = []
  for (const path of names.sort().map((name) => join(dir, name))) {
    const why =
      files.length < MAX_FILES
        ? refusalOf(path)
        : `${path}: there are ${MAX_FILES} files of handlers already.`
    if (why === undefined) files.push(path)
    else refused.push(`${why} It is not loaded.`)
  }
  return { files, refused }
}

const OPTIONS = ['on', 'tool', 'agent', 'name', 'priority', 'timeoutMs', 'onFailure']

/** Names that nobody has, and options that there are not. */
export function specWarnings({ on, tool = [], agent = [], strange = [] }: WarmSpec): string[] {
  const { agentWarning, toolWarning, typeWarning } = names()
  const whose = agent.length === 1 ? agent[0] : undefined
  return [
    ...on.map(typeWarning),
    ...agent.map(agentWarning),
    ...tool.map((name) => (tool.length === 1 ? toolWarning(name, whose) : undefined)),
    ...strange.map((key) => `there is no option "${key}". ${didYouMean(key, OPTIONS) ?? ''}`.trim()),
  ].filter((one) => one !== undefined)
}

export function isAbout({ on, tool, agent }: WarmSpec, event: HookEvent): boolean {
  if (!on.includes(event.type) && !on.includes('*')) return false
  if (agent && !agent.includes(event.agent)) return false
  return tool === undefined || (event.tool !== undefined && tool.includes(event.tool.name))
}

/** Anybody who can write such a file can run programs as this user. */
function refusalOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return `${path} cannot be read.`
  if (stat.uid !== process.getuid?.()) return `${path} belongs to another user.`
  if ((stat.mode & 0o022) !== 0) return `${path} can be written by others. Run: chmod go-w ${path}.`
  return undefined
}
