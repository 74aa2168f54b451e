/**
 * What a stream holds: the last 10,000 messages or 100 MiB, oldest out first; and below that window the last few of
 * every recently active session (the floor), so that a busy session does not displace the last messages of the others.
 * The journal itself keeps more; retention decides how much.
 */
import type { Store, StreamRows } from '../../store/index.ts'
import { KEPT } from '../../store/kept.ts'
import { SESSION_FLOOR } from './names.ts'
import type { Source } from './sources.ts'

export interface View {
  /** First sequence of the window. */
  readonly start: number
  readonly end: number
  /** Payload bytes in the window. */
  readonly bytes: number
  /** Sequences below the window that are kept, ascending. */
  readonly floor: readonly number[]
}

interface RangeLimits {
  readonly messages: number
  readonly bytes: number
  readonly perSession: number
}

const LIMITS: RangeLimits = {
  messages: KEPT.streamMessages,
  bytes: KEPT.streamBytes,
  perSession: SESSION_FLOOR,
}
const FLOOR_SESSIONS = 500 // with 20 messages each, the floor is at most as long as the window
const VIEW_AGE_MS = 1_000 // finding the floor takes 5 ms; concurrent readers share one
const WHOLE = 4_096 // rows per step while somebody waits

export class KeptRange {
  readonly #store: Store
  readonly #source: Source
  readonly #rows: StreamRows
  readonly #limits: RangeLimits
  /** Ring buffer by sequence, so that leaving the window needs no disk access. */
  readonly #sizes: Uint32Array
  #start = 1
  #end = 0
  #bytes = 0
  #view: { view: View; at: number } | undefined
  readonly #now: () => number

  constructor(store: Store, source: Source, limits = LIMITS, now = () => performance.now()) {
    this.#store = store
    this.#source = source
    this.#rows = store.rowsOf(source.name)
    this.#limits = limits
    this.#now = now
    this.#sizes = new Uint32Array(limits.messages)
  }

  /** First sequence of the window, as far as it is known. */
  get start(): number {
    return this.#start
  }

  view(): View {
    while (this.advance(WHOLE));
    const first = Math.max(1, this.#source.firstSeq())
    while (this.#start < first && this.#start <= this.#end) this.#drop() // retention was faster
    if (this.#view && this.#isFresh(this.#view)) return { ...this.#view.view, end: this.#end }
    const view = { start: this.#start, end: this.#end, bytes: this.#bytes, floor: this.#floor() }
    this.#view = { view, at: this.#now() }
    return view
  }

  /** Takes in a new message whose size is known. If those before it are missing, `advance` reads it with them. */
  note(seq: number, bytes: number): void {
    if (seq === this.#end + 1) this.#take(seq, bytes)
  }

  /** Takes in that many new messages and drops expired ones; true if there are more. */
  advance(limit: number): boolean {
    const last = this.#source.lastSeq()
    if (last === this.#end) return false
    const first = Math.max(1, this.#source.firstSeq())
    const lowest = Math.max(first, last - this.#limits.messages + 1)
    if (last < this.#end || lowest > this.#end + 1) this.#startAt(lowest)
    const rows = this.#rows.sizes(this.#end, limit)
    for (const { seq, bytes } of rows) {
      if (seq !== this.#end + 1) this.#startAt(seq)
      this.#take(seq, bytes)
    }
    return rows.length > 0 && this.#end < last
  }

  #isFresh({ view, at }: { view: View; at: number }): boolean {
    const moved = this.#start - view.start
    const isSame = moved === 0 && view.end === this.#end
    return isSame || (this.#now() - at < VIEW_AGE_MS && moved < this.#limits.messages / 100)
  }

  #take(seq: number, bytes: number): void {
    while (seq - this.#start >= this.#limits.messages) this.#drop()
    this.#sizes[seq % this.#sizes.length] = bytes
    this.#bytes += bytes
    this.#end = seq
    while (this.#bytes > this.#limits.bytes && this.#start < this.#end) this.#drop()
  }

  #drop(): void {
    this.#bytes -= this.#sizes[this.#start % this.#sizes.length] ?? 0
    this.#start += 1
  }

  #startAt(seq: number): void {
    this.#start = seq
    this.#end = seq - 1
    this.#bytes = 0
  }

  #floor(): number[] {
    if (this.#source.firstSeq() >= this.#start) return []
    const floor: number[] = []
    for (const session of new Set(this.#store.sessions.lately(FLOOR_SESSIONS))) {
      for (const seq of this.#rows.tail(session, this.#limits.perSession)) {
        if (seq < this.#start) floor.push(seq)
      }
    }
    return floor.sort((a, b) => a - b)
  }
}
