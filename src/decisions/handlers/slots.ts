/**
 * How many handlers run at once, and how many wait. Those that an agent waits for come first, and the others never
 * take their room. Of the others, those of one session run one after the other, in the order of their events.
 */
interface Task<T> {
  /** Set where no agent waits: whose events they are. */
  readonly session?: string
  /** Kept in memory while it waits. */
  readonly bytes: number
  run(): Promise<T>
}

export interface SlotLimits {
  readonly running: number
  /** How many of the running ones may be tasks that no agent waits for. */
  readonly watching: number
  /** For each kind of task. */
  readonly queued: number
  readonly queuedBytes: number
}

interface Queued {
  readonly session: string | undefined
  readonly bytes: number
  start(): Promise<void>
}

class Queue {
  readonly #tasks: Queued[] = []
  #bytes = 0

  hasRoom(bytes: number, { queued, queuedBytes }: SlotLimits): boolean {
    return this.#tasks.length < queued && this.#bytes + bytes <= queuedBytes
  }

  push(task: Queued): void {
    this.#tasks.push(task)
    this.#bytes += task.bytes
  }

  /** The first that may run. */
  take(mayRun: (task: Queued) => boolean = () => true): Queued | undefined {
    const at = this.#tasks.findIndex(mayRun)
    const [task] = at < 0 ? [] : this.#tasks.splice(at, 1)
    this.#bytes -= task?.bytes ?? 0
    return task
  }
}

export class Slots {
  readonly #limits: SlotLimits
  readonly #asked = new Queue()
  readonly #watching = new Queue()
  /** Sessions whose events are being watched, one task each. */
  readonly #sessions = new Set<string>()
  #running = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /** Nothing when too many wait already. */
  take<T>({ session, bytes, run }: Task<T>): Promise<T> | undefined {
    const queue = session === undefined ? this.#asked : this.#watching
    if (!queue.hasRoom(bytes, this.#limits)) return undefined
    return new Promise((resolve, reject) => {
      queue.push({ session, bytes, start: () => run().then(resolve, reject) })
      this.#next()
    })
  }

  #next(): void {
    while (this.#running < this.#limits.running) {
      const task = this.#asked.take() ?? this.#nextWatching()
      if (!task) return
      const { session } = task
      this.#running += 1
      if (session !== undefined) this.#sessions.add(session)
      void task.start().finally(() => {
        this.#running -= 1
        if (session !== undefined) this.#sessions.delete(session)
        this.#next()
      })
    }
  }

  #nextWatching(): Queued | undefined {
    if (this.#sessions.size >= this.#limits.watching) return undefined
    return this.#watching.take(({ session }) => !this.#sessions.has(session ?? ''))
  }
}
