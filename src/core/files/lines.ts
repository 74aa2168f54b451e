/**
 * Opens files of lines that an agent writes, and splits their bytes into lines. The path came in a payload, so it must lead
 * to a regular file of this user inside one of the given folders. The file is then read through one descriptor.
 */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { realPath } from './real-path.ts'

const CHUNK_BYTES = 64 * 1024
const MAX_LINE_BYTES = 4 * 1024 * 1024 // a longer line is skipped

/** Returns a descriptor for the caller to close; undefined if the file is missing or may not be read. */
export function openInside(path: string, roots: readonly string[]): number | undefined {
  try {
    const folders = roots.map(realPath)
    // Do not touch a path outside these folders: it may be on a network mount that never answers.
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

interface ReadFrom {
  readonly offset: number
  /** The file that `offset` refers to; another file is read from its beginning. */
  readonly inode?: number
  /** Read at most this much; if more is new, only the last part. */
  readonly maxBytes: number
  /** Read nothing if the file was not modified since then. */
  readonly since?: number
}

interface ReadTo {
  readonly inode: number
  /** The end of the last whole line. */
  readonly offset: number
  /** Bytes skipped because of `maxBytes`. */
  readonly skipped: number
}

/**
 * Reads a file from an offset in chunks, and yields to the event loop between them. Undefined if the file is missing or may
 * not be read. `isAnew`: the line comes from another file than `from.inode`.
 */
export async function readLines(
  path: string,
  roots: readonly string[],
  from: ReadFrom,
  onLine: (line: string, isAnew: boolean) => void,
): Promise<ReadTo | undefined> {
  const fd = openInside(path, roots)
  if (fd === undefined) return undefined
  try {
    const { size, ino, mtimeMs } = fstatSync(fd)
    if (mtimeMs < (from.since ?? 0)) return undefined
    const isSame = (from.inode === undefined || from.inode === ino) && from.offset <= size
    const wanted = isSame ? from.offset : 0
    const start = Math.max(wanted, size - from.maxBytes)
    const cutter = lineCutter(start > wanted, (line) => onLine(line, !isSame))
    for (const bytes of chunksOf(fd, start, size)) {
      cutter.take(bytes)
      await new Promise(setImmediate)
    }
    return { inode: ino, offset: start + cutter.whole, skipped: start - wanted }
  } catch {
    return undefined
  } finally {
    closeSync(fd)
  }
}

/** Reads the last lines of a file synchronously; the last one may be incomplete. */
export function readTail(
  path: string,
  roots: readonly string[],
  maxBytes: number,
  onLine: (line: string) => void,
): void {
  withFile(path, roots, (fd) => {
    const { size } = fstatSync(fd)
    const start = Math.max(0, size - maxBytes)
    const { take } = lineCutter(start > 0, onLine)
    for (const bytes of chunksOf(fd, start, size)) take(bytes)
    take(Buffer.from('\n'))
  })
}

/** Reads the first lines of a file synchronously. */
export function readHead(
  path: string,
  roots: readonly string[],
  maxBytes: number,
  onLine: (line: string) => void,
): void {
  const { take } = lineCutter(false, onLine)
  withFile(path, roots, (fd) => {
    for (const bytes of chunksOf(fd, 0, maxBytes)) take(bytes)
  })
}

function withFile(path: string, roots: readonly string[], use: (fd: number) => void): void {
  const fd = openInside(path, roots)
  if (fd === undefined) return
  try {
    use(fd)
  } finally {
    closeSync(fd)
  }
}

/** All chunks share one buffer: use each before asking for the next. */
export function* chunksOf(fd: number, from: number, to = Number.POSITIVE_INFINITY): Generator<Buffer> {
  const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, to - from))
  for (let at = from; at < to; ) {
    const count = readSync(fd, chunk, 0, Math.min(chunk.length, to - at), at)
    if (count <= 0) return
    at += count
    yield chunk.subarray(0, count)
  }
}

interface LineCutter {
  take(bytes: Buffer): void
  /** Number of bytes up to the end of the last whole line. */
  readonly whole: number
}

/** Turns bytes into whole lines. With `inside`, the first bytes continue an earlier line and are skipped. */
export function lineCutter(inside: boolean, onLine: (line: string) => void): LineCutter {
  let skipping = inside
  let rest = Buffer.alloc(0)
  let whole = 0
  const take = (bytes: Buffer) => {
    rest = rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([rest, bytes])
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = rest.subarray(0, end)
      rest = rest.subarray(end + 1)
      whole += end + 1
      if (!skipping) onLine(line.toString('utf8'))
      skipping = false
    }
    if (rest.length <= MAX_LINE_BYTES) return
    whole += rest.length
    rest = Buffer.alloc(0)
    skipping = true
  }
  return {
    take,
    get whole() {
      return whole
    },
  }
}

function isInOneOf(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => path.startsWith(folder + sep))
}
