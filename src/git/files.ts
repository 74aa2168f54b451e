/**
 * Reads a repository's root, branch and commit from its files, without starting git. The folder came in a payload and its
 * contents are untrusted: only regular, small files are read, and ref names cannot lead outside.
 */
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import type { Files } from '../core/files/small-file.ts'

export interface Repository {
  /** The work tree. */
  readonly root: string
  readonly gitDir: string
  /** Shared by all worktrees of the repository; equals `gitDir` in the main one. */
  readonly commonDir: string
}

export interface Head {
  readonly branch?: string
  readonly commit?: string
}

const MAX_DEPTH = 40
const MAX_POINTER_BYTES = 4096
const MAX_PACKED_BYTES = 8 * 1024 * 1024
const MAX_PACKED_KNOWN = 200
const MAX_LINKS = 5 // symbolic refs followed

export async function findRepository(cwd: string, files: Files): Promise<Repository | undefined> {
  if (!isAbsolute(cwd)) return undefined
  let dir = resolve(cwd)
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const git = join(dir, '.git')
    const found = await files.lstat(git)
    if (found?.isDirectory()) return { root: dir, gitDir: git, commonDir: git }
    if (found) return linkedRepository(dir, git, files)
    if (dirname(dir) === dir) return undefined
    dir = dirname(dir)
  }
  return undefined
}

/** The branch name, or `HEAD` if detached, as git reports it. */
export async function headOf({ gitDir, commonDir }: Repository, files: Files): Promise<Head> {
  let name = 'HEAD'
  let branch: string | undefined
  for (let links = 0; links < MAX_LINKS; links++) {
    const own = name === 'HEAD' ? gitDir : commonDir
    const text = (await files.read(join(own, name), MAX_POINTER_BYTES))?.trim()
    const target = /^ref: (.+)$/.exec(text ?? '')?.[1]
    if (target === undefined) {
      const commit = text !== undefined && isHash(text) ? text : await packed(commonDir, name, files)
      if (branch === undefined && commit !== undefined) branch = 'HEAD'
      return { ...(branch === undefined ? {} : { branch }), ...(commit === undefined ? {} : { commit }) }
    }
    if (!isRefName(target)) return {}
    branch ??= target.replace(/^refs\/heads\//, '')
    name = target
  }
  return {}
}

/** The `.git` of a worktree or submodule is a file that names the folder. A link to a folder is followed, as git does. */
async function linkedRepository(root: string, git: string, files: Files): Promise<Repository | undefined> {
  if ((await files.stat(git))?.isDirectory()) return { root, gitDir: git, commonDir: git }
  const target = /^gitdir: (.+)$/m.exec((await files.read(git, MAX_POINTER_BYTES)) ?? '')?.[1]
  if (target === undefined) return undefined
  const gitDir = resolve(root, target.trim())
  const common = (await files.read(join(gitDir, 'commondir'), MAX_POINTER_BYTES))?.trim()
  return { root, gitDir, commonDir: common ? resolve(gitDir, common) : gitDir }
}

const packedRefs = new Map<string, { stamp: string; text: string }>()

/** Looks up a ref in packed-refs, which may be large and rarely changes. */
async function packed(commonDir: string, name: string, files: Files): Promise<string | undefined> {
  const path = join(commonDir, 'packed-refs')
  const found = await files.stat(path)
  if (!found?.isFile()) return undefined
  const stamp = `${found.mtimeMs} ${found.size} ${found.ino}`
  let known = packedRefs.get(path)
  if (known?.stamp !== stamp) {
    known = { stamp, text: (await files.read(path, MAX_PACKED_BYTES)) ?? '' }
    if (packedRefs.size >= MAX_PACKED_KNOWN) packedRefs.clear()
    // Do not cache a huge file: it is not worth the memory.
    if (known.text.length < MAX_PACKED_BYTES / 8) packedRefs.set(path, known)
  }
  const at = known.text.indexOf(` ${name}\n`)
  const line = at < 0 ? '' : known.text.slice(known.text.lastIndexOf('\n', at) + 1, at)
  return isHash(line) ? line : undefined
}

function isHash(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

/** Whether the name stays inside the repository. */
function isRefName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git refs cannot contain them
  return name.startsWith('refs/') && name.length < 300 && !/\.\.|[\u0000-\u0020\u007f\\~^:?*[]/.test(name)
}

/** For people, if the repository has no remote URL. */
export function projectName({ root }: Repository): string {
  return basename(root)
}
