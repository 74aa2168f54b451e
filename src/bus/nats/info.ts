/**
 * nats-info.json: the server's address and credentials, for subscribers. Private, replaced atomically, and removed when
 * the daemon stops.
 */
import { lstatSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rememberInfo, removeInfo } from '../../client/nats-info.ts'
import { messageOf } from '../../core/errors.ts'
import { writeAtomic } from '../../core/files/private-files.ts'
import type { NatsInfo } from '../../rpc/index.ts'
import type { BusLog } from './problem.ts'

export function natsInfo(server: string, token: string): NatsInfo {
  const port = Number(/:(\d+)$/.exec(server)?.[1] ?? 4222)
  return { url: `nats://${server}`, port, token, jetstream: true, stream: 'HOOK_EVENTS', subjects: 'hooks.>' }
}

export class InfoFiles {
  readonly #own: string
  /** Where consumers of bd look for it, in a folder that is not ours. */
  readonly #beads: string | undefined
  /** Where the written paths are recorded. */
  readonly #dir: string
  readonly #log: BusLog

  constructor(own: string, beadsDir: string | undefined, dir: string, log: BusLog) {
    this.#own = own
    this.#beads = beadsDir ? join(beadsDir, '.runtime', 'nats-info.json') : undefined
    this.#dir = dir
    this.#log = log
  }

  write(info: NatsInfo): void {
    const text = `${JSON.stringify(info, null, 2)}\n`
    // Recorded first, so that a file written later is found even after a crash.
    try {
      removeInfo(this.#dir, this.#files())
      rememberInfo(this.#dir, { files: this.#files(), text })
    } catch (error) {
      this.#log.warn('nats', `the record of nats-info.json cannot be written: ${messageOf(error)}`)
    }
    for (const file of this.#files()) {
      try {
        if (file === this.#beads) makeSafe(dirname(file))
        writeAtomic(file, text)
      } catch (error) {
        this.#log.warn('nats', `${file} cannot be written: ${messageOf(error)}`)
      }
    }
  }

  /** Removes only files that are still ours: another daemon may have written there since. */
  remove(): void {
    try {
      removeInfo(this.#dir)
    } catch (error) {
      this.#log.warn('nats', `nats-info.json cannot be removed: ${messageOf(error)}`)
    }
  }

  #files(): string[] {
    return this.#beads === undefined ? [this.#own] : [this.#own, this.#beads]
  }
}

/** The file holds a token and that folder may come from a repository, so it must not be a link. */
function makeSafe(dir: string): void {
  if (!lstatSync(dir, { throwIfNoEntry: false })) mkdirSync(dir, { mode: 0o700 })
  const stat = lstatSync(dir)
  if (!stat.isDirectory()) throw new Error(`${dir} is a link or a file, not a folder`)
  if (stat.uid !== process.getuid?.()) throw new Error(`${dir} belongs to another user`)
}
