/**
 * A stream derived from the journal. Messages get their sequence at once and their row a moment later, without an
 * fsync: rows lost in a crash are derived again from the events after the mark, with the same sequences.
 */
import type { Store, StoredMessage } from '../../store/index.ts'
import { type BusMessage, derivedMessage } from './message.ts'
import type { StreamName } from './names.ts'

const MAX_WAITING = 1_000 // rows per write: some milliseconds; fewer write the pages of many sessions for a few rows each

export class DerivedStream {
  readonly name: Exclude<StreamName, 'HOOK_EVENTS'>
  readonly #store: Store
  readonly #markName: string
  #lastSeq: number
  /** The last event whose messages are stored. */
  #mark: number
  /** The last event examined, with or without a message. */
  #upTo: number
  #waiting: StoredMessage[] = []
  #fresh: StoredMessage[] = []

  constructor(name: Exclude<StreamName, 'HOOK_EVENTS'>, store: Store) {
    this.name = name
    this.#store = store
    this.#markName = `stream:${name}`
    this.#lastSeq = store.messages.lastSeq(name)
    this.#mark = store.marks.get(this.#markName)
    this.#upTo = this.#mark
  }

  /** Adds the message of an event, unless it exists already. Events come in journal order. */
  follow(eventSeq: number, make: () => Omit<StoredMessage, 'seq'> | undefined): void {
    if (eventSeq <= this.#mark) return
    this.#upTo = Math.max(this.#upTo, eventSeq)
    const message = make()
    if (message) this.#add(message)
    if (this.#waiting.length >= MAX_WAITING) this.write()
  }

  /** Writes the queued rows. */
  write(): void {
    if (this.#upTo === this.#mark) return
    const { journal, messages, marks } = this.#store
    const upTo = this.#upTo
    journal.relaxed(() => {
      for (const message of this.#waiting) messages.put(this.name, message)
      marks.set(this.#markName, upTo)
    })
    this.#mark = upTo
    this.#waiting = []
  }

  /** Messages since the last call. */
  taken(): StoredMessage[] {
    if (this.#fresh.length === 0) return this.#fresh
    const fresh = this.#fresh
    this.#fresh = []
    return fresh
  }

  lastSeq(): number {
    return this.#lastSeq
  }

  /** The last message that has its row. */
  storedSeq(): number {
    return this.#lastSeq - this.#waiting.length
  }

  firstSeq(): number {
    this.write()
    return this.#store.messages.firstSeq(this.name)
  }

  seqBefore(time: number): number {
    this.write()
    return this.#store.messages.seqBefore(this.name, time)
  }

  read(after: number, limit: number): BusMessage[] {
    if (after >= this.#lastSeq) return []
    this.write()
    return this.#store.messages
      .read(this.name, after, limit)
      .map((message) => derivedMessage(this.name, message))
  }

  #add(message: Omit<StoredMessage, 'seq'>): void {
    this.#lastSeq += 1
    const stored = { ...message, seq: this.#lastSeq }
    this.#waiting.push(stored)
    this.#fresh.push(stored)
  }
}
