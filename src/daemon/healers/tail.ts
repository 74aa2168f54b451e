/**
 * Follows a file that grows: new whole lines, by offset, never the whole file again. The path came in a payload, so it
 * must lead to a plain file of this user inside one of the given folders, and stays open by descriptor from then on.
 */
import {
  closeSync,
  constants,
  type FSWatcher,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  watch,
} from 'node:fs'
import { sep } from 'node:path'

const CHUNK_BYTES = 64 * 1024
const HISTORY_BYTES = 256 * 1024 // what may have been missed while nobody watched
const MAX_LINE_BYTES = 4 * 1024 * 1024 // a longer line is skipped, not kept

export interface Tail {
  close(): void
}

/** Nothing when there is no such file yet, or it is not one to be read. */
export function tail(
  path: string,
  roots: readonly string[],
  onLine: (line: string) => void,
): Tail | undefined {
  const fd = openInside(path, roots)
  if (fd === undefined) return undefined
  const size = fstatSync(fd).size
  let offset = Math.max(0, size - HISTORY_BYTES)
  let skipping = offset > 0
  let rest = Buffer.alloc(0)
  const chunk = Buffer.alloc(CHUNK_BYTES)

  const read = () => {
    for (;;) {
      const count = readSync(fd, chunk, 0, CHUNK_BYTES, offset)
      if (count <= 0) return
      offset += count
      rest =
        rest.length === 0
          ? Buffer.from(chunk.subarray(0, count))
          : Buffer.concat([rest, chunk.subarray(0, count)])
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
  let watcher: FSWatcher
  try {
    watcher = watch(path, read)
  } catch {
    closeSync(fd)
    return undefined
  }
  read()
  return {
    close: () => {
      watcher.close()
      closeSync(fd)
    },
  }
}

function openInside(path: string, roots: readonly string[]): number | undefined {
  try {
    const real = realpathSync(path)
    if (!roots.some((root) => real.startsWith(realOf(root) + sep))) return undefined
    const fd = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stat = fstatSync(fd)
    if (stat.isFile() && stat.uid === process.getuid?.()) return fd
    closeSync(fd)
  } catch {
    // not there yet
  }
  return undefined
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
