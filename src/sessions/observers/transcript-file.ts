/**
 * A transcript as a file: how it is opened, and how its bytes become lines. The path came in a payload, so it must lead
 * to a plain file of this user inside one of the given folders, and it stays open by descriptor from then on.
 */
import { closeSync, constants, fstatSync, openSync, realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'

export const CHUNK_BYTES = 64 * 1024
const MAX_LINE_BYTES = 4 * 1024 * 1024 // a longer line is skipped, not kept

/** A descriptor that the caller closes; nothing when there is no such file yet, or it is not one to be read. */
export function openInside(path: string, roots: readonly string[]): number | undefined {
  try {
    const folders = roots.map(realOf)
    // A path that does not even look like one of theirs is not touched: it may be on a network that never answers.
    if (!isInOneOf([...roots.map((root) => resolve(root)), ...folders], resolve(path))) return undefined
    const real = realpathSync(path)
    if (!isInOneOf(folders, real)) return undefined
    const fd = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stat = fstatSync(fd)
    if (stat.isFile() && stat.uid === process.getuid?.()) return fd
    closeSync(fd)
  } catch {
    // not there yet
  }
  return undefined
}

/** Takes bytes, gives whole lines. `inside` when the first bytes are the rest of a line that began before them. */
export function lineCutter(inside: boolean, onLine: (line: string) => void): (bytes: Buffer) => void {
  let skipping = inside
  let rest = Buffer.alloc(0)
  return (bytes) => {
    rest = rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([rest, bytes])
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = rest.subarray(0, end)
      rest = rest.subarray(end + 1)
      if (!skipping) onLine(line.toString('utf8'))
      skipping = false
    }
    if (rest.length > MAX_LINE_BYTES) {
      rest = Buffer.alloc(0)
      skipping = true
    }
  }
}

function isInOneOf(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => path.startsWith(folder + sep))
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
