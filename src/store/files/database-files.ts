/**
 * The files of an open database: syncs its log, and checks that they are still at their paths and intact. If somebody removes,
 * replaces or truncates one while the daemon runs, SQLite still writes to it, but nobody will ever read that.
 *
 *   const files = new DatabaseFiles('/x/gantry.db')
 *   files.watch((trouble) => …)   // once, soon after the fact
 *   files.sync()                  // what is in the log is durable, and at its path
 */
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { GantryError } from '../../core/errors.ts'
import { linkOf } from '../../core/processes/proc.ts'
import { descriptorOf } from './rescue.ts'

export interface Trouble {
  /** `broken`: truncated in place, or SQLite calls it malformed; data may be lost. */
  readonly kind: 'removed' | 'broken'
  /** The path of the removed file, or what is wrong. */
  readonly what: string
}

const LOOK_MS = 1_000 // for times without commits

export class DatabaseFiles {
  readonly path: string
  /** Of the log. SQLite's locks are on the other files: a close of this one drops none. */
  #log: number | undefined
  readonly #logLink: string | undefined
  readonly #folder: string | undefined
  readonly #known: ReadonlyMap<string, string | undefined>
  /** Size of the database after the last checkpoint; nothing else shrinks it. */
  #bytes: number
  #trouble: Trouble | undefined
  #tell: ((trouble: Trouble) => void) | undefined
  #timer: ReturnType<typeof setInterval> | undefined

  /** For an open database, so all of its files exist. */
  constructor(path: string) {
    this.path = path
    this.#log = openSync(`${path}-wal`, 'r+')
    this.#logLink = this.#linkOfLog()
    this.#folder = identityOf(dirname(path))
    this.#known = new Map(['', '-wal', '-shm'].map((suffix) => [suffix, identityOf(path + suffix)]))
    this.#bytes = sizeOf(path)
  }

  /** The first problem found; it is final. */
  get trouble(): Trouble | undefined {
    return this.#trouble
  }

  /** Makes what is in the log durable. Throws if that fails, or if the log or the database is elsewhere. */
  sync(): void {
    if (this.#log !== undefined) fdatasyncSync(this.#log)
    if (!this.areThere())
      throw new GantryError(
        'DATABASE',
        `${this.path} or its log was removed, replaced or broken. Restart gantry.`,
      )
  }

  /**
   * Adds zeros behind the log until it is `upTo` bytes long, so many at a time. Only for a holder of the database's lock, so that
   * nobody writes a frame there meanwhile. Gives the length.
   */
  fillLog(bytes: number, upTo: number): number {
    const log = this.#log
    if (log === undefined || !this.areThere()) return upTo
    const { size } = fstatSync(log)
    const missing = Math.max(0, Math.min(bytes, upTo - size))
    if (missing === 0) return size
    try {
      const added = writeSync(log, new Uint8Array(missing), 0, missing, size)
      fdatasync(log, () => {}) // in another thread, so that no commit has to
      return size + added
    } catch (error) {
      ftruncateSync(log, size) // what is left of the disk, or of somebody's quota, is for events
      throw error
    }
  }

  /** Checks the files a commit was written to: the database and its log. */
  areThere(): boolean {
    if (this.#trouble) return false
    const found = look(this.path)
    const missing = this.#isOther('', found)
      ? this.path
      : this.#isLogElsewhere()
        ? `${this.path}-wal`
        : undefined
    if (missing !== undefined) this.#lost({ kind: 'removed', what: missing })
    else if (found && found.size < this.#bytes) this.#resized(found.size)
    return this.#trouble === undefined
  }

  /** After a checkpoint, which may make the database shorter; so may somebody else meanwhile. */
  moved(): void {
    const found = look(this.path)
    if (found && !this.#isOther('', found)) this.#resized(found.size)
  }

  /** Reports that SQLite cannot read or write it. */
  broke(why: string): void {
    this.#lost({ kind: 'broken', what: why })
  }

  /** Whether the folder itself is still the same. */
  isFolderThere(): boolean {
    return identityOf(dirname(this.path)) === this.#folder
  }

  /** `dev ino` of the open database. */
  get identity(): string | undefined {
    return this.#known.get('')
  }

  watch(tell: (trouble: Trouble) => void): void {
    this.#tell = tell
    this.#timer = setInterval(() => this.look(), LOOK_MS)
  }

  /** Checks all files now. */
  look(): boolean {
    if (!this.areThere()) return false
    const missing = ['-wal', '-shm'].find((suffix) => this.#isOther(suffix))
    if (missing !== undefined) this.#lost({ kind: 'removed', what: this.path + missing })
    return missing === undefined
  }

  close(): void {
    this.unwatch()
    if (this.#log !== undefined) closeSync(this.#log)
    this.#log = undefined // the number may soon be somebody else's
  }

  /** Reports nothing any more. */
  unwatch(): void {
    clearInterval(this.#timer)
    this.#tell = undefined
  }

  /**
   * Its link tells nearly always, and for every commit a stat would be too dear: on Linux 6.18, a file whose times somebody read
   * gets new ones with its next write, and on ext4 without a journal the next sync then takes half as long again.
   */
  #isLogElsewhere(): boolean {
    const link = this.#linkOfLog()
    return (link === undefined || link !== this.#logLink) && this.#isOther('-wal')
  }

  #linkOfLog(): string | undefined {
    return this.#log === undefined ? undefined : linkOf(process.pid, `fd/${this.#log}`)
  }

  /** A link in its place is another file, wherever it leads: SQLite would look for the log beside its target. */
  #isOther(suffix: string, found = look(this.path + suffix)): boolean {
    const known = this.#known.get(suffix)
    const now = found && identityIn(found)
    return known !== undefined && now !== undefined && now !== known
  }

  /**
   * By a checkpoint, or by somebody who cut it. Shorter than it says, but not than it was, is a database whose last page waits
   * in the log for a reader.
   */
  #resized(size: number): void {
    const said = bytesInHeader(this.identity)
    if (said === Infinity || (size < said && size < this.#bytes)) this.broke('it was cut short')
    else this.#bytes = size
  }

  /** Reports asynchronously, not within the commit that found it. */
  #lost(trouble: Trouble): void {
    const tell = this.#tell
    this.#trouble ??= trouble // the first one stays
    this.unwatch()
    if (tell) setImmediate(tell, trouble)
  }
}

const HEADER_BYTES = 100

/** The size by the database header: page size at offset 16, page count at 28. Infinity without a header. */
function bytesInHeader(identity: string | undefined): number {
  const fd = descriptorOf(identity)
  const header = Buffer.alloc(HEADER_BYTES)
  if (fd === undefined) return 0
  readSync(fd, header, 0, HEADER_BYTES, 0)
  const page = header.readUInt16BE(16)
  if (page === 0) return Infinity
  return (page === 1 ? 65_536 : page) * header.readUInt32BE(28)
}

/** `dev ino` of what is at a path. */
export function identityOf(path: string): string | undefined {
  const found = look(path, statSync)
  return found && identityIn(found)
}

function identityIn({ dev, ino }: Look): string {
  return `${dev} ${ino}`
}

function sizeOf(path: string): number {
  return look(path)?.size ?? 0
}

type Look = Pick<Stats, 'dev' | 'ino' | 'size'>
const NOTHING: Look = { dev: -1, ino: -1, size: 0 }

/** Undefined if stat fails; the file then counts as unchanged. */
function look(path: string, stat = lstatSync): Look | undefined {
  try {
    return stat(path, { throwIfNoEntry: false }) ?? NOTHING
  } catch {
    return undefined
  }
}
