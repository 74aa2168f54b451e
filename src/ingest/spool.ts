/**
 * What hook clients wrote down while the daemon was away or stuck. Drained in source order: file names are ids,
 * and ids sort by time. A file is deleted only after its event is in the journal; ids make a second try harmless.
 * Hooks wait for the same loop, so it is all done in slices, also where nothing in the folder is an event.
 */

import { existsSync, mkdirSync } from 'node:fs'
import { lookAtSpool, type SpoolLook } from '../client/spool-look.ts'
import { messageOf } from '../core/errors.ts'
import { type Watching, watchPath } from '../core/files/watch-files.ts'
import type { Log } from '../core/log.ts'
import { counted } from '../core/text/text.ts'
import { Slices } from '../core/time/slices.ts'
import type { HookMessage } from './frames.ts'
import type { Pipeline } from './pipeline.ts'
import { rawEventOf } from './raw-event.ts'
import { type Cleared, type SortedNames, SpoolFolder } from './spool-folder.ts'

export interface SpoolOptions {
  readonly dir: string
  readonly pipeline: Pipeline
  readonly log: Log
  /** Whether secrets are taken out of what is set aside. */
  readonly redaction?: () => boolean
  /** Told of each file that was no event. */
  readonly cleared?: (what: Cleared) => void
}

const GROUP = 256 // files that share one commit
const GROUP_BYTES = 16 * 1024 * 1024 // or fewer, when they are large: a group is in memory at once
const RETRY_MS = 2_000 // for what the journal does not take now, as on a full disk
const SETTLE_MS = 20 // clients come in bursts; one drain for a burst

export class Spool {
  readonly #options: SpoolOptions
  readonly #folder: SpoolFolder
  #watcher: Watching | undefined
  #draining: Promise<number> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #waiting = 0
  #noEvents = 0

  constructor(options: SpoolOptions) {
    this.#options = options
    this.#folder = new SpoolFolder(options.dir, options.log, {
      redaction: () => options.redaction?.() === true,
      cleared: (what) => {
        if (what === 'no event, removed') this.#noEvents += 1
        options.cleared?.(what)
      },
    })
  }

  /** Frames that waited at the last look, and were not taken since. */
  get waiting(): number {
    return this.#waiting
  }

  /** What is there now. */
  look(): Promise<SpoolLook> {
    return lookAtSpool(this.#options.dir)
  }

  async left(): Promise<number> {
    return (await this.look()).frames
  }

  /** Drains everything that is there, for at most `budgetMs`; answers how many events it took. */
  drain(budgetMs = Number.POSITIVE_INFINITY): Promise<number> {
    this.#draining ??= this.#drain(budgetMs).finally(() => {
      this.#draining = undefined
    })
    return this.#draining
  }

  /** What killed clients left, and frames whose arrival the watch missed. */
  async tidy(now = Date.now()): Promise<void> {
    await this.#folder.clearDrafts(new Slices(true), now)
    await this.drain()
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
    this.#timer ??= setTimeout(async () => {
      this.#timer = undefined
      await this.#draining // it may have made its last list before this file came
      void this.drain()
    }, ms)
  }

  async #drain(budgetMs: number): Promise<number> {
    const until = performance.now() + budgetMs
    const { log } = this.#options
    const tried = new Set<string>() // a file that can neither be read nor moved must not be tried for ever
    let taken = 0
    this.#noEvents = 0
    try {
      for (let more = true; more; ) {
        const slices = new Slices(this.#watcher !== undefined)
        const names = await this.#folder.frames(slices)
        const round = await this.#round(names, tried, slices, until)
        taken += round.taken
        more = round.more
      }
    } catch (error) {
      log.error('spool', `cannot be drained: ${messageOf(error)}`)
    }
    if (taken > 0) log.info('spool', `taken from the spool into the journal: ${counted(taken, 'event')}`)
    if (this.#noEvents > 0)
      log.warn('spool', `${this.#noEvents} more files that were no events were removed; see: gantry doctor`)
    return taken
  }

  /** Everything on one list. There may be more when it moved something. */
  async #round(names: SortedNames, tried: Set<string>, slices: Slices, until: number) {
    this.#waiting = names.length
    let taken = 0
    let more = false
    let group: Promise<boolean>[] = []
    let bytes = 0
    const settle = async () => {
      const stored = await Promise.all(group)
      group = []
      bytes = 0
      taken += stored.filter(Boolean).length
      await slices.rest()
      return !stored.includes(false)
    }
    for (const name of names) {
      if (tried.has(name)) continue
      if (group.length === 0 && tried.size > 0 && performance.now() > until) break // what shares a commit is read whole
      tried.add(name)
      more = true
      bytes += this.#folder.sizeOf(name)
      const message = await this.#folder.read(name)
      if (message) group.push(this.#take(name, message))
      else this.#waiting -= 1
      const isFull = group.length >= GROUP || bytes >= GROUP_BYTES
      if (!isFull && !(slices.isOver && (this.#watcher || group.length === 0))) continue
      if (await settle()) continue
      if (this.#watcher) this.#soon(RETRY_MS)
      return { taken, more: false }
    }
    if (!more) return { taken, more }
    const isStored = await settle()
    if (!isStored && this.#watcher) this.#soon(RETRY_MS)
    return { taken, more: more && isStored && performance.now() <= until }
  }

  /** False when the journal does not take the event now. */
  async #take(name: string, { header, payload, cutFrom }: HookMessage): Promise<boolean> {
    const delivery = { payload, transport: 'spool', receivedAt: Date.now() } as const
    const rawEvent = rawEventOf(header, cutFrom === undefined ? delivery : { ...delivery, cutFrom })
    const stored = await new Promise<boolean>((resolve) =>
      this.#options.pipeline.take(rawEvent, (reply) => resolve(reply !== undefined)),
    )
    if (!stored) return false
    this.#folder.remove(name)
    this.#waiting -= 1
    return true
  }
}
