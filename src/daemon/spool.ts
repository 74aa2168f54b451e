/**
 * What hook clients wrote down while the daemon was away or stuck. Drained in source order: file names are ids,
 * and ids sort by time. A file is deleted only after its event is in the journal; ids make a second try harmless.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { HEADER_LIMIT_BYTES, PAYLOAD_LIMIT_BYTES } from '../client/wire.ts'
import { messageOf } from '../errors.ts'
import { arrivalOf } from './arrivals.ts'
import { FrameReader } from './frames.ts'
import type { Log } from './log.ts'
import type { Pipeline } from './pipeline.ts'
import { withoutSecrets } from './revive.ts'
import { type Watching, watchPath } from './watching.ts'

export interface SpoolOptions {
  readonly dir: string
  readonly pipeline: Pipeline
  readonly log: Log
  readonly redaction?: () => boolean
}

const GROUP = 256 // files that share one commit
const GROUP_BYTES = 16 * 1024 * 1024 // or fewer, when they are large: a group is in memory at once
const RETRY_MS = 2_000 // for what the journal does not take now, as on a full disk
const SETTLE_MS = 20 // clients come in bursts; one drain for a burst
const ORPHAN_MS = 3_600_000 // a temporary file this old has no living writer
const MAX_BAD_FILES = 100
const FILE_LIMIT_BYTES = HEADER_LIMIT_BYTES + PAYLOAD_LIMIT_BYTES + 1

export class Spool {
  readonly #options: SpoolOptions
  #watcher: Watching | undefined
  #draining: Promise<number> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: SpoolOptions) {
    this.#options = options
    mkdirSync(options.dir, { recursive: true, mode: 0o700 })
    if (!lstatSync(options.dir).isDirectory()) throw new Error(`${options.dir} is not a folder`)
  }

  /** Frames that wait. */
  waiting(): number {
    return this.#files().length
  }

  /** Drains everything that is there, for at most `budgetMs`; answers how many events it took. */
  drain(budgetMs = Number.POSITIVE_INFINITY): Promise<number> {
    this.#draining ??= this.#drain(budgetMs).finally(() => {
      this.#draining = undefined
    })
    return this.#draining
  }

  /** From now on, drains whatever is put there, and tries again what could not be stored. */
  watch(): void {
    const { dir } = this.#options
    this.#watcher = watchPath(dir, (_kind, name) => {
      if (!existsSync(dir)) this.#watchAgain()
      else if (name === null || name.endsWith('.frame')) this.#soon()
    })
  }

  close(): void {
    this.#watcher?.close()
    this.#watcher = undefined
    clearTimeout(this.#timer)
  }

  /** Somebody took the folder away, and the watch with it. */
  #watchAgain(): void {
    if (!this.#watcher) return
    try {
      this.#watcher.close()
      mkdirSync(this.#options.dir, { recursive: true, mode: 0o700 })
      this.watch()
      this.#soon()
    } catch (error) {
      this.#options.log.error('spool', `cannot be watched: ${messageOf(error)}`)
    }
  }

  #soon(ms = SETTLE_MS): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.drain()
    }, ms)
  }

  async #drain(budgetMs: number): Promise<number> {
    const until = performance.now() + budgetMs
    const tried = new Set<string>() // a file that can neither be read nor moved must not be tried for ever
    const { log } = this.#options
    let taken = 0
    try {
      for (
        let files = this.#files();
        files.length > 0;
        files = this.#files().filter((it) => !tried.has(it))
      ) {
        for (const group of this.#groups(files)) {
          if (performance.now() > until) return taken
          for (const file of group) tried.add(file)
          const stored = await Promise.all(group.map((file) => this.#take(file)))
          taken += stored.filter(Boolean).length
          if (stored.includes(false)) {
            if (this.#watcher) this.#soon(RETRY_MS)
            return taken
          }
        }
      }
    } catch (error) {
      log.error('spool', `cannot be drained: ${messageOf(error)}`)
    }
    if (taken > 0) log.info('spool', `${taken} events that waited are in the journal now`)
    return taken
  }

  /** Files that are read and stored together. */
  *#groups(files: readonly string[]): Generator<string[]> {
    let group: string[] = []
    let bytes = 0
    for (const file of files) {
      group.push(file)
      bytes += lstatSync(join(this.#options.dir, file), { throwIfNoEntry: false })?.size ?? 0
      if (group.length < GROUP && bytes < GROUP_BYTES) continue
      yield group
      group = []
      bytes = 0
    }
    if (group.length > 0) yield group
  }

  /** False when the journal does not take the event now; nothing when there was no event to take. */
  async #take(file: string): Promise<boolean | undefined> {
    const { dir, pipeline } = this.#options
    const path = join(dir, file)
    const message = this.#read(path)
    if (!message) return undefined
    const { header, payload, cutFrom } = message
    const delivery = { payload, transport: 'spool', receivedAt: Date.now() } as const
    const arrival = arrivalOf(header, cutFrom === undefined ? delivery : { ...delivery, cutFrom })
    const stored = await new Promise<boolean>((resolve) =>
      pipeline.take(arrival, (reply) => resolve(reply !== undefined)),
    )
    if (stored) rmSync(path, { force: true })
    return stored
  }

  #read(path: string) {
    try {
      const messages = new FrameReader().push(readWhole(path))
      const [message] = messages
      if (messages.length === 1 && message?.kind === 'hook') return message
      this.#setAside(path, message?.kind === 'bad' ? message.reason : 'not one whole frame')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#setAside(path, messageOf(error))
    }
    return undefined
  }

  #setAside(path: string, why: string): void {
    const { dir, log } = this.#options
    const bad = join(dir, 'bad')
    try {
      mkdirSync(bad, { recursive: true, mode: 0o700 })
      const kept = readdirSync(bad)
      const aside = join(bad, path.slice(path.lastIndexOf('/') + 1))
      if (this.#options.redaction?.()) cleanFile(path)
      if (kept.length < MAX_BAD_FILES) renameSync(path, aside)
      else rmSync(path, { force: true, recursive: true })
      log.warn('spool', `${path} set aside in ${bad}: ${why}`)
    } catch (error) {
      log.error('spool', `${path} cannot be set aside: ${messageOf(error)}`)
    }
  }

  /** None while the folder is gone. */
  #files(): string[] {
    const files: string[] = []
    for (const name of existsSync(this.#options.dir) ? readdirSync(this.#options.dir) : []) {
      if (name.endsWith('.frame')) files.push(name)
      else if (name.startsWith('.tmp-')) this.#removeOrphan(name)
    }
    return files.sort()
  }

  #removeOrphan(name: string): void {
    const path = join(this.#options.dir, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat && Date.now() - stat.mtimeMs > ORPHAN_MS) rmSync(path, { force: true })
  }
}

function readWhole(path: string): Buffer {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(fd)
    const { size } = stat
    if (!stat.isFile()) throw new Error('not a file')
    if (size > FILE_LIMIT_BYTES) throw new Error('larger than any frame')
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

/** What is set aside stays until somebody has looked at it; the secrets in it do not. */
function cleanFile(path: string): void {
  try {
    const { raw, count } = withoutSecrets(readWhole(path))
    if (count > 0) writeFileSync(path, raw)
  } catch {
    // Not a file, or larger than any frame: nobody could have read it either.
  }
}
