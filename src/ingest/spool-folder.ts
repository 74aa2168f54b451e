/**
 * The spool's folder, whatever it contains: any number of files, large ones, links, pipes, folders. Each step is short, so
 * that hooks can pass between two of them.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ASIDE, DRAFT, FRAME, lookAtSpool, namesIn } from '../client/spool-look.ts'
import { HEADER_LIMIT_BYTES, PAYLOAD_LIMIT_BYTES } from '../client/wire.ts'
import { messageOf } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { isAlive } from '../core/processes/proc.ts'
import type { Slices } from '../core/time/slices.ts'
import { withoutSecrets } from '../journal/index.ts'
import { FrameReader, type HookMessage } from './frames.ts'

/** What happened to files that are not events, for the counters. */
export type Cleared = 'draft removed' | 'draft taken' | 'no event, set aside' | 'no event, removed'

export interface SpoolFolderOptions {
  readonly cleared: (what: Cleared) => void
  readonly redaction: () => boolean
}

const FILE_LIMIT_BYTES = HEADER_LIMIT_BYTES + PAYLOAD_LIMIT_BYTES + 1
const MAX_ASIDE_FILES = 100
const MAX_ASIDE_BYTES = 64 * 1024 * 1024
/** A held client waits ten minutes, but then writes its draft in one go. */
const ORPHAN_MS = 600_000
/** After that its pid may belong to another process. */
const ORPHAN_FOR_SURE_MS = 86_400_000
const RUN_NAMES = 2_048 // names sorted at a time: under a millisecond
const SIGN_BYTES = 4_096 // of a draft: the pid is among the first fields of its header

export class SpoolFolder {
  readonly #dir: string
  readonly #log: Log
  readonly #options: SpoolFolderOptions
  #aside: { files: number; bytes: number } | undefined

  constructor(dir: string, log: Log, options: SpoolFolderOptions) {
    this.#dir = dir
    this.#log = log
    this.#options = options
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    if (!lstatSync(dir).isDirectory()) throw new Error(`${dir} is not a folder`)
  }

