/**
 * Live events for whoever listens. A subscription is a cursor on the journal: it reads pages until it has caught
 * up, then gets each commit pushed; one that reads slowly falls back to pages. Nothing is buffered for it.
 */

import type { HookEvent } from '../events/index.ts'
import type { EventQuery } from '../rpc/index.ts'
import type { Store } from '../store/index.ts'
import { matches, rowFilter, toWire } from './event-filter.ts'
import { parseRow } from './parse-event.ts'
import { ReadTurns } from './read-turns.ts'

export interface Sink {
  /** False when the reader is full; `resume` is called when it has room again. */
  send(text: string): boolean
  /** Nothing more will come, and why. */
  fail?(error: unknown): void
}

const PAGE_SEQS = 500 // a page looks at so many, so that a rare filter never holds the loop
const PAGE_BYTES = 64 * 1024 // of payloads in one page: to parse and to write them takes about a millisecond
const GREP_BYTES = 512 * 1024 // of payloads in which a page looks for text
const FAULT_PAUSE_MS = 1_000 // the database could not be read; nothing is lost by trying again

export class Feed {
  readonly #store: Store
  readonly #turns: ReadTurns
  readonly #live = new Set<Subscription>()

  constructor(store: Store, turns = new ReadTurns()) {
    this.#store = store
    this.#turns = turns
  }

  get size(): number {
    return this.#live.size
  }

  subscribe(query: EventQuery, sink: Sink): Subscription {
    const closed = () => this.#live.delete(subscription)
    const subscription = new Subscription({ store: this.#store, turns: this.#turns, query, sink, closed })
    this.#live.add(subscription)
    subscription.resume()
    return subscription
  }

  /** A supervisor waits for what is asked of this run. */
  attends(run: string): boolean {
    for (const subscription of this.#live) if (subscription.run === run) return true
    return false
  }

  committed(events: readonly HookEvent[]): void {
    if (this.#live.size === 0 || events.length === 0) return
    const lines = new Map<HookEvent, string>()
    for (const subscription of this.#live) subscription.push(events, (event) => lineOf(event, lines))
  }
}

interface SubscriptionParts {
  readonly store: Store
  readonly turns: ReadTurns
  readonly query: EventQuery
  readonly sink: Sink
  readonly closed: () => void
}

export class Subscription {
  readonly #parts: SubscriptionParts
  /** Everything up to here was looked at. */
  #cursor: number
  #caughtUp = false
  #scheduled = false
  #open = true

  constructor(parts: SubscriptionParts) {
    this.#parts = parts
    const { lastSeq } = parts.store.journal
    this.#cursor = Math.min(parts.query.after ?? lastSeq, lastSeq)
  }

  get run(): string | undefined {
    return this.#parts.query.run
  }

  /** Goes on from the cursor, page by page, until it has caught up or the reader is full. */
  resume(): void {
    if (!this.#open || this.#caughtUp || this.#scheduled) return
    this.#caughtUp = this.#cursor >= this.#parts.store.journal.lastSeq
    if (this.#caughtUp) return
    this.#scheduled = true
    this.#parts.turns.soon(() => this.#turn())
  }

  /** One that cannot be told goes on from its place, and does not keep the others from being told. */
  push(events: readonly HookEvent[], line: (event: HookEvent) => string): void {
    if (!this.#caughtUp) return
    for (const event of events) {
      // It was not told of all of them, or could not be told: the pages have what is missing.
      const told = event.seq === this.#cursor + 1 ? this.#tell(event, line) : 'failed'
      if (told === 'has room') continue
      this.#caughtUp = false
      if (told === 'failed') this.resume()
      return
    }
  }

  close(): void {
    this.#open = false
    this.#parts.closed()
  }

  #tell(event: HookEvent, line: (event: HookEvent) => string): 'has room' | 'full' | 'failed' {
    const { query, sink } = this.#parts
    try {
      const hasRoom = !matches(event, query) || sink.send(line(event))
      this.#cursor = event.seq
      return hasRoom ? 'has room' : 'full'
    } catch {
      return 'failed'
    }
  }

  #turn(): void {
    this.#scheduled = false
    if (!this.#open) return
    try {
      if (this.#page()) this.resume()
    } catch {
      setTimeout(() => this.resume(), FAULT_PAUSE_MS)
    }
  }

  /** False when the reader is full. */
  #page(): boolean {
    const { store, query } = this.#parts
    const after = this.#cursor
    const before = this.#pageEnd(after) + 1
    let read = 0
    for (const row of store.oldest({ ...rowFilter(query), after, before }, PAGE_SEQS)) {
      const event = parseRow(row)
      const hasRoom = !matches(event, query) || this.#send(lineOf(event))
      this.#cursor = row.seq
      if (!hasRoom) return false
      read += row.raw.length
      if (read > PAGE_BYTES) return true
    }
    this.#cursor = before - 1
    return true
  }

  #send(text: string): boolean {
    const { sink } = this.#parts
    try {
      return sink.send(text)
    } catch (error) {
      this.close()
      sink.fail?.(error)
      return false
    }
  }

  /** Text is looked for in payloads that nobody gets, too, so there must not be too much of them. */
  #pageEnd(after: number): number {
    const { store, query } = this.#parts
    const end = Math.min(after + PAGE_SEQS, store.journal.lastSeq)
    if (query.grep === undefined) return end
    let left = GREP_BYTES
    for (const { seq, bytes } of store.rowsOf('HOOK_EVENTS').sizes(after, end - after)) {
      left -= bytes
      if (left <= 0) return Math.min(seq, end)
    }
    return end
  }
}

function lineOf(event: HookEvent, known?: Map<HookEvent, string>): string {
  const cached = known?.get(event)
  if (cached !== undefined) return cached
  const line = `${JSON.stringify({ event: toWire(event) })}\n`
  known?.set(event, line)
  return line
}
