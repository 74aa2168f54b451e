/**
 * What all WebSockets together may have unsent. A snapshot of all sessions is large, and a reader that does not read leaves it in
 * memory: so snapshots are made one after the other, while there is room, and a reader that has taken nothing for a while is
 * ended. It may come again, and gets a new one.
 *
 *   room.join(socket)
 *   room.whenFree(socket, () => sendSnapshot(socket))
 */

const UNSENT_BYTES = 16 * 1024 * 1024 // of all together, before one more snapshot
const STALLED_MS = 15_000 // a browser reads on while its page is hidden
const HELD_UP_MS = 5_000 // the same while others wait for the room
const LOOK_MS = 1_000

export interface Reader {
  getBufferedAmount(): number
  terminate(): void
}

export type SendTask = () => void | Promise<void>

interface Progress {
  /** When it last took something, or had nothing to take. */
  at: number
  unsent: number
}

interface RoomLimits {
  readonly unsentBytes: number
  readonly stalledMs: number
  readonly heldUpMs: number
  readonly lookMs: number
}

const LIMITS: RoomLimits = {
  unsentBytes: UNSENT_BYTES,
  stalledMs: STALLED_MS,
  heldUpMs: HELD_UP_MS,
  lookMs: LOOK_MS,
}

export class SendRoom {
  readonly #limits: RoomLimits
  readonly #readers = new Map<Reader, Progress>()
  /** What readers wait to be sent. */
  readonly #waiting = new Map<Reader, SendTask>()
  #isBusy = false
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(limits: Partial<RoomLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits }
  }

  join(reader: Reader): void {
    this.#readers.set(reader, { at: performance.now(), unsent: 0 })
    if (this.#timer !== undefined) return
    this.#timer = setInterval(() => this.#look(), this.#limits.lookMs)
    this.#timer.unref()
  }

  leave(reader: Reader): void {
    this.#readers.delete(reader)
    this.#waiting.delete(reader)
    if (this.#readers.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    this.#next()
  }

  /** It took something. */
  drained(reader: Reader): void {
    const progress = this.#readers.get(reader)
    if (progress) progress.at = performance.now()
    this.#next()
  }

  /** Runs what sends a lot to this reader: at once if there is room and nobody else is at it. */
  whenFree(reader: Reader, task: SendTask): void {
    this.#waiting.set(reader, task)
    this.#next()
  }

  #next(): void {
    if (this.#isBusy || this.#waiting.size === 0 || this.#unsent() >= this.#limits.unsentBytes) return
    // The newest first: somebody looks at it now, and those who read wait for nobody.
    const [reader, task] = [...this.#waiting].at(-1) ?? []
    if (!reader || !task) return
    this.#waiting.delete(reader)
    this.#isBusy = true
    const made = task()
    if (made) void made.finally(() => this.#done())
    else this.#done()
  }

  #done(): void {
    this.#isBusy = false
    this.#next()
  }

  #unsent(): number {
    let bytes = 0
    for (const reader of this.#readers.keys()) bytes += reader.getBufferedAmount()
    return bytes
  }

  #look(): void {
    const now = performance.now()
    const { stalledMs, heldUpMs } = this.#limits
    const longest = this.#waiting.size > 0 ? heldUpMs : stalledMs
    for (const [reader, progress] of [...this.#readers]) {
      const unsent = reader.getBufferedAmount()
      if (unsent === 0 || unsent < progress.unsent) progress.at = now
      progress.unsent = unsent
      if (now - progress.at >= longest) reader.terminate()
    }
    this.#next()
  }
}
