/**
 * Files that anybody may have written: only plain ones, only small ones, and never a wait for a pipe. On a disk of this
 * machine it is done at once, which takes microseconds; elsewhere by a thread, since it may take ever.
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
import { farLane } from './far-lane.ts'
import type { LocalFolders } from './local-folders.ts'

export interface Files {
  /** Nothing for what is not there, is no plain file, or is larger. */
  read(path: string, maxBytes: number): string | undefined | Promise<string | undefined>
  stat(path: string): Stats | undefined | Promise<Stats | undefined>
  /** Of a link itself. */
  lstat(path: string): Stats | undefined | Promise<Stats | undefined>
}

// Without O_NONBLOCK, opening a pipe waits for somebody to write to it.
const PLAINLY = constants.O_RDONLY | constants.O_NONBLOCK

export function guardedFiles(local: LocalFolders): Files {
  return {
    read: (path, maxBytes) => (local.has(path) ? near.read : far.read)(path, maxBytes),
    stat: (path) => (local.has(path) ? near.stat : far.stat)(path),
    lstat: (path) => (local.has(dirname(path)) ? near.lstat : far.lstat)(path),
  }
}

/** At once; for files that are near, or whose owner is to blame. */
export function readPlain(path: string, maxBytes: number): string | undefined {
  return attempt(() => readAt(path, PLAINLY, maxBytes, () => true))
}

/** As above, of this user, and not through a link. */
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
