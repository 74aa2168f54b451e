/** A transcript from some byte on, in pieces: between two of them the daemon does whatever else there is to do. */
import { closeSync, fstatSync, readSync } from 'node:fs'
import { CHUNK_BYTES, openInside } from '../../sessions/index.ts'

export interface ReadFrom {
  readonly offset: number
  /** The file that the offset is of; another one is read from its beginning. */
  readonly inode?: number
  /** At most so much; from the end backwards where `offset` is further away. */
  readonly maxBytes: number
}

export interface ReadTo {
  readonly inode: number
  /** After the last whole line. */
  readonly offset: number
  /** Bytes that were passed over. */
  readonly skipped: number
}

const MAX_LINE_BYTES = 4 * 1024 * 1024 // a longer line is skipped, not kept

/** Nothing for a file that is not there, or not one to be read. `isAnew`: lines of another file than before. */
export async function readLines(
  path: string,
  roots: readonly string[],
  from: ReadFrom,
  onLine: (line: string, isAnew: boolean) => void,
): Promise<ReadTo | undefined> {
  const fd = openInside(path, roots)
  if (fd === undefined) return undefined
  try {
    const { size, ino } = fstatSync(fd)
    const isSame = (from.inode === undefined || from.inode === ino) && from.offset <= size
    const wanted = isSame ? from.offset : 0
    const start = Math.max(wanted, size - from.maxBytes)
    let skipping = start > wanted // in the middle of a line
    let rest = Buffer.alloc(0)
    let whole = start
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - start)) // mostly a few lines are new
    for (let at = start; at < size; ) {
      const count = readSync(fd, chunk, 0, Math.min(CHUNK_BYTES, size - at), at)
      if (count <= 0) break
      at += count
      rest = Buffer.concat([rest, chunk.subarray(0, count)])
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        if (!skipping) onLine(rest.toString('utf8', 0, end), !isSame)
        skipping = false
        whole += end + 1
        rest = rest.subarray(end + 1)
      }
      if (rest.length > MAX_LINE_BYTES) {
        whole += rest.length
        rest = Buffer.alloc(0)
        skipping = true
      }
      await new Promise(setImmediate)
    }
    return { inode: ino, offset: whole, skipped: start - wanted }
  } catch {
    return undefined
  } finally {
    closeSync(fd)
  }
}
