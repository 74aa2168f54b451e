/**
 * A reader without a checkpoint: it gets pages until it has caught up, then each commit as it comes. When it is full,
 * it continues from its position later. Nothing is buffered for it, so nothing can grow.
 */

import type { MessageKind } from '../../store/index.ts'
import { Cursor, type Filter, type Place } from '../streams/index.ts'
import { type Batch, Encoded, type Form, PIECE_CHARS } from './batch.ts'
import type { Stream } from './stream.ts'

export interface Sink {
  /** False if the reader is full; `resume` is called when it has room again. */
  send(bytes: Uint8Array): boolean
  /** No more messages will come, and why. */
  fail(error: unknown): void
}

export interface ReaderOptions {
  readonly filter: Filter
  readonly place: Place
  readonly form: Form
  /** Once the reader lags: of bursty types, send only the latest per session. */
  readonly coalesce: boolean
}

/**
 * Bursty types of which only the latest matters: progress and measurements. A slow reader that asks for it gets the
 * latest per session; all other readers, durable consumers and the journal keep every one.
 */
export const BURSTY: ReadonlySet<string> = new Set([
  'PreModelRequest', // Gemini sends these around every request to the model, several per second
  'PostModelRequest',
  'PreToolSelection',
  'StatusLine', // Claude redraws it up to three times per second
  'UsageObserved', // cumulative: each one includes those before
  'MessageDisplay', // text while it is being written
])

export class Reader {
  readonly #stream: Stream
  readonly #sink: Sink
  readonly #options: ReaderOptions
  readonly #cursor: Cursor
  readonly #unfollow: () => void
  #caughtUp = false
  /** Since when it is full, by the monotonic clock. */
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

  /** How long it has taken nothing. */
  get stalledMs(): number {
    return this.#fullSince === undefined ? 0 : performance.now() - this.#fullSince
  }

  /** Continues page by page until it has caught up or the reader is full. */
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

  /** False if the reader is full. */
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

/** Messages that a later one of the same session and type supersedes. */
function superseded(kinds: readonly MessageKind[]): Set<number> {
  const latest = new Map<string, number>()
  const gone = new Set<number>()
  for (const { seq, type, session } of kinds) {
    if (!BURSTY.has(type)) continue
    const key = `${type}\n${session}`
    const before = latest.get(key)
    if (before !== undefined) gone.add(before)
    latest.set(key, seq)
  }
  return gone
}
