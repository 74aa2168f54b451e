/**
 * A reader that keeps no place: it gets pages until it has caught up, then each commit as it comes; when it has no
 * room, it goes on from its place later. Nothing is kept for it, so nothing can grow.
 */
import { type Batch, PIECE_CHARS } from './batch.ts'
import { superseded } from './bursty.ts'
import { Cursor, type Place } from './cursor.ts'
import { Encoded, type Form } from './encode.ts'
import type { Filter } from './filter.ts'
import type { Stream } from './stream.ts'

export interface Sink {
  /** False when the reader is full; `resume` is called when it has room again. */
  send(bytes: Uint8Array): boolean
  /** Nothing more will come, and why. */
  fail(error: unknown): void
}

export interface ReaderOptions {
  readonly filter: Filter
  readonly place: Place
  readonly form: Form
  /** Of bursts, only the latest of each session, once the reader is behind. */
  readonly coalesce: boolean
}

export class Reader {
  readonly #stream: Stream
  readonly #sink: Sink
  readonly #options: ReaderOptions
  readonly #cursor: Cursor
  readonly #unfollow: () => void
  #caughtUp = false
  /** Since when it has no room, by the clock that is never set back. */
  #fullSince: number | undefined
  #fellBehind = false
  #scheduled = false
  #open = true

  constructor(stream: Stream, sink: Sink, options: ReaderOptions) {
    this.#stream = stream
    this.#sink = sink
    this.#options = options
    this.#cursor = new Cursor(stream.source, options.place)
    this.#unfollow = stream.follow(this)
  }

  /** For how long it has taken nothing. */
  get stalledMs(): number {
    return this.#fullSince === undefined ? 0 : performance.now() - this.#fullSince
  }

  /** Goes on from its place, page by page, until it has caught up or the reader is full. */
  resume(): void {
    if (!this.#open || this.#caughtUp) return
    this.#fullSince = undefined
    this.#caughtUp = this.#cursor.isAtEnd
    if (this.#caughtUp) this.#fellBehind = false
    else this.#soon()
  }

  push(batch: Batch): void {
    if (!this.#caughtUp || batch.last <= this.#cursor.seq) return
    const { filter, form } = this.#options
    let first = batch.first
    for (const { bytes, upTo } of batch.pieces(filter, form)) {
      if (!this.#cursor.passes(first, upTo)) break
      first = upTo + 1
      if (this.#sink.send(bytes)) continue
      this.#caughtUp = false
      this.#full()
      return
    }
    if (first > batch.last || this.#cursor.passes(first, batch.last)) return
    this.#caughtUp = false
    this.#soon()
  }

  close(): void {
    this.#open = false
    this.#unfollow()
  }

  #full(): void {
    this.#fellBehind = true
    this.#fullSince = performance.now()
  }

  #soon(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.#stream.turns.soon(() => {
      this.#scheduled = false
      this.#turn()
    })
  }

  #turn(): void {
    if (!this.#open || this.#caughtUp) return
    try {
      if (this.#page()) this.resume()
      else this.#full()
    } catch (error) {
      this.close()
      this.#sink.fail(error)
    }
  }

  /** False when the reader is full. */
  #page(): boolean {
    const { filter, form, coalesce } = this.#options
    const skips = coalesce && this.#fellBehind
    const except = skips
      ? superseded(this.#stream.rows.kinds(this.#cursor.seq, this.#cursor.pageEnd))
      : undefined
    let text = ''
    for (const message of this.#cursor.page(filter, except)) {
      text += new Encoded(message).as(form)
      if (text.length < PIECE_CHARS) continue
      if (!this.#sink.send(Buffer.from(text))) return false
      text = ''
    }
    return text === '' || this.#sink.send(Buffer.from(text))
  }
}
