/**
 * Follows a growing file: reads new whole lines by offset, never the whole file again, unless another file replaces it
 * (Copilot 1.0.102 does so when a turn is rewound).
 */
import { closeSync, fstatSync, statSync } from 'node:fs'
import { chunksOf, lineCutter, openInside } from '../../core/files/lines.ts'
import { type Watching, watchPath } from '../../core/files/watch-files.ts'

const HISTORY_BYTES = 256 * 1024 // what may have been missed before the watch

export interface Tail {
  /** A replacement could not be opened; reading tries again. */
  readonly isLost: boolean
  /** Reads now, without waiting for the delayed change report. */
  read(): void
  close(): void
}

/** `onReplaced` starts on a replacement, most of whose lines were read before. */
export function tail(
  path: string,
  roots: readonly string[],
  onLine: (line: string) => void,
  onReplaced: (takeUp: () => void) => void = (takeUp) => takeUp(),
): Tail | undefined {
  let current = follow(path, roots, onLine, replaced)
  if (!current) return undefined

  function replaced(): boolean {
    if (current && !isOther(path, current.inode)) return false
    current?.close()
    current = undefined
    onReplaced(() => {
      current = follow(path, roots, onLine, replaced)
    })
    return true
  }

  return {
    get isLost() {
      return current === undefined
    },
    read: () => {
      if (!replaced()) current?.read()
    },
    close: () => current?.close(),
  }
}

/** Undefined if the file is missing or may not be read. */
function follow(
  path: string,
  roots: readonly string[],
  onLine: (line: string) => void,
  isReplaced: () => boolean,
): (Pick<Tail, 'read' | 'close'> & { readonly inode: number }) | undefined {
  const fd = openInside(path, roots)
  if (fd === undefined) return undefined
  const { size, ino: inode } = fstatSync(fd)
  let offset = Math.max(0, size - HISTORY_BYTES)
  const { take } = lineCutter(offset > 0, onLine)
  let open = true

  const read = () => {
    for (const bytes of chunksOf(fd, offset)) {
      offset += bytes.length
      take(bytes)
    }
  }
  let watcher: Watching
  try {
    watcher = watchPath(path, () => {
      if (open && !isReplaced()) read()
    })
  } catch {
    closeSync(fd)
    return undefined
  }
  read()
  return {
    inode,
    read,
    close: () => {
      open = false
      watcher.close()
      closeSync(fd)
    },
  }
}

function isOther(path: string, inode: number): boolean {
  try {
    return statSync(path).ino !== inode
  } catch {
    return false // it may come back; there is nothing to read meanwhile
  }
}