  /** Names of frames, oldest first, sorted in runs that are merged while reading. */
  async frames(slices: Slices): Promise<SortedNames> {
    const names = await namesIn(this.#dir)
    const runs: string[][] = []
    for (let at = 0; at < names.length; at += RUN_NAMES) {
      runs.push(
        names
          .slice(at, at + RUN_NAMES)
          .filter((name) => name.endsWith(FRAME))
          .sort(),
      )
      await slices.breathe()
    }
    return new SortedNames(runs)
  }

  sizeOf(name: string): number {
    return lstatSync(join(this.#dir, name), { throwIfNoEntry: false })?.size ?? 0
  }

  /** The hook in the file; undefined for anything else, which is set aside. */
  async read(name: string): Promise<HookMessage | undefined> {
    const path = join(this.#dir, name)
    try {
      const found = hookIn(readWhole(path))
      if (typeof found === 'object') return found
      await this.#setAside(path, found)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') await this.#setAside(path, messageOf(error))
    }
    return undefined
  }

  remove(name: string): void {
    rmSync(join(this.#dir, name), { force: true })
  }

  /** Clears drafts of clients that are gone: a complete one becomes an event, the rest is deleted. */
  async clearDrafts(slices: Slices, now: number): Promise<void> {
    this.#aside = undefined // somebody may have cleared it
    for (const name of await namesIn(this.#dir)) {
      if (name.startsWith(DRAFT)) this.#clearDraft(name, now)
      await slices.breathe()
    }
  }

  #clearDraft(name: string, now: number): void {
    const path = join(this.#dir, name)
    try {
      const stat = lstatSync(path, { throwIfNoEntry: false })
      const age = stat ? Math.abs(now - stat.mtimeMs) : 0 // the clock may have been set back
      if (!stat?.isFile() || age < ORPHAN_MS || (age < ORPHAN_FOR_SURE_MS && isWritten(path))) return
      const isWhole = stat.size <= FILE_LIMIT_BYTES && typeof hookIn(readWhole(path)) === 'object'
      if (isWhole) renameSync(path, join(this.#dir, `${name.slice(DRAFT.length)}${FRAME}`))
      else unlinkSync(path)
      this.#options.cleared(isWhole ? 'draft taken' : 'draft removed')
    } catch (error) {
      this.#log.warn('spool', `cannot clear ${path}: ${messageOf(error)}`)
    }
  }

  async #setAside(path: string, why: string): Promise<void> {
    const aside = join(this.#dir, ASIDE)
    try {
      mkdirSync(aside, { recursive: true, mode: 0o700 })
      this.#aside ??= { ...(await lookAtSpool(this.#dir)).aside }
      const stat = lstatSync(path, { throwIfNoEntry: false })
      if (!stat) return
      const kept = this.#aside
      const fits = kept.files < MAX_ASIDE_FILES && kept.bytes + stat.size <= MAX_ASIDE_BYTES
      if (fits) {
        if (this.#options.redaction()) cleanFile(path)
        renameSync(path, join(aside, basename(path)))
        kept.files += 1
        kept.bytes += stat.size
        this.#log.warn('spool', `${path} set aside in ${aside}: ${why}`)
      } else if (stat.isDirectory()) await rm(path, { recursive: true, force: true })
      else unlinkSync(path)
      this.#options.cleared(fits ? 'no event, set aside' : 'no event, removed')
    } catch (error) {
      this.#log.error('spool', `cannot set ${path} aside: ${messageOf(error)}`)
    }
  }
}

interface Run {
  readonly names: readonly string[]
  at: number
}

/** Merges several sorted lists. */
export class SortedNames {
  readonly #runs: Run[]
  readonly length: number

  constructor(runs: readonly (readonly string[])[]) {
    this.#runs = runs.map((names) => ({ names, at: 0 }))
    this.length = runs.reduce((sum, names) => sum + names.length, 0)
  }

  *[Symbol.iterator](): Generator<string> {
    for (;;) {
      let least: Run | undefined
      for (const run of this.#runs) {
        const name = run.names[run.at]
        if (name !== undefined && (least === undefined || name < (least.names[least.at] ?? ''))) least = run
      }
      const name = least?.names[least.at]
      if (least === undefined || name === undefined) return
      least.at += 1
      yield name
    }
  }
}

/** The hook, or why there is none. */
function hookIn(bytes: Buffer): HookMessage | string {
  const messages = new FrameReader().push(bytes)
  const [message] = messages
  if (messages.length === 1 && message?.kind === 'hook') return message
  return message?.kind === 'bad' ? message.reason : 'not one whole frame'
}

/** Removes secrets from a file that is set aside, because it stays until somebody has looked at it. */
function cleanFile(path: string): void {
  try {
    const { raw, count } = withoutSecrets(readWhole(path))
    if (count > 0) writeFileSync(path, raw)
  } catch {
    // Not a file, or larger than any frame: then it is left as it is.
  }
}

/** Whether the client that started this draft still runs. */
function isWritten(path: string): boolean {
  const [, pid] = /"pid":(\d{1,9})\b/.exec(readWhole(path, SIGN_BYTES).toString('latin1')) ?? []
  return isAlive(Number(pid), true)
}

function readWhole(path: string, most = FILE_LIMIT_BYTES): Buffer {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) throw new Error('not a file')
    if (most === FILE_LIMIT_BYTES && stat.size > most) throw new Error('larger than any frame')
    const size = Math.min(stat.size, most)
    const bytes = Buffer.allocUnsafe(size)
    let at = 0
    while (at < size) {
      const read = readSync(fd, bytes, at, size - at, at)
      if (read === 0) break
      at += read
    }
    return bytes.subarray(0, at)
  } finally {
    closeSync(fd)
  }
}
