/**
 * Directives near the files that an agent touches. After the commit, a background job searches the folders of touched
 * files. It queues the directives it finds with the effort and keeps their text in memory, so the hook path only reads a
 * map. A folder that was searched a moment ago costs one lookup.
 *
 *   directives.touch({ effort, project, agent, cwd, patterns }, ['/app/src'])
 *   directives.preloads(paths, 'claude')     // what fits into one answer
 */
import { realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { isInside } from '../../core/files/paths.ts'
import { RecentMap } from '../../core/recent-map.ts'
import { within } from '../../core/time/waits.ts'
import type { EffortRow, ProjectRow, WorkRows } from '../../store/index.ts'
import {
  type DirectiveText,
  type FoundDirective,
  findDirectives,
  isCopy,
  readDirective,
} from './directive-files.ts'
import { loadsItself, type Preloaded, withDirectives } from './preloads.ts'

interface DirectiveParts {
  readonly rows: WorkRows
  /** Runs the function in its own transaction. */
  readonly commit: (work: () => void) => void
  readonly rootsOf: (cwd: string) => readonly string[] | Promise<readonly string[]>
  /** Characters of directives that one answer to an agent may carry. */
  readonly budgetOf: (agent: string) => number
  readonly now?: () => number
}

interface Touch {
  readonly effort: EffortRow
  readonly project: ProjectRow
  readonly agent: string
  readonly cwd: string
  readonly patterns: readonly string[]
}

interface Known extends DirectiveText {
  readonly root: string
  readonly readAt: number
}

const LOOK_AGAIN_MS = 5_000 // a new directive is found at most this much later
const FRESH_MS = 2_000 // an older text is read again before it is shown
const JOB_DEADLINE_MS = 5_000 // a hanging disk delays only this job
const MIN_LOOKED_AT = 2_500
const MIN_TEXTS = 250 // of 32 KB at most
const MAX_JOBS = 200

export class Directives {
  readonly #parts: DirectiveParts
  readonly #now: () => number
  /** Effort, agent and folder → when the folder was searched. */
  readonly #looked = new RecentMap<string, number>(MIN_LOOKED_AT)
  readonly #texts = new RecentMap<string, Known>(MIN_TEXTS)
  readonly #reading = new Set<string>()
  #jobs: (() => Promise<void>)[] = []
  #running: Promise<void> | undefined
  #closed = false

  constructor(parts: DirectiveParts) {
    this.#parts = parts
    this.#now = parts.now ?? Date.now
  }

  /** Called after the commit of an event that touched these folders. */
  touch(touch: Touch, folders: readonly string[]): void {
    for (const folder of folders) {
      const key = `${touch.effort.id}\0${touch.agent}\0${folder}`
      const last = this.#looked.get(key)
      if (last !== undefined && this.#now() - last < LOOK_AGAIN_MS) continue
      this.#looked.set(key, this.#now())
      const isTaken = this.#later(async () => {
        if (!(await this.#find(touch, folder))) this.#looked.delete(key)
      })
      if (!isTaken) this.#looked.delete(key)
    }
  }

  /** Loads the texts that are due, as they are on disk now. */
  prepare(effort: EffortRow, project: ProjectRow, paths: readonly string[]): void {
    for (const path of paths) {
      const known = this.#texts.get(path)
      if ((known && this.#now() - known.readAt < FRESH_MS) || this.#reading.has(path)) continue
      this.#reading.add(path)
      const isTaken = this.#later(() =>
        this.#read(effort, project, path).finally(() => this.#reading.delete(path)),
      )
      if (!isTaken) this.#reading.delete(path)
    }
  }

  /** The texts that fit, in order. The rest waits for the next answer; a text that never fits is named by its path. */
  preloads(paths: readonly string[], agent: string): Preloaded {
    const budget = this.#parts.budgetOf(agent)
    const texts: string[] = []
    const given: string[] = []
    let room = budget
    for (const path of paths) {
      const known = this.#texts.get(path)
      if (!known) continue // not read yet
      const shown = shownText(path, known)
      const text = shown.length <= budget ? shown : namedOnly(path, known)
      if (text.length > room) break
      room -= text.length
      texts.push(text)
      given.push(path)
    }
    return { texts, paths: given }
  }

  /** Resolves when no job runs; for tests. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running
  }

  close(): void {
    this.#closed = true
    this.#jobs = []
  }

  async #find({ effort, project, agent, cwd, patterns }: Touch, folder: string): Promise<boolean> {
    const roots = await this.#rootsAround(project, cwd)
    const found = await findDirectives(folder, roots, patterns)
    if (this.#closed) return false
    const own = found.filter(({ names }) => names.some((name) => loadsItself(agent, name)))
    const others = found.filter((one) => !own.some((mine) => mine === one || isCopy(mine, one)))
    for (const file of others) this.#keep(file, rootOf(file.path, roots))
    const paths = others.map(({ path }) => path)
    const now = this.#parts.rows.effort(effort.id)
    const discoveredDirectives = now && withDirectives(now, paths)
    if (discoveredDirectives)
      this.#parts.commit(() => this.#parts.rows.updateEffort(effort.id, { discoveredDirectives }))
    return true
  }

  /** Reads a text again. A file that is gone or now links elsewhere is removed from the list. */
  async #read(effort: EffortRow, project: ProjectRow, path: string): Promise<void> {
    const root = this.#texts.get(path)?.root ?? rootOf(path, await this.#rootsAround(project, dirname(path)))
    const file = root === '' ? undefined : await readDirective(path, root)
    if (this.#closed) return
    if (file?.path === path) {
      this.#keep(file, root)
      return
    }
    this.#texts.delete(path)
    const known = this.#parts.rows.effort(effort.id)?.discoveredDirectives ?? []
    const discoveredDirectives = known.filter((one) => one !== path)
    if (discoveredDirectives.length < known.length)
      this.#parts.commit(() => this.#parts.rows.updateEffort(effort.id, { discoveredDirectives }))
  }

  #keep({ path, text, bytes }: FoundDirective, root: string): void {
    this.#texts.set(path, { text, bytes, root, readAt: this.#now() })
  }

  /** The project, the repository around the folder, and a worktree's main repository; all resolved. */
  async #rootsAround(project: ProjectRow, cwd: string): Promise<string[]> {
    const all = [project.path, ...(await this.#parts.rootsOf(cwd))]
    return Promise.all(all.map((one) => realpath(one).catch(() => one)))
  }

  #later(job: () => Promise<void>): boolean {
    if (this.#closed || this.#jobs.length >= MAX_JOBS) return false
    this.#jobs.push(job)
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined
    })
    return true
  }

  async #work(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve)) // never while a hook is handled
    for (let job = this.#jobs.shift(); job; job = this.#jobs.shift()) {
      // After a failure the next touch tries again.
      await within(
        job().catch(() => {}),
        JOB_DEADLINE_MS,
      )
    }
  }
}

function shownText(path: string, { text, bytes }: DirectiveText): string {
  if (text === null) return namedOnly(path, { bytes })
  return `Directives for what is below ${scopeOf(path)}, from ${path}:\n${text.trim()}`
}

function namedOnly(path: string, { bytes }: Pick<DirectiveText, 'bytes'>): string {
  return `Directives for what is below ${scopeOf(path)} are in ${path} (${bytes} bytes). Read them before you continue.`
}

/** The folder a directive applies to: for `.directives/style.md`, the parent of `.directives`. */
function scopeOf(path: string): string {
  const folder = dirname(path)
  return basename(folder).startsWith('.') ? dirname(folder) : folder
}

function rootOf(path: string, roots: readonly string[]): string {
  return roots.find((root) => isInside(path, root)) ?? ''
}
