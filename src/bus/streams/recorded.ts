/**
 * A stream whose messages are written in the commit of their event: decisions, which cannot be derived afterwards. New
 * messages are read back from the rows, so a failed commit publishes nothing.
 */
import type { Store, StoredMessage } from '../../store/index.ts'
import { type BusMessage, derivedMessage } from './message.ts'
import type { StreamName } from './names.ts'

const PAGE = 1_000

export class RecordedStream {
  readonly name: Exclude<StreamName, 'HOOK_EVENTS'>
  readonly #store: Store
  readonly #clean: (data: string) => string
  #told: number
  #dirty = false

  constructor(name: Exclude<StreamName, 'HOOK_EVENTS'>, store: Store, clean: (data: string) => string) {
    this.name = name
    this.#store = store
    this.#clean = clean
    this.#told = this.lastSeq()
  }

  /**
   * Runs inside the event's transaction. Rules, handlers and people may write secrets, too, so the message is redacted
   * here.
   */
  record(message: Omit<StoredMessage, 'seq'>): void {
    const data = this.#clean(message.data)
    this.#store.messages.put(this.name, { ...message, data, seq: this.lastSeq() + 1 })
    this.#dirty = true
  }

  /** Messages committed since the last call. */
  taken(): StoredMessage[] {
    if (!this.#dirty) return []
    const fresh = this.#store.messages.read(this.name, this.#told, PAGE)
    this.#told = fresh.at(-1)?.seq ?? this.#told
    this.#dirty = fresh.length === PAGE
    return fresh
  }

  /** The last message that `taken` returned. */
  storedSeq(): number {
    return this.#told
  }

  lastSeq(): number {
    return this.#store.messages.lastSeq(this.name)
  }

  firstSeq(): number {
    return this.#store.messages.firstSeq(this.name)
  }

  seqBefore(time: number): number {
    return this.#store.messages.seqBefore(this.name, time)
  }

  read(after: number, limit: number): BusMessage[] {
    return this.#store.messages
      .read(this.name, after, limit)
      .map((message) => derivedMessage(this.name, message))
  }
}
