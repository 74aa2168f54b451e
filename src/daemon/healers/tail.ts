/** Follows a file that grows: new whole lines, by offset, never the whole file again. */
import { closeSync, fstatSync, readSync } from 'node:fs'
import { type Watching, watchPath } from '../watching.ts'
import { CHUNK_BYTES, lineCutter, openInside } from './transcript-file.ts'

const HISTORY_BYTES = 256 * 1024 // what may have been missed while nobody watched

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
  let offset = Math.max(0, fstatSync(fd).size - HISTORY_BYTES)
  const take = lineCutter(offset > 0, onLine)
  const chunk = Buffer.alloc(CHUNK_BYTES)

  const read = () => {
    for (;;) {
      const count = readSync(fd, chunk, 0, CHUNK_BYTES, offset)
      if (count <= 0) return
      offset += count
      take(chunk.subarray(0, count))
    }
  }
  let watcher: Watching
  try {
    watcher = watchPath(path, read)
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
