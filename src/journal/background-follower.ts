/**
 * A follower with its own loop, off the hook path. Committed items wait in a short queue. The loop processes the queue, and
 * the journal where the queue was full, in slices with pauses between them. A failure ends only the slice: the loop retries
 * from its beginning. The mark is saved a moment later, so a crash repeats a little and misses nothing.
 *
 *   const follower = new BackgroundFollower({ after: marks.get('x'), read, take, flush, save, … })
 *   follower.push(events)   // after each commit
 *   follower.close()        // saves the mark
 */
import { Alarm } from '../core/time/alarm.ts'
import { backoff } from '../core/time/waits.ts'
import { Follower, type FollowerOptions, type Sequenced } from './follower.ts'

export interface BackgroundOptions<T extends Sequenced>
  extends Pick<FollowerOptions<T>, 'after' | 'lastSeq' | 'read'> {
  /** While false, everything is skipped. */
  readonly enabled: () => boolean
  /** Takes one item, within the budget of a slice. */
  readonly take: (item: T) => void
  /** Runs after each slice. If it throws, the slice is repeated. */
  readonly flush?: () => void | Promise<void>
  /** Items per slice, and the limit of the queue. */
  readonly slice: number
  readonly queue: number
  readonly sizeOf?: (item: T) => number
  readonly queueBytes?: number
  readonly budgetMs?: () => number
  /** Pause between two slices. */
  readonly pauseMs?: () => number
  /** Saves the mark with its data; false if it is too early. */
  readonly save: (seq: number) => boolean
  readonly saveMs: number
  readonly failed: (error: unknown) => void
}

const RETRY_SAVE_MS = 500
const LAST_RETRY_MS = 30_000

export class BackgroundFollower<T extends Sequenced> {
  readonly #options: BackgroundOptions<T>
  readonly #ahead: Follower<T>
  #queue: T[] = []
  #queueBytes = 0
  /** Everything up to here is done. */
  #mark: number
  #saved: number
  readonly #next = new Alarm(() => this.run())
  readonly #saver = new Alarm(() => this.save())
  /** The next slice is scheduled for the next turn of the event loop. */
  #isSoon = false
  #running: Promise<void> | undefined
  #failures = 0
  #notBefore = 0
  #waiters: { readonly seq: number; readonly done: () => void }[] = []
  #closed = false

