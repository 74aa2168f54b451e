/**
 * Live events for subscriptions: each has a filter, begins after a sequence of the journal or with what comes, and is read by a live
 * reader.
 *
 *   const reader = feed.subscribe({ session: 's1', after: 41 }, sink)
 *   reader.resume()                     // when the sink has room again
 */
import type { HookEvent } from '../events/index.ts'
import type { EventQuery } from '../rpc/index.ts'
import type { Store } from '../store/index.ts'
import { Batch, type View } from './batch.ts'
import { matches, rowFilter, toWire } from './event-filter.ts'
import { type LiveCursor, LiveReader, type Sink } from './live-reader.ts'
import { parseRow } from './parse-event.ts'
import { ReadTurns } from './read-turns.ts'

const PAGE_SEQS = 500 // a page looks at so many, so that a rare filter never holds the loop
const PAGE_BYTES = 64 * 1024 // of payloads in one page: to parse and to write them takes about a millisecond
const BARE_PIECE_CHARS = 32 * 1024 // one message to a browser, which is to draw between two of them
const GREP_BYTES = 512 * 1024 // of payloads in which a page looks for text

export class Feed {
  readonly #store: Store
  readonly #turns: ReadTurns
  readonly #live = new Map<LiveReader<EncodedEvent>, EventQuery>()

  constructor(store: Store, turns = new ReadTurns()) {
    this.#store = store
    this.#turns = turns
  }

  get size(): number {
    return this.#live.size
  }

  /** `bare`: without payloads, many in one write. */
  subscribe(query: EventQuery, sink: Sink, form: 'whole' | 'bare' = 'whole'): LiveReader<EncodedEvent> {
    const cursor = new EventCursor(this.#store, query)
    const reader: LiveReader<EncodedEvent> = new LiveReader({
      cursor,
      page: () => cursor.page(),
      view: viewOf(query, form),
      sink,
      turns: this.#turns,
      closed: () => this.#live.delete(reader),
    })
    this.#live.set(reader, query)
    reader.resume()
    return reader
  }

  /** A supervisor waits for what is asked of this run. */
  attends(run: string): boolean {
    for (const query of this.#live.values()) if (query.run === run) return true
    return false
  }

  committed(events: readonly HookEvent[]): void {
    if (this.#live.size === 0 || events.length === 0) return
    const batch = new Batch(events.map((event) => new EncodedEvent(event)))
    for (const reader of this.#live.keys()) reader.push(batch)
  }
}

/** Encoded when the first reader wants it. */
class EncodedEvent {
  readonly event: HookEvent
  #line: string | undefined
  #bare: string | undefined

  constructor(event: HookEvent) {
    this.event = event
  }

  get seq(): number {
    return this.event.seq
  }

  get line(): string {
    this.#line ??= `${JSON.stringify({ event: toWire(this.event) })}\n`
    return this.#line
  }

  /** `seq` comes first, so that whoever passes it on need not read the rest. */
  get bare(): string {
    if (this.#bare === undefined) {
      const { seq, raw: _, ...rest } = this.event
      this.#bare = `${JSON.stringify({ seq, ...rest })}\n`
    }
    return this.#bare
  }
}

function viewOf(query: EventQuery, form: 'whole' | 'bare'): View<EncodedEvent> {
  const { after: _, ...filter } = query
  const isBare = form === 'bare'
  return {
    key: `${form} ${JSON.stringify(filter)}`,
    wants: ({ event }) => matches(event, query),
    encode: (event) => (isBare ? event.bare : event.line),
    pieceChars: isBare ? BARE_PIECE_CHARS : 0, // a whole event is a write
  }
}

class EventCursor implements LiveCursor {
  readonly #store: Store
  readonly #query: EventQuery
  #seq: number

  constructor(store: Store, query: EventQuery) {
    this.#store = store
    this.#query = query
    const { lastSeq } = store.journal
    this.#seq = Math.min(query.after ?? lastSeq, lastSeq)
  }

  get seq(): number {
    return this.#seq
  }

  get isAtEnd(): boolean {
    return this.#seq >= this.#store.journal.lastSeq
  }

  isNext(seq: number): boolean {
    return seq === this.#seq + 1
  }

  moveTo(seq: number): void {
    this.#seq = seq
  }

  *page(): Generator<EncodedEvent> {
    const after = this.#seq
    const before = this.#pageEnd(after) + 1
    let read = 0
    for (const row of this.#store.oldest({ ...rowFilter(this.#query), after, before }, PAGE_SEQS)) {
      const event = parseRow(row)
      this.#seq = row.seq
      if (matches(event, this.#query)) yield new EncodedEvent(event)
      read += row.raw.length
      if (read > PAGE_BYTES) return
    }
    this.#seq = before - 1
  }

  /** Text is looked for in payloads that nobody gets, too, so there must not be too much of them. */
  #pageEnd(after: number): number {
    const end = Math.min(after + PAGE_SEQS, this.#store.journal.lastSeq)
    if (this.#query.grep === undefined) return end
    let left = GREP_BYTES
    for (const { seq, bytes } of this.#store.rowsOf('HOOK_EVENTS').sizes(after, end - after)) {
      left -= bytes
      if (left <= 0) return Math.min(seq, end)
    }
    return end
  }
}
