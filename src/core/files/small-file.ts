/**
 * Reads files that anybody may have written: only regular and small ones, without ever waiting on a pipe. On a local disk
 * it reads synchronously, which takes microseconds; elsewhere on a thread, because it may never return.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs'
import { lstat, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { farLane } from './far-reads.ts'
import type { LocalFolders } from './local-folders.ts'

export interface Files {
  /** Undefined if the file is missing, not regular, or larger than `maxBytes`. */
  read(path: string, maxBytes: number): string | undefined | Promise<string | undefined>
  stat(path: string): Stats | undefined | Promise<Stats | undefined>
  /** Does not follow a link. */
  lstat(path: string): Stats | undefined | Promise<Stats | undefined>
}

// Without O_NONBLOCK, opening a pipe waits for a writer.
const PLAINLY = constants.O_RDONLY | constants.O_NONBLOCK

export function guardedFiles(local: LocalFolders): Files {
  return {
    read: (path, maxBytes) => (local.has(path) ? near.read : far.read)(path, maxBytes),
    stat: (path) => (local.has(path) ? near.stat : far.stat)(path),
    lstat: (path) => (local.has(dirname(path)) ? near.lstat : far.lstat)(path),
  }
}

/** Synchronous; for local files, or where a slow mount is the owner's own choice. */
export function readPlain(path: string, maxBytes = Number.POSITIVE_INFINITY): string | undefined {
  return attempt(() => readAt(path, PLAINLY, maxBytes, () => true))
}

/** Like `readPlain`, but only this user's files, and not through a link. */
export function readOwn(path: string, maxBytes: number): string | undefined {
  const isOwn = ({ uid }: Stats) => uid === process.getuid?.()
  return attempt(() => readAt(path, PLAINLY | constants.O_NOFOLLOW, maxBytes, isOwn))
}

function readAt(
  path: string,
  flags: number,
  maxBytes: number,
  isGood: (stats: Stats) => boolean,
): string | undefined {
  const fd = openSync(path, flags)
  try {
    const stats = fstatSync(fd)
    return stats.isFile() && stats.size <= maxBytes && isGood(stats) ? readFileSync(fd, 'utf8') : undefined
  } finally {
    closeSync(fd)
  }
}

const near: Files = {
  read: readPlain,
  stat: (path) => attempt(() => statSync(path, { throwIfNoEntry: false })),
  lstat: (path) => attempt(() => lstatSync(path, { throwIfNoEntry: false })),
}

const far: Files = {
  read: (path, maxBytes) =>
    farLane.look(async () => {
      const file = await open(path, PLAINLY)
      try {
        const { size, isFile } = plain(await file.stat())
        return isFile && size <= maxBytes ? await file.readFile('utf8') : undefined
      } finally {
        await file.close()
      }
    }),
  stat: (path) => farLane.look(() => stat(path)),
  lstat: (path) => farLane.look(() => lstat(path)),
}

function plain(stats: Stats): { size: number; isFile: boolean } {
  return { size: stats.size, isFile: stats.isFile() }
}

function attempt<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
