/**
 * The streams for a reader in another thread: everything comes from the rows, and the owner says how far they go.
 *
 *   const streams = new StoredStreams(store)
 *   streams.listen('HOOK_EVENTS', () => readOn())
 *   streams.tell({ HOOK_EVENTS: 42, … })
 */
import type { FollowerStore } from '../../store/index.ts'
import { type BusMessage, derivedMessage } from './message.ts'
import type { StreamName } from './names.ts'
import { journalSource, type Source, type Streams } from './sources.ts'

/** The last message of each stream that has its row. */
export type LastSeqs = Readonly<Record<StreamName, number>>

type Listener = (messages: readonly BusMessage[]) => void

export class StoredStreams implements Streams {
  readonly #store: FollowerStore
  readonly #listeners = new Map<StreamName, Set<Listener>>()
  #last: LastSeqs

  constructor(store: FollowerStore, last: LastSeqs) {
    this.#store = store
    this.#last = last
  }

  /** There are new rows; `hooks` are those of the journal that need not be read. */
  tell(last: LastSeqs, hooks: readonly BusMessage[] = []): void {
    const before = this.#last
    this.#last = last
    for (const [name, listeners] of this.#listeners) {
      if (last[name] > before[name])
        for (const listener of listeners) listener(name === 'HOOK_EVENTS' ? hooks : [])
    }
  }

  get(name: StreamName): Source {
    if (name === 'HOOK_EVENTS') return journalSource(this.#store)
    const { messages } = this.#store
    return {
      name,
      lastSeq: () => this.#last[name],
      firstSeq: () => messages.firstSeq(name),
      seqBefore: (time) => messages.seqBefore(name, time),
      read: (after, limit) =>
        messages.read(name, after, limit).map((message) => derivedMessage(name, message)),
    }
  }

  listen(name: StreamName, listener: Listener): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners.add(listener))
    return () => listeners.delete(listener)
  }
}
