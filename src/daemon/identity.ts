/**
 * Where a session works: its project, branch and worktree, read from git's own files without starting git. The folder
 * came in a payload; only `.git`, `HEAD` and the names of folders are looked at, and nothing is kept of what is not one.
 */
import { readFileSync, type Stats, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'

export interface Place {
  readonly host: string
  /** Name of the repository, or of the folder where there is none. */
  readonly project?: string
  readonly root?: string
  readonly branch?: string
  /** Name of the linked worktree, if it is one. */
  readonly worktree?: string
}

const FRESH_MS = 2_000 // a branch changes under an agent's hands; a folder's repository does not
const MAX_DEPTH = 40
const MAX_CACHED = 1_000
const MAX_GIT_FILE_BYTES = 4096

const HOST = hostname()
const known = new Map<string, { at: number; place: Place }>()

export function placeOf(cwd: string | undefined, now: number): Place {
  if (cwd === undefined || !isAbsolute(cwd)) return { host: HOST }
  const cached = known.get(cwd)
  if (cached && Math.abs(now - cached.at) < FRESH_MS) return cached.place // a clock may be set back
  const place = { host: HOST, ...repositoryOf(cwd) }
  if (known.size >= MAX_CACHED) known.clear()
  known.set(cwd, { at: now, place })
  return place
}

/** The repository around a folder, and the one it is a linked worktree of. */
export function rootsOf(cwd: string, now: number): string[] {
  const { root, worktree } = placeOf(cwd, now)
  if (root === undefined) return []
  const main = worktree === undefined ? undefined : mainOf(root, join(root, '.git'))?.[1]
  return main === undefined ? [root] : [root, main]
}

function repositoryOf(cwd: string): Omit<Place, 'host'> {
  let dir = resolve(cwd)
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const git = join(dir, '.git')
    const stat = statOf(git)
    if (stat?.isDirectory()) return { project: basename(dir), root: dir, ...branchOf(git) }
    if (stat?.isFile()) return worktreeOf(dir, git)
    if (dirname(dir) === dir) break
    dir = dirname(dir)
  }
  return { project: basename(cwd) }
}

/** A linked worktree's `.git` is a file that leads to `<repository>/.git/worktrees/<name>`. */
function worktreeOf(dir: string, file: string): Omit<Place, 'host'> {
  const gitDir = gitDirOf(dir, file)
  const main = mainOf(dir, file)
  if (!main) return { project: basename(dir), root: dir, ...branchOf(gitDir) }
  return { project: basename(main[1] ?? dir), root: dir, worktree: main[2] ?? '', ...branchOf(gitDir) }
}

function gitDirOf(dir: string, file: string): string {
  const target = /^gitdir: (.+)$/m.exec(firstBytes(file))?.[1]
  return target === undefined ? '' : resolve(dir, target.trim())
}

/** The repository and the worktree's name. */
function mainOf(dir: string, file: string): RegExpExecArray | null {
  return /^(.*)\/\.git\/worktrees\/([^/]+)$/.exec(gitDirOf(dir, file))
}

function branchOf(gitDir: string): { branch?: string } {
  const head = firstBytes(join(gitDir, 'HEAD')).trim()
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1]
  if (branch) return { branch }
  return /^[0-9a-f]{40}/.test(head) ? { branch: head.slice(0, 12) } : {}
}

/** Nothing for what is not there, may not be seen, or is no path at all. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function firstBytes(path: string): string {
  try {
    const stat = statSync(path)
    return stat.isFile() && stat.size <= MAX_GIT_FILE_BYTES ? readFileSync(path, 'utf8') : ''
  } catch {
    return ''
  }
}
