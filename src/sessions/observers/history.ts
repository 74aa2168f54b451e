/** The end of a file, once, in pieces: between two of them the daemon does whatever else there is to do. */
import { closeSync, fstatSync, readSync } from 'node:fs'
import { CHUNK_BYTES, lineCutter, openInside } from './transcript-file.ts'

const HISTORY_BYTES = 4 * 1024 * 1024 // hours of work; whoever missed more is told its end

/** Nothing of a file that nobody has written to since `since`. */
export async function readEnd(
  path: string,
  roots: readonly string[],
  since: number,
  onLine: (line: string) => void,
): Promise<void> {
  const fd = openInside(path, roots)
  if (fd === undefined) return
  try {
    const { size, mtimeMs } = fstatSync(fd)
    if (mtimeMs < since) return
    let offset = Math.max(0, size - HISTORY_BYTES)
    const take = lineCutter(offset > 0, onLine)
    const chunk = Buffer.alloc(CHUNK_BYTES)
    while (offset < size) {
      const count = readSync(fd, chunk, 0, Math.min(CHUNK_BYTES, size - offset), offset)
      if (count <= 0) return
      offset += count
      take(chunk.subarray(0, count))
      await new Promise(setImmediate)
    }
  } finally {
    closeSync(fd)
  }
}
