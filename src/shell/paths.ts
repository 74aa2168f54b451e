/** Words as paths of this machine: `~`, `$HOME`, `$PWD`, `..` and symbolic links resolved; globs and unknown parts kept. */
import { basename, dirname, isAbsolute, join, normalize } from 'node:path'
import { isInside } from '../core/files/paths.ts'
import { throughProc } from '../core/files/through-proc.ts'
import type { Word } from './command.ts'

/** Where a script would run. Without `realpath`, symbolic links stay as they are. */
export interface ScriptContext {
  readonly cwd: string
  readonly home: string
  readonly worktree?: string
  realpath?(path: string): string
}

export interface ResolvedPath {
  readonly path: string
  readonly base?: string
  readonly known: boolean
}

/** What cannot be followed: an expansion, a glob, the file of a process substitution. */
const OPEN = /[$`*?[]|^[<>]\(/

/** Without a slash, and neither `.` nor `..`. */
function isPlainName(text: string): boolean {
  return !text.includes('/') && text !== '.' && text !== '..' && text !== ''
}

const MAX_LINKS = 32 // of one script, and that are followed for one path

const MAX_LOOKS = 500 // at the disk, for one script; a path behind that is not known

export class Paths {
  readonly #real = new Map<string, string>()
  #looked = 0

  /** Links that the script itself made, each with what it leads to. */
  readonly #links = new Map<string, string>()

  constructor(readonly place: ScriptContext) {}

  /** From here on, `name` is another name of `target`. */
  link(name: string, target: string): void {
    if (name === target || this.#links.size >= MAX_LINKS || isInside(target, name)) return
    this.#links.set(name, target)
    this.#real.clear()
  }

  #throughLinks(path: string): string {
    if (this.#links.size === 0) return path
    let now = path
    for (let i = 0; i < MAX_LINKS; i++) {
      const found = [...this.#links].find(([name]) => isInside(now, name))
      if (!found) return now
      now = found[1] + now.slice(found[0].length)
    }
    return now
  }

  /** The folder of a command. */
  folder(cwd: Word | undefined): ResolvedPath {
    const path = this.place.cwd
    const start = { path, base: path, known: true }
    return cwd ? this.resolve(cwd, start) : start
  }

  /** `isLink`: the last part stands for itself, as where a link is deleted. */
  resolve(word: Word, from: ResolvedPath, isLink = false): ResolvedPath {
    if (word.known && isPlainName(word.text)) return this.#inFolder(word.text, from, isLink)
    const opened = word.known ? { text: word.text, isExact: true } : this.#opened(word.text, from)
    const open = word.known ? -1 : opened.text.search(OPEN)
    const isRooted = isAbsolute(opened.text)
    if (open === 0 && !/^[*?[]/.test(opened.text)) return { path: opened.text, known: false }
    const full = isRooted ? opened.text : join(from.path, opened.text)
    const past = throughProc(full, from.path)
    if (past !== full) return this.resolve({ text: past, known: word.known }, from, isLink)
    if (open < 0) {
      const path = this.#resolved(full, isLink && !opened.text.endsWith('/'))
      const known = opened.isExact && (isRooted || from.known) && this.#looked <= MAX_LOOKS
      return { path, ...((known || isRooted) && opened.isExact && { base: path }), known }
    }
    const certain = opened.text.slice(0, opened.text.lastIndexOf('/', open) + 1)
    const folder = this.#resolved(isRooted ? certain || '/' : join(from.path, certain), false)
    const path = join(folder, opened.text.slice(certain.length))
    return { path, ...((isRooted || from.known) && { base: folder }), known: false }
  }

  /** Most words are this, and a command may have thousands of them. */
  #inFolder(name: string, { path: folder, known }: ResolvedPath, isLink: boolean): ResolvedPath {
    const start = isLink ? this.#realOf(folder) : folder
    const full = start.endsWith('/') ? start + name : `${start}/${name}`
    const path = isLink ? full : this.#realOf(full)
    return known && this.#looked <= MAX_LOOKS ? { path, base: path, known: true } : { path, known: false }
  }

  /** `isExact`: nothing else than what was opened here stands between the word and its value. */
  #opened(text: string, from: ResolvedPath): { text: string; isExact: boolean } {
    const { home, worktree } = this.place
    const [, start = '', rest = ''] =
      /^(~\+|~[\w.-]*|\$\{?\w+\}?|\$\([^()]*\))((?:\/[\s\S]*)?)$/.exec(text) ?? []
    const [, above = '', below = ''] = /^\$\{HOME(%{1,2}\/\*)\}((?:\/[\s\S]*)?)$/.exec(text) ?? []
    if (above !== '') return { text: (above === '%/*' ? dirname(home) : '/') + below, isExact: true }
    const name = start.replace(/[${}]/g, '')
    if (start === '~' || name === 'HOME') return { text: home + rest, isExact: true }
    if (start === '~+' || name === 'PWD' || /^\$\(\s*pwd(\s+-[LP])?\s*\)$/.test(start))
      return { text: from.path + rest, isExact: from.known }
    if (worktree && /^\$\(\s*git rev-parse --show-toplevel\s*\)$/.test(start))
      return { text: worktree + rest, isExact: true }
    if (!start.startsWith('~')) return { text, isExact: false }
    const user = start.slice(1)
    if (user === 'root') return { text: `/root${rest}`, isExact: true }
    return { text: join(dirname(home), user) + rest, isExact: user === basename(home) }
  }

  #resolved(path: string, isLink: boolean): string {
    const normal = normalize(path)
    const clean = normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal
    if (!isLink) return this.#realOf(clean)
    return join(this.#realOf(dirname(clean)), basename(clean))
  }

  /** Resolves the existing part of a path. */
  #realOf(given: string): string {
    const { realpath } = this.place
    const path = this.#throughLinks(given)
    if (!realpath || path === '/') return path
    const before = this.#real.get(path)
    if (before !== undefined) return before
    if (++this.#looked > MAX_LOOKS) return path
    let real: string
    try {
      real = realpath(path)
    } catch {
      real = join(this.#realOf(dirname(path)), basename(path))
    }
    this.#real.set(path, real)
    return real
  }
}
