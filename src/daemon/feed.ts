/**
 * Live events for whoever listens. A subscription is a cursor on the journal: it reads pages until it has caught
 * up, then gets each commit pushed; one that reads slowly falls back to pages. Nothing is buffered for it.
 */
import type { EventQuery, WireEvent } from '../client/protocol.ts'
import type { HookEvent } from '../events/index.ts'
import { OWN_AGENT } from '../sessions/index.ts'
import type { Store } from '../store/index.ts'
import { reviveRow } from './revive.ts'

export interface Sink {
  /** False when the reader is full; `resume` is called when it has room again. */
  send(text: string): boolean
  /** Nothing more will come, and why. */
  fail?(error: unknown): void
}

const PAGE_SEQS = 500 // a page scans so many sequences, so that a rare filter never holds the loop
export const STEP_BYTES = 4 * 1024 * 1024 // of payloads read in one go: parsing them takes some 20 ms

export class Feed {
  readonly #store: Store
  readonly #live = new Set<Subscription>()

  constructor(store: Store) {
    this.#store = store
  }

  get size(): number {
    return this.#live.size
  }

  subscribe(query: EventQuery, sink: Sink): Subscription {
    const subscription = new Subscription(this.#store, query, sink, () => this.#live.delete(subscription))
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

export class Subscription {
  readonly #store: Store
  readonly #query: EventQuery
  readonly #sink: Sink
  readonly #closed: () => void
  #cursor: number
  #caughtUp = false
  #open = true

  constructor(store: Store, query: EventQuery, sink: Sink, closed: () => void) {
    this.#store = store
    this.#query = query
    this.#sink = sink
    this.#closed = closed
    this.#cursor = query.after ?? store.journal.lastSeq
  }

  get run(): string | undefined {
    return this.#query.run
  }

  /** Goes on from the cursor, page by page, until it has caught up or the reader is full. */
  resume(): void {
    if (!this.#open || this.#caughtUp) return
    const end = this.#store.journal.lastSeq
    if (this.#cursor >= end) {
      this.#caughtUp = true
      return
    }
    const after = this.#cursor
    const before = Math.min(after + PAGE_SEQS, end) + 1
    let read = 0
    this.#cursor = before - 1
    for (const row of this.#store.oldest({ ...rowFilter(this.#query), after, before }, PAGE_SEQS)) {
      const event = reviveRow(row)
      read += row.raw.length
      const isFull = matches(event, this.#query) && !this.#sink.send(lineOf(event))
      if (isFull || read > STEP_BYTES) this.#cursor = row.seq
      if (isFull) return
      if (read > STEP_BYTES) break
    }
    this.#soon()
  }

  /** One that cannot be told goes on from its place, and does not keep the others from being told. */
  push(events: readonly HookEvent[], line: (event: HookEvent) => string): void {
    if (!this.#caughtUp) return
    for (const event of events) {
      // It was not told of a commit: the journal has what is missing.
      const told = event.seq > this.#cursor + 1 ? 'failed' : this.#tell(event, line)
      if (told === 'has room') continue
      this.#caughtUp = false
      if (told === 'failed') this.#soon()
      return
    }
  }

  close(): void {
    this.#open = false
    this.#closed()
  }

  #tell(event: HookEvent, line: (event: HookEvent) => string): 'has room' | 'full' | 'failed' {
    try {
      const isFull = matches(event, this.#query) && !this.#sink.send(line(event))
      this.#cursor = event.seq
      return isFull ? 'full' : 'has room'
    } catch {
      return 'failed'
    }
  }

  #soon(): void {
    setImmediate(() => {
      try {
        this.resume()
      } catch (error) {
        this.close()
        this.#sink.fail?.(error)
      }
    })
  }
}

export function matches(event: HookEvent, query: EventQuery): boolean {
  if (query.session !== undefined && event.sessionId !== query.session) return false
  if (query.type !== undefined && event.type !== query.type) return false
  if (query.agent !== undefined && event.agent !== query.agent) return false
  if (query.except !== undefined && event.agent === query.except) return false
  if (query.since !== undefined && event.receivedAt < query.since) return false
  if (query.run !== undefined && !isAskedOf(query.run, event)) return false
  return query.grep === undefined || textOf(event).toLowerCase().includes(query.grep.toLowerCase())
}

const ASKING = new Set(['EffortDehydrated', 'RestartRequested'])

function isAskedOf(run: string, event: HookEvent): boolean {
  if (event.agent !== OWN_AGENT || event.transport === 'replay') return false
  return ASKING.has(event.type) && event.fields?.run_id === run
}

/** The part of a query that the journal's columns can answer. */
export function rowFilter(query: EventQuery): { session?: string; type?: string; agent?: string } {
  return {
    ...(query.session === undefined ? {} : { session: query.session }),
    ...(query.type === undefined ? {} : { type: query.type }),
    ...(query.agent === undefined ? {} : { agent: query.agent }),
    ...(query.run === undefined ? {} : { agent: OWN_AGENT }),
  }
}

export function toWire(event: HookEvent): WireEvent {
  const { raw, ...rest } = event
  return typeof raw === 'string'
    ? { ...rest, raw }
    : { ...rest, rawBase64: Buffer.from(raw).toString('base64') }
}

function lineOf(event: HookEvent, known?: Map<HookEvent, string>): string {
  const cached = known?.get(event)
  if (cached !== undefined) return cached
  const line = `${JSON.stringify({ event: toWire(event) })}\n`
  known?.set(event, line)
  return line
}

function textOf(event: HookEvent): string {
  return typeof event.raw === 'string' ? event.raw : Buffer.from(event.raw).toString('latin1')
}
