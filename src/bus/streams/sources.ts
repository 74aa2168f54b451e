/**
 * Where streams are read from, and how readers learn of new messages. HOOK_EVENTS is the journal itself; the others have
 * rows of their own, derived from it.
 *
 *   const sources = new Sources(store)
 *   sources.listen('HOOK_EVENTS', (messages) => …)      // right after each commit
 *   sources.get('HOOK_EVENTS').read(41, 100)            // what follows message 41
 */
import type { HookEvent } from '../../events/index.ts'
import type { FollowerStore, Store } from '../../store/index.ts'
import { DerivedStream } from './derived.ts'
import { type BusMessage, derivedMessage, hookMessage } from './message.ts'
import type { StreamName } from './names.ts'
import { RecordedStream } from './recorded.ts'

export interface Source {
  readonly name: StreamName
  lastSeq(): number
  firstSeq(): number
  /** The last sequence received before a time. */
  seqBefore(time: number): number
  /** Oldest first; consume it synchronously, before the database is used otherwise. */
  read(after: number, limit: number, only?: Only): Iterable<BusMessage>
}

/** A hint to skip messages that the reader does not want; a stream may still return others. */
export interface Only {
  readonly before?: number
  readonly type?: string
}

/** Where readers find the streams. */
export interface Streams {
  get(name: StreamName): Source
  /** Called with new messages, in order, once they are stored; without them if they have to be read. */
  listen(name: StreamName, listener: Listener): () => void
}

type Listener = (messages: readonly BusMessage[]) => void
/** Called with each new message's size, which costs less than to read it later. */
type Meter = (seq: number, bytes: number) => void

export class Sources implements Streams {
  readonly sessions: DerivedStream
  readonly decisions: RecordedStream
  /** Internal events. */
  readonly own: DerivedStream
  readonly #hooks: Source
  readonly #trouble: (name: StreamName, error: unknown) => void
  readonly #listeners: Record<StreamName, Set<Listener>> = {
    HOOK_EVENTS: new Set(),
    SESSION_EVENTS: new Set(),
    DECISION_EVENTS: new Set(),
    GANTRY_EVENTS: new Set(),
  }
  readonly #meters: Partial<Record<StreamName, Meter>> = {}

  /** `clean` redacts a decision; `trouble` is called when a listener fails. */
  constructor(
    store: Store,
    clean = (data: string) => data,
    trouble: (name: StreamName, error: unknown) => void = () => {},
  ) {
    this.#trouble = trouble
    this.#hooks = journalSource(store)
    this.sessions = new DerivedStream('SESSION_EVENTS', store)
    this.decisions = new RecordedStream('DECISION_EVENTS', store, clean)
    this.own = new DerivedStream('GANTRY_EVENTS', store)
  }

  get(name: StreamName): Source {
    switch (name) {
      case 'HOOK_EVENTS':
        return this.#hooks
      case 'SESSION_EVENTS':
        return this.sessions
      case 'DECISION_EVENTS':
        return this.decisions
      case 'GANTRY_EVENTS':
        return this.own
    }
  }

  listen(name: StreamName, listener: Listener): () => void {
    this.#listeners[name].add(listener)
    return () => this.#listeners[name].delete(listener)
  }

  measure(name: StreamName, meter: Meter): void {
    this.#meters[name] = meter
  }

  /** Called after a commit, once the replies were sent. */
  committed(events: readonly HookEvent[]): void {
    for (const { seq, raw } of events) this.#meters.HOOK_EVENTS?.(seq, Buffer.byteLength(raw))
    if (events.length > 0 && this.#listeners.HOOK_EVENTS.size > 0)
      this.#tell('HOOK_EVENTS', events.map(hookMessage))
    for (const stream of [this.sessions, this.decisions, this.own]) {
      const fresh = stream.taken()
      for (const { seq, data } of fresh) this.#meters[stream.name]?.(seq, Buffer.byteLength(data))
      if (fresh.length > 0 && this.#listeners[stream.name].size > 0)
        this.#tell(
          stream.name,
          fresh.map((message) => derivedMessage(stream.name, message)),
        )
    }
  }

  #tell(name: StreamName, messages: readonly BusMessage[]): void {
    for (const listener of this.#listeners[name]) {
      try {
        listener(messages)
      } catch (error) {
        // The other listeners are still called; this one continues from its position with the next messages.
        this.#trouble(name, error)
      }
    }
  }
}

export function journalSource(
  store: Pick<FollowerStore, 'journal' | 'count' | 'seqBefore' | 'oldest'>,
): Source {
  return {
    name: 'HOOK_EVENTS',
    lastSeq: () => store.journal.lastSeq,
    firstSeq: () => store.journal.lastSeq - store.count() + 1,
    seqBefore: (time) => store.seqBefore(time),
    *read(after, limit, only = {}) {
      for (const row of store.oldest({ after, ...only }, limit)) yield hookMessage(row)
    },
  }
}
