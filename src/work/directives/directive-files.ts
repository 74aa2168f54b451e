/**
 * Finds directive files from a folder up to the project's root, and reads them. All paths come from a payload or a
 * repository, so links out of the project are ignored, and sizes are limited.
 */
import { constants } from 'node:fs'
import { lstat, open, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isInside } from '../../core/files/paths.ts'
import { redact } from '../../redaction/index.ts'

/** One file as last read. */
export interface DirectiveText {
  /** Null if the file is too long to show. */
  readonly text: string | null
  readonly bytes: number
}

export interface FoundDirective extends DirectiveText {
  /** Resolved, without symbolic links. */
  readonly path: string
  /** The names it was found under: a link and its target are one file. */
  readonly names: readonly string[]
}

const MAX_BYTES = 32 * 1024 // a longer file is only named
const MAX_DEPTH = 40
const MAX_IN_FOLDER = 20 // matches of one pattern
const MAX_LISTED = 1_000

/** All directives around a path, each once, the project's own first. `roots` are resolved paths. */
export async function findDirectives(
  touched: string,
  roots: readonly string[],
  patterns: readonly string[],
): Promise<FoundDirective[]> {
  const start = await realFolder(touched)
  const root = roots
    .filter((one) => start !== undefined && isInside(start, one))
    .sort((a, b) => b.length - a.length)[0]
  if (start === undefined || root === undefined) return []
  const found = new Map<string, FoundDirective>()
  for (const folder of foldersBetween(root, start)) {
    for (const path of await matchesIn(folder, patterns)) {
      const file = await readDirective(path, root)
      if (file)
        found.set(file.path, { ...file, names: [...(found.get(file.path)?.names ?? []), ...file.names] })
    }
  }
  return [...found.values()]
}

/** Undefined if there is no such file inside the root, or it is empty. */
export async function readDirective(path: string, root: string): Promise<FoundDirective | undefined> {
  try {
    const real = await realpath(path)
    // The path goes to a model: a line break in it could pass for text from gantry.
    if (!isInside(real, root) || /\p{Cc}/u.test(real)) return undefined
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stat = await file.stat()
      if (!stat.isFile() || stat.size === 0) return undefined
      const text = stat.size > MAX_BYTES ? null : await textOf(file, stat.size)
      return { path: real, names: [basename(path)], text, bytes: stat.size }
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}

/** The deepest existing folder of a path, resolved. The file itself may not be written yet. */
async function realFolder(path: string): Promise<string | undefined> {
  for (let at = path, depth = 0; depth < MAX_DEPTH; at = dirname(at), depth++) {
    try {
      const real = await realpath(at)
      return (await lstat(real)).isDirectory() ? real : dirname(real)
    } catch {
      if (dirname(at) === at) return undefined
    }
  }
  return undefined
}

function foldersBetween(root: string, start: string): string[] {
  const folders: string[] = []
  for (let at = start; folders.length < MAX_DEPTH; at = dirname(at)) {
    folders.unshift(at)
    if (at === root) break
  }
  return folders
}

/** Files in one folder that match patterns such as `AGENTS.md` or `.directives/*.md`, sorted. */
async function matchesIn(folder: string, patterns: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(patterns.map((pattern) => expand(folder, pattern.split('/'))))
  return lists.flat()
}

async function expand(folder: string, [name = '', ...rest]: readonly string[]): Promise<string[]> {
  if (name === '' || name === '.' || name === '..') return []
  const here = /[*?]/.test(name) ? await listed(folder, name) : [join(folder, name)]
  if (rest.length === 0) return here
  const below = await Promise.all(here.map((one) => expand(one, rest)))
  return below.flat().slice(0, MAX_IN_FOLDER)
}

async function listed(folder: string, pattern: string): Promise<string[]> {
  const glob = new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replace(/\*+/g, '.*')
      .replace(/\?/g, '.')}$`,
  )
  try {
    const names = (await readdir(folder)).slice(0, MAX_LISTED)
    return names
      .filter((name) => glob.test(name))
      .sort()
      .slice(0, MAX_IN_FOLDER)
      .map((name) => join(folder, name))
  } catch {
    return [] // no such folder
  }
}

async function textOf(
  file: {
    read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
  },
  size: number,
): Promise<string> {
  const bytes = Buffer.alloc(size)
  const { bytesRead } = await file.read(bytes, 0, size, 0)
  return redact(bytes.toString('utf8', 0, bytesRead)).text
}

/** Whether two files in one folder have the same content. */
export function isCopy(one: FoundDirective, other: FoundDirective): boolean {
  return one.text !== null && one.text === other.text && dirname(one.path) === dirname(other.path)
}