  constructor(options: BackgroundOptions<T>) {
    this.#options = options
    this.#mark = options.after
    this.#saved = options.after
    this.#ahead = new Follower({
      ...options,
      take: (item) => this.#enqueue(item),
      hasRoom: () => this.#hasRoom(),
      slice: { rows: options.slice },
    })
  }

  get mark(): number {
    return this.#mark
  }

  /** Items in the queue, without those only in the journal. */
  get queued(): number {
    return this.#queue.length
  }

  get isBehind(): boolean {
    return this.#ahead.isBehind
  }

  push<E extends Sequenced>(events: readonly E[], itemOf: (event: E) => T | undefined): void {
    const isOn = this.#options.enabled()
    for (const event of events) {
      if (event.seq !== this.#ahead.at + 1 || !this.#hasRoom()) return
      this.#ahead.moveTo(event.seq)
      const item = isOn ? itemOf(event) : undefined
      if (item) this.#enqueue(item)
    }
  }

  /** Runs within this time, unless it backs off after a failure. */
  wake(delayMs: number): void {
    if (this.#closed || this.#running || this.#isSoon) return
    this.#next.within(Math.max(delayMs, this.#notBefore - performance.now()))
  }

  /** Runs now, and continues by itself while there is more. */
  run(): void {
    if (this.#closed || this.#running || this.#isSoon) return
    this.#next.clear()
    let flushed: void | Promise<void>
    try {
      flushed = this.#slice(this.#options.budgetMs?.())
    } catch (error) {
      this.#fail(error)
      return
    }
    if (!(flushed instanceof Promise)) this.#goOn()
    else
      this.#running = flushed
        .then(
          () => this.#moved(),
          (error: unknown) => ({ error }),
        )
        .then((problem) => {
          this.#running = undefined
          if (problem) this.#fail(problem.error)
          else this.#goOn()
        })
  }

  /** One slice for a waiting caller; true if there is more. */
  readOn(budgetMs: number): boolean {
    void this.#slice(budgetMs)
    return this.#hasMore
  }

  /** Resolves when everything up to `seq` is done, at the latest after `ms`. */
  reached(seq: number, ms: number): Promise<void> {
    if (this.#mark >= seq || this.#closed) return Promise.resolve()
    return new Promise((resolve) => {
      const waiter = { seq, done: resolve }
      const timer = setTimeout(() => waiter.done(), ms)
      waiter.done = () => {
        clearTimeout(timer)
        this.#waiters = this.#waiters.filter((one) => one !== waiter)
        resolve()
      }
      this.#waiters.push(waiter)
    })
  }

  /** Drops queued items and continues from the mark. */
  rewind(): void {
    this.#queue = []
    this.#queueBytes = 0
    this.#ahead.moveTo(this.#mark)
  }

  saveWithin(ms: number): void {
    if (!this.#closed) this.#saver.within(ms)
  }

  save(): void {
    this.#saver.clear()
    if (this.#mark === this.#saved) return
    const seq = this.#mark
    try {
      if (this.#options.save(seq)) this.#saved = seq
    } catch (error) {
      this.#options.failed(error)
    }
    if (this.#saved !== seq) this.saveWithin(RETRY_SAVE_MS)
  }

  /** Closes at once, or after the current slice. */
  close(): void | Promise<void> {
    this.#next.clear()
    this.#closed = true
    return this.#running ? this.#running.then(() => this.#end()) : this.#end()
  }

  #end(): void {
    this.save()
    for (const { done } of [...this.#waiters]) done()
  }

  get #hasMore(): boolean {
    return this.#queue.length > 0 || this.#ahead.isBehind
  }

  #slice(budgetMs = Number.POSITIVE_INFINITY): void | Promise<void> {
    const { enabled, take, slice, flush, sizeOf } = this.#options
    const end = performance.now() + budgetMs
    if (!enabled()) this.#pass()
    else if (this.#queue.length === 0) this.#ahead.readOn()
    for (let taken = 0; taken < slice && performance.now() < end; taken++) {
      const item = this.#queue.shift()
      if (!item) break
      this.#queueBytes -= sizeOf?.(item) ?? 0
      try {
        take(item)
      } catch (error) {
        this.#options.failed(error) // it is skipped: it must not block the others forever
      }
    }
    const flushed = flush?.()
    if (!(flushed instanceof Promise)) this.#moved()
    return flushed
  }

  #moved(): undefined {
    this.#failures = 0
    this.#notBefore = 0
    const next = this.#queue[0]
    const mark = next ? next.seq - 1 : this.#ahead.at
    if (mark <= this.#mark) return
    this.#mark = mark
    for (const { seq, done } of this.#waiters) if (seq <= mark) done()
    this.saveWithin(this.#options.saveMs)
  }

  #pass(): void {
    this.rewind()
    this.#ahead.moveTo(this.#options.lastSeq())
  }

  #goOn(): void {
    if (!this.#hasMore) return
    const { pauseMs } = this.#options
    if (this.#queue.length === 0 && pauseMs) this.wake(pauseMs())
    else {
      this.#isSoon = true
      setImmediate(() => {
        this.#isSoon = false
        this.run()
      })
    }
  }

  #fail(error: unknown): void {
    if (this.#closed) return
    this.#failures += 1
    this.#options.failed(error)
    this.rewind()
    this.#notBefore = performance.now() + backoff(this.#failures, LAST_RETRY_MS)
    this.wake(0)
  }

  #enqueue(item: T): void {
    this.#queue.push(item)
    this.#queueBytes += this.#options.sizeOf?.(item) ?? 0
  }

  #hasRoom(): boolean {
    const { queue, queueBytes = Number.POSITIVE_INFINITY } = this.#options
    return this.#queue.length < queue && this.#queueBytes < queueBytes
  }
}
