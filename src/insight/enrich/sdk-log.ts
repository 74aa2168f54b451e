/**
 * Appends events with their contexts to a file in claude-hooks-sdk's format, rotated by size. Each line carries the
 * event's sequence, so a daemon that was killed continues after the last complete line without duplicates.
 */
import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { messageOf } from '../../core/errors.ts'
import { isObject } from '../../core/is-object.ts'
import { objectIn } from '../../core/json.ts'

export interface SdkLogSettings {
  readonly path: string
  readonly maxBytes: number
  readonly keep: number
}

interface SdkEntry {
  readonly seq: number
  readonly line: string
}

interface Opened {
  readonly path: string
  file: FileHandle
  size: number
}

const TAIL_BYTES = 16 * 1024 * 1024 // a line is at most a payload of 8 MB and its escapes
const PLAIN_FILE = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW

export class SdkLog {
  #opened: Opened | undefined
  #lastSeq = 0
  #problem: string | undefined

  /** Why nothing is written; shown by doctor. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Never throws: the events are safe in the journal. */
  async write(entries: readonly SdkEntry[], settings: SdkLogSettings): Promise<void> {
    try {
      const log = await this.#open(settings)
      const fresh = entries.filter(({ seq }) => seq > this.#lastSeq)
      for (const chunk of chunksOf(fresh, settings.maxBytes - log.size, settings.maxBytes)) {
        if (chunk.rotates) await this.#rotate(log, settings.keep)
        const bytes = Buffer.from(chunk.lines.map(({ line }) => `${line}\n`).join(''))
        await log.file.appendFile(bytes)
        log.size += bytes.length
        this.#lastSeq = chunk.lines.at(-1)?.seq ?? this.#lastSeq
      }
      this.#problem = undefined
    } catch (error) {
      this.#problem = `${settings.path}: ${messageOf(error)}`
      await this.close()
    }
  }

  async close(): Promise<void> {
    const { file } = this.#opened ?? {}
    this.#opened = undefined
    await file?.close().catch(() => {})
  }

  async #open({ path }: SdkLogSettings): Promise<Opened> {
    const isThere = async () => (await stat(path).catch(() => undefined)) !== undefined
    if (this.#opened?.path === path && (await isThere())) return this.#opened
    await this.close()
    const file = await open(path, PLAIN_FILE, 0o600)
    const { size } = await file.stat()
    const end = await endOf(file, size)
    if (end.whole < size) await file.truncate(end.whole) // a kill left half a line
    const last = end.seq || (await lastIn(`${path}.1`))
    this.#lastSeq = Math.max(this.#lastSeq, last)
    this.#opened = { path, file, size: end.whole }
    return this.#opened
  }

  async #rotate(log: Opened, keep: number): Promise<void> {
    await rm(`${log.path}.${keep}`, { force: true })
    for (let n = keep - 1; n >= 1; n--)
      await rename(`${log.path}.${n}`, `${log.path}.${n + 1}`).catch(() => {})
    await rename(log.path, `${log.path}.1`)
    const file = await open(log.path, PLAIN_FILE, 0o600)
    await log.file.close()
    log.file = file
    log.size = 0
  }
}

/** One chunk per file: entries that do not fit go into the next. */
function chunksOf(
  entries: readonly SdkEntry[],
  firstRoom: number,
  room: number,
): { rotates: boolean; lines: SdkEntry[] }[] {
  const chunks: { rotates: boolean; lines: SdkEntry[] }[] = []
  let left = firstRoom
  let current: { rotates: boolean; lines: SdkEntry[] } | undefined
  for (const entry of entries) {
    const size = Buffer.byteLength(entry.line) + 1
    if (size > left && left < room) {
      current = { rotates: true, lines: [] }
      chunks.push(current)
      left = room
    } else if (!current) {
      current = { rotates: false, lines: [] }
      chunks.push(current)
    }
    current?.lines.push(entry)
    left -= size
  }
  return chunks
}

/** Where the last complete line ends, and its sequence. */
async function endOf(file: FileHandle, size: number): Promise<{ whole: number; seq: number }> {
  const start = Math.max(0, size - TAIL_BYTES)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
  const tail = buffer.subarray(0, bytesRead)
  const end = tail.lastIndexOf(10)
  if (end < 0) return { whole: start === 0 ? 0 : size, seq: 0 }
  const line = tail.subarray(tail.lastIndexOf(10, end - 1) + 1, end).toString('utf8')
  return { whole: start + end + 1, seq: seqIn(line) }
}

async function lastIn(path: string): Promise<number> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined)
  if (!file) return 0
  try {
    return (await endOf(file, (await file.stat()).size)).seq
  } finally {
    await file.close()
  }
}

function seqIn(line: string): number {
  const { gantry } = objectIn(line) ?? {}
  return isObject(gantry) && typeof gantry.seq === 'number' ? gantry.seq : 0
}
