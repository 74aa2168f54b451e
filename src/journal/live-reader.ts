/**
 * A live reader, on a socket or over HTTP: it gets pages until it has caught up, then each commit as it comes; when it is full, it
 * goes on from its cursor later. Nothing is buffered for it, so nothing can grow. Subscriptions to events and to the bus are both
 * this, with a cursor and a view of their own.
 */
import type { Batch, View } from './batch.ts'
import type { Sequenced } from './follower.ts'
import type { ReadTurns } from './read-turns.ts'

export interface Sink<T = Uint8Array> {
  /** False when the reader is full; `resume` is called when it has room again. */
  send(data: T): boolean
  /** Runs what sends a lot, when there is room for it; without it, at once. */
  whenFree?(task: () => void | Promise<void>): void
  /** Nothing more will come, and why. */
  fail?(error: unknown): void
}

/** Where a reader is. */
export interface LiveCursor {
  /** Everything up to here was looked at. */
  readonly seq: number
  readonly isAtEnd: boolean
  /** Whether what begins with this sequence is next. */
  isNext(seq: number): boolean
  moveTo(seq: number): void
}

export interface LiveReaderParts<T> {
  readonly cursor: LiveCursor
  /** Moves the cursor a short way on, and gives what the reader wants of it. It may be left after any item. */
  readonly page: (hasFallenBehind: boolean) => Iterable<T>
  readonly view: View<T>
  readonly sink: Sink
  readonly turns: ReadTurns
  readonly closed: () => void
}

const FAULT_PAUSE_MS = 1_000 // the database could not be read; nothing is lost by trying again
const MAX_FAULTS = 3 // in a row: then the reader is told

export class LiveReader<T extends Sequenced> {
  readonly #parts: LiveReaderParts<T>
  #caughtUp = false
  /** Since when it has no room, by the clock that is never set back. */
  #fullSince: number | undefined
  #fellBehind = false
  #faults = 0
  readonly #read = () => this.#turn()
  #open = true

  constructor(parts: LiveReaderParts<T>) {
    this.#parts = parts
  }

  /** For how long it has taken nothing. */
  get stalledMs(): number {
    return this.#fullSince === undefined ? 0 : performance.now() - this.#fullSince
  }

  /** Goes on from its cursor, page by page, until it has caught up or is full. */
  resume(): void {
    if (!this.#open || this.#caughtUp) return
    this.#fullSince = undefined
    this.#caughtUp = this.#parts.cursor.isAtEnd
    if (this.#caughtUp) this.#fellBehind = false
    else this.#parts.turns.soon(this.#read)
  }

  /** A commit. If the reader was not told of all before it, or cannot be told, the pages have what is missing. */
  push(batch: Batch<T>): void {
    const { cursor, view } = this.#parts
    if (!this.#caughtUp || batch.last <= cursor.seq) return
    let { first } = batch
    for (const { bytes, upTo } of batch.pieces(view)) {
      const told = cursor.isNext(first) ? this.#tell(bytes) : 'failed'
      if (told !== 'failed') cursor.moveTo(upTo)
      first = upTo + 1
      if (told === 'has room') continue
      this.#caughtUp = false
      if (told === 'full') this.#full()
      else this.#parts.turns.soon(this.#read)
      return
    }
  }

  close(): void {
    this.#open = false
    this.#parts.closed()
  }

  #tell(bytes: Uint8Array): 'has room' | 'full' | 'failed' {
    try {
      return bytes.length === 0 || this.#parts.sink.send(bytes) ? 'has room' : 'full'
    } catch {
      return 'failed' // it is told once more, from a page
    }
  }

  #full(): void {
    this.#fellBehind = true
    this.#fullSince = performance.now()
  }

  #turn(): void {
    if (!this.#open || this.#caughtUp) return
    const { page, view } = this.#parts
    let text = ''
    try {
      for (const item of page(this.#fellBehind)) {
        text += view.encode(item)
        if (text.length < view.pieceChars) continue
        if (!this.#send(text)) return
        text = ''
      }
      this.#faults = 0
    } catch (error) {
      this.#faults += 1
      if (this.#faults >= MAX_FAULTS) this.#end(error)
    }
    if (!this.#send(text)) return
    if (this.#faults === 0) this.resume()
    else setTimeout(() => this.resume(), FAULT_PAUSE_MS)
  }

  /** False when nothing more may be sent now. */
  #send(text: string): boolean {
    if (!this.#open || text === '') return this.#open
    try {
      if (this.#parts.sink.send(Buffer.from(text))) return true
      this.#full()
    } catch (error) {
      this.#end(error)
    }
    return false
  }

  #end(error: unknown): void {
    this.close()
    this.#parts.sink.fail?.(error)
  }
}
