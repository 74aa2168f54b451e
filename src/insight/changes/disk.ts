/**
 * Whether a file on disk is what a session's edits left. The paths come from payloads, so anything may stand there: only
 * regular files of limited size on local disks are read, without following a link out of the session's folders.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'
import type { FileEdit } from '../../agents/index.ts'
import type { ChangedFile } from '../../client/index.ts'
import { LocalFolders } from '../../core/files/local-folders.ts'
import { isInside } from '../../core/files/paths.ts'
import { MARK } from '../../redaction/redact.ts'
import { type Text, undone } from './apply.ts'

interface DiskLook {
  readonly local: LocalFolders
  /** The session's folder and its repository. */
  readonly roots: readonly string[]
}

interface Left {
  /** The whole file, if it is known. */
  readonly text: Text
  /** Else the edits since it is not known any more, oldest first; undefined if they cannot be looked for. */
  readonly edits: readonly FileEdit[] | undefined
}

const MAX_BYTES = 4 * 1024 * 1024
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

export function diskLook(roots: readonly string[]): DiskLook {
  const local = new LocalFolders()
  return { local, roots: roots.flatMap((root) => local.real(root) ?? []) }
}

export function diskState(path: string, left: Left, look: DiskLook): ChangedFile['disk'] {
  const found = textAt(path, look)
  if (found === undefined) return 'unknown'
  if (found === null) return left.text === null ? 'same' : 'gone'
  if (left.text === undefined && left.edits === undefined) return 'unknown'
  if (isLeft(found, left)) return 'same'
  return hasMark(left) ? 'unknown' : 'changed'
}

function isLeft(found: string, { text, edits = [] }: Left): boolean {
  if (text !== undefined) return found === text
  let now: string | undefined = found
  for (const edit of edits.toReversed()) {
    now = undone(edit, now)
    if (now === undefined) return false
  }
  return true
}

/** A secret was taken out of what the session wrote: nobody can compare it. */
function hasMark({ text, edits }: Left): boolean {
  return typeof text === 'string' ? text.includes(MARK) : JSON.stringify(edits).includes(MARK)
}

/** Null if there is no file, undefined if it may not be looked at. */
function textAt(path: string, { local, roots }: DiskLook): Text {
  const real = local.real(path)
  if (real === undefined) return undefined
  // The session says that it wrote this path; where a link leads elsewhere, only its own folders count.
  if (real !== path && !roots.some((root) => isInside(real, root))) return undefined
  try {
    if (lstatSync(real, { throwIfNoEntry: false }) === undefined) return null
    const fd = openSync(real, FLAGS)
    try {
      const stats = fstatSync(fd)
      return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(fd, 'utf8') : undefined
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : undefined
  }
}
