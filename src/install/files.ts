/**
 * Reads and atomically replaces a settings file: a new file beside it, fsync, rename. A link stays a link; its target
 * is replaced.
 */
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { GantryError } from '../core/errors.ts'
import { flushFolder } from '../core/files/flush-folder.ts'
import { isAlive } from '../core/processes/proc.ts'
import { copyAttributes } from './attributes.ts'

export interface FileNow {
  /** As the agent names it; may be a link. */
  readonly path: string
  /** The resolved file. */
  readonly target: string
  /** Undefined if there is no file. */
  readonly bytes: Buffer | undefined
}

const SIZE_LIMIT_BYTES = 16 * 1024 * 1024 // settings are written by hand; a larger file is something else
const PRIVATE = { file: 0o600, folder: 0o700 }

/** The current file; throws if it cannot be changed safely. */
export function readForChange(path: string): FileNow {
  const { locked, ...file } = readToCompare(path)
  if (locked) throw locked
  return file
}

/** The same for somebody who may have nothing to change: `locked` is why it could not be. */
export function readToCompare(path: string): FileNow & { readonly locked?: GantryError } {
  const link = statOf(() => lstatSync(path), path)
  if (!link) return { path, target: newPlace(path), bytes: undefined }
  const target = link.isSymbolicLink() ? followed(path) : realpathSync(path)
  const stat = lstatSync(target)
  const is = path === target ? 'is' : `leads to ${target}, which is`
  const refused = (why: string) => new GantryError('PERMISSION', `${path} ${is} ${why}`)
  const unread = noSettings(stat)
  if (unread) throw refused(unread)
  const why = lockedBy(target, stat)
  return { path, target, bytes: read(path, target), ...(why ? { locked: refused(why) } : {}) }
}

function noSettings(stat: Stats): string | undefined {
  if (!stat.isFile()) return 'not a file. Nothing was written. Move it away and run this again.'
  if (stat.size > SIZE_LIMIT_BYTES) return 'larger than any settings file. Nothing was written.'
  return undefined
}

function lockedBy(target: string, stat: Stats): string | undefined {
  if (stat.uid !== process.geteuid?.()) return `another user's. Nothing was written. Run this as its owner.`
  if ((stat.mode & 0o200) === 0)
    return `read-only. Nothing was written. To let gantry change it: chmod u+w '${target}'`
  if (stat.nlink > 1)
    return `one of ${stat.nlink} hard links to the same file, which a safe write would separate. Nothing was written. Use a symbolic link instead.`
  return undefined
}

function followed(path: string): string {
  try {
    return realpathSync(path)
  } catch (cause) {
    throw new GantryError(
      'BAD_CONFIG',
      `${path} is a link that leads nowhere. Nothing was written. Repair or remove it.`,
      {
        cause,
      },
    )
  }
}

/** As root in another user's home, a new file would be one that its owner cannot change. */
function newPlace(path: string): string {
  const target = join(realFolder(dirname(path)), basename(path))
  const there = dirname(missingFolders(target)[0] ?? target)
  if (lstatSync(there).uid === process.geteuid?.()) return target
  throw new GantryError(
    'PERMISSION',
    `${path} would be made in ${there}, which is another user's. Nothing was written. Run this as its owner.`,
  )
}

/** Folders may be links, too, or may not exist yet. */
function realFolder(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : join(realFolder(dirname(folder)), basename(folder))
}

function read(path: string, target: string): Buffer {
  try {
    return readFileSync(target)
  } catch (cause) {
    throw new GantryError(
      'PERMISSION',
      `${path} cannot be read. Nothing was written. Try: chmod u+r '${target}'`,
      { cause },
    )
  }
}

function statOf(stat: () => Stats, path: string): Stats | undefined {
  try {
    return stat()
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code === 'ENOENT') return undefined
    throw new GantryError('PERMISSION', `${path} cannot be reached (${code}). Nothing was written.`, {
      cause,
    })
  }
}

/** Folders to create for this file, outermost first. */
export function missingFolders(target: string): string[] {
  const folder = dirname(target)
  return existsSync(folder) ? [] : [...missingFolders(folder), folder]
}

export function makeFolders(folders: readonly string[]): void {
  for (const folder of folders) mkdirSync(folder, { mode: PRIVATE.folder, recursive: true })
}

interface Replacing {
  /** Overrides the file's own mode. */
  readonly mode?: number
  /** Called last, after everything is written and flushed; throws if the file must not be replaced. */
  readonly check?: () => void
}

/**
 * Writes all of `bytes` or nothing. An existing file keeps its owner, mode, access list and extended attributes;
 * returns the attributes that could not be kept.
 */
export function replaceFile(
  target: string,
  bytes: Uint8Array,
  { mode, check }: Replacing = {},
): readonly string[] {
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}${DRAFT}`)
  dropDrafts(target)
  try {
    const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants
    const fd = openSync(draft, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, PRIVATE.file)
    let lost: readonly string[] = []
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
      keepOwner(fd, target, mode)
      if (mode === undefined) lost = keepAttributes(fd, target)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    check?.()
    renameSync(draft, target)
    flushFolder(dirname(target))
    return lost
  } catch (cause) {
    if (cause instanceof GantryError) throw cause
    const code = (cause as NodeJS.ErrnoException).code
    throw new GantryError('PERMISSION', `${target} could not be written (${code}). It is unchanged.`, {
      cause,
    })
  } finally {
    removeIfThere(draft)
  }
}

/** A new file is a new inode and inherits nothing from the old one. */
function keepAttributes(fd: number, target: string): readonly string[] {
  if (!existsSync(target)) return []
  const old = openSync(target, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    return copyAttributes(old, fd)
  } finally {
    closeSync(old)
  }
}

const DRAFT = '.gantry-draft'

/** Removes drafts that a killed gantry left beside this file. */
export function dropDrafts(target: string): void {
  const folder = dirname(target)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`.${basename(target)}.`) || !name.endsWith(DRAFT)) continue
    const pid = Number(name.slice(basename(target).length + 2, -DRAFT.length))
    if (!isAlive(pid, true)) removeIfThere(join(folder, name))
  }
}

export function removeFile(target: string, check?: () => void): void {
  dropDrafts(target)
  check?.()
  removeIfThere(target)
  flushFolder(dirname(target))
}

/** Innermost first; a folder in use stays. */
export function removeFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder)
    } catch {
      return
    }
  }
}

export function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function keepOwner(fd: number, target: string, mode: number | undefined): void {
  const old = existsSync(target) ? lstatSync(target) : undefined
  const own = fstatSync(fd)
  if (old && (old.uid !== own.uid || old.gid !== own.gid)) {
    try {
      fchownSync(fd, old.uid, old.gid)
    } catch {
      // We are not in that group, so only we can access the file.
    }
  }
  fchmodSync(fd, mode ?? (old ? old.mode & 0o7777 : PRIVATE.file))
}
