/**
 * Whether the files of the database at their paths are still the ones that are open. Somebody may remove or replace one
 * while the daemon runs: what is written then is in a file that nobody will ever read, though SQLite calls it durable.
 *
 *   const files = new DatabaseFiles('/x/gantry.db')
 *   files.watch((what) => …)   // once, soon after it happened
 *   files.areThere()           // after a commit, before anybody is told that it is durable: some 5 µs
 */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'

const LOOK_MS = 1_000 // while no commit looks

export class DatabaseFiles {
  readonly path: string
  readonly #folder: string | undefined
  readonly #known: ReadonlyMap<string, string | undefined>
  #tell: ((what: string) => void) | undefined
  #timer: ReturnType<typeof setInterval> | undefined

  /** Of a database that is open, so that all of its files are there. */
  constructor(path: string) {
    this.path = path
    this.#folder = identityOf(dirname(path))
    this.#known = new Map(['', '-wal', '-shm'].map((suffix) => [suffix, identityOf(path + suffix)]))
  }

  /** What a commit was written to: the database and its log. */
  areThere(): boolean {
    const missing = this.#isOther('') ? this.path : this.#isOther('-wal') ? `${this.path}-wal` : undefined
    if (missing !== undefined) this.#lost(missing)
    return missing === undefined
  }

  /** Nobody removed the folder with everything in it. */
  isFolderThere(): boolean {
    return identityOf(dirname(this.path)) === this.#folder
  }

  /** `dev ino` of the database that is open. */
  get identity(): string | undefined {
    return this.#known.get('')
  }

  watch(tell: (what: string) => void): void {
    this.#tell = tell
    this.#timer = setInterval(() => this.look(), LOOK_MS)
  }

  /** Looks at all of them now. */
  look(): boolean {
    if (!this.areThere()) return false
    if (!this.#isOther('-shm')) return true
    this.#lost(`${this.path}-shm`)
    return false
  }

  close(): void {
    clearInterval(this.#timer)
    this.#tell = undefined
  }

  #isOther(suffix: string): boolean {
    const known = this.#known.get(suffix)
    const now = suffix === '' && isEmpty(this.path) ? GONE : identityOf(this.path + suffix)
    return known !== undefined && now !== undefined && now !== known
  }

  /** Not within the commit that found it out. */
  #lost(what: string): void {
    const tell = this.#tell
    this.close() // once is enough
    if (tell) setImmediate(tell, what)
  }
}

const GONE = 'gone'

/** Emptied in place, as `: > file` does: a database that is open has a page at least. */
function isEmpty(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === 0
}

/** Undefined for a file that cannot be looked at: it is taken for the one it was. */
function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found ? `${found.dev} ${found.ino}` : GONE
  } catch {
    return undefined
  }
}
