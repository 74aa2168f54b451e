/**
 * Whether the files of the database at their paths are still the ones that are open, and whole. Somebody may remove, replace
 * or cut one while the daemon runs: what is written then is where nobody will ever read it, though SQLite calls it durable.
 *
 *   const files = new DatabaseFiles('/x/gantry.db')
 *   files.watch((trouble) => …)   // once, soon after it happened
 *   files.areThere()              // after a commit, before anybody is told that it is durable: some 5 µs
 */
import { readSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { descriptorOf } from './rescue.ts'

export interface Trouble {
  /** `broken`: cut short in place, or SQLite calls it malformed; what it had may be lost. */
  readonly kind: 'removed' | 'broken'
  /** In words: the path of the file that was removed, or what is wrong. */
  readonly what: string
}

const LOOK_MS = 1_000 // while no commit looks

export class DatabaseFiles {
  readonly path: string
  readonly #folder: string | undefined
  readonly #known: ReadonlyMap<string, string | undefined>
  /** Of the database, after the last checkpoint: it shrinks by nothing else. */
  #bytes: number
  #trouble: Trouble | undefined
  #tell: ((trouble: Trouble) => void) | undefined
  #timer: ReturnType<typeof setInterval> | undefined

  /** Of a database that is open, so that all of its files are there. */
  constructor(path: string) {
    this.path = path
    this.#folder = identityOf(dirname(path))
    this.#known = new Map(['', '-wal', '-shm'].map((suffix) => [suffix, identityOf(path + suffix)]))
    this.#bytes = sizeOf(path)
  }

  /** What was found; it does not go away. */
  get trouble(): Trouble | undefined {
    return this.#trouble
  }

  /** What a commit was written to: the database and its log. */
  areThere(): boolean {
    if (this.#trouble) return false
    const found = look(this.path)
    const missing = this.#isOther('', found)
      ? this.path
      : this.#isOther('-wal')
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

  /** SQLite cannot read or write it. */
  broke(why: string): void {
    this.#lost({ kind: 'broken', what: why })
  }

  /** Nobody removed the folder with everything in it. */
  isFolderThere(): boolean {
    return identityOf(dirname(this.path)) === this.#folder
  }

  /** `dev ino` of the database that is open. */
  get identity(): string | undefined {
    return this.#known.get('')
  }

  watch(tell: (trouble: Trouble) => void): void {
    this.#tell = tell
    this.#timer = setInterval(() => this.look(), LOOK_MS)
  }

  /** Looks at all of them now. */
  look(): boolean {
    if (!this.areThere()) return false
    if (!this.#isOther('-shm')) return true
    this.#lost({ kind: 'removed', what: `${this.path}-shm` })
    return false
  }

  close(): void {
    clearInterval(this.#timer)
    this.#tell = undefined
  }

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

  /** Not within the commit that found it out. */
  #lost(trouble: Trouble): void {
    const tell = this.#tell
    this.#trouble ??= trouble // once is enough
    this.close()
    if (tell) setImmediate(tell, trouble)
  }
}

const HEADER_BYTES = 100

/** How long the database says it is: page size at 16, pages at 28. Infinity for one that has no header any more. */
function bytesInHeader(identity: string | undefined): number {
  const fd = descriptorOf(identity)
  const header = Buffer.alloc(HEADER_BYTES)
  if (fd === undefined) return 0
  readSync(fd, header, 0, HEADER_BYTES, 0)
  const page = header.readUInt16BE(16)
  if (page === 0) return Infinity
  return (page === 1 ? 65_536 : page) * header.readUInt32BE(28)
}

function identityOf(path: string): string | undefined {
  const found = look(path)
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

/** Undefined for a file that cannot be looked at: it is taken for the one it was. */
function look(path: string): Look | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? NOTHING
  } catch {
    return undefined
  }
}
