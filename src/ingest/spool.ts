/**
 * Frames that hook clients wrote while the daemon was down or stuck. Drained in the order of their creation: file names are
 * ids, and ids sort by time. A file is deleted only after its event is in the journal; ids make a retry harmless. Hooks
 * wait for the same event loop, so all work is done in slices, even for files that are not events.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { lookAtSpool, type SpoolLook } from '../client/spool-look.ts'
import { messageOf } from '../core/errors.ts'
import { type Watching, watchPath } from '../core/files/watch-files.ts'
import type { Log } from '../core/log.ts'
import { counted } from '../core/text/text.ts'
import { Alarm } from '../core/time/alarm.ts'
import { Slices } from '../core/time/slices.ts'
import type { HookMessage } from './frames.ts'
import type { Pipeline } from './pipeline.ts'
import { rawEventOf } from './raw-event.ts'
import { type Cleared, type SortedNames, SpoolFolder } from './spool-folder.ts'

export interface SpoolOptions {
  readonly dir: string
  readonly pipeline: Pipeline
  readonly log: Log
  /** Whether secrets are removed from files that are set aside. */
  readonly redaction?: () => boolean
  /** Called for each file that is not an event. */
  readonly cleared?: (what: Cleared) => void
}

const GROUP = 256 // files that share one commit
const GROUP_BYTES = 16 * 1024 * 1024 // or fewer large ones, because a group is in memory at once
const RETRY_MS = 2_000 // for what the journal does not store now, as on a full disk
const SETTLE_MS = 20 // clients come in bursts; one drain per burst

export class Spool {
  readonly #options: SpoolOptions
  readonly #folder: SpoolFolder
  #watcher: Watching | undefined
  #draining: Promise<number> | undefined
  readonly #next = new Alarm(() => void this.#drainNew())
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

  /** Frames found at the last look and not taken since. */
  get waiting(): number {
    return this.#waiting
  }

  /** The current contents. */
  look(): Promise<SpoolLook> {
    return lookAtSpool(this.#options.dir)
  }

  async left(): Promise<number> {
    return (await this.look()).frames
  }

  /** Drains everything, for at most `budgetMs`; returns the number of events. */
  drain(budgetMs = Number.POSITIVE_INFINITY): Promise<number> {
    this.#draining ??= this.#drain(budgetMs).finally(() => {
      this.#draining = undefined
    })
    return this.#draining
  }

  /** Clears what killed clients left, and takes frames that the watch missed. */
  async tidy(now = Date.now()): Promise<void> {
    await this.#folder.clearDrafts(new Slices(true), now)
    await this.drain()
  }

  /** From now on drains new files, and retries what could not be stored. */
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
    this.#next.clear()
  }

  /** The folder was removed, and the watch with it. */
  #watchAgain(): void {
    if (!this.#watcher) return
    try {
      this.#watcher.close()
      mkdirSync(this.#options.dir, { recursive: true, mode: 0o700 })
      this.watch()
      this.#soon()
    } catch (error) {
      this.#options.log.error('spool', `cannot watch the spool: ${messageOf(error)}`)
    }
  }

  /** A new file does not shorten a retry. */
  #soon(ms = SETTLE_MS): void {
    if (!this.#next.isSet) this.#next.within(ms)
  }

  async #drainNew(): Promise<void> {
    await this.#draining // its last list may be older than the new file
    void this.drain()
  }

  async #drain(budgetMs: number): Promise<number> {
    const until = performance.now() + budgetMs
    const { log } = this.#options
    const tried = new Set<string>() // a file that can neither be read nor moved must not be tried forever
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
      log.error('spool', `cannot drain the spool: ${messageOf(error)}`)
    }
    if (taken > 0) log.info('spool', `moved ${counted(taken, 'event')} from the spool into the journal`)
    if (this.#noEvents > 0)
      log.warn('spool', `removed ${this.#noEvents} more files that are not events; run: gantry doctor`)
    return taken
  }

  /** Processes one list. There may be more if it moved something. */
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
      if (group.length === 0 && tried.size > 0 && performance.now() > until) break // files that share a commit are read together
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

  /** False if the journal cannot store the event now. */
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
