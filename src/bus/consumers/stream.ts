/** One stream as its readers on the spot see it: what it holds, where a reader starts, and who is told of more. */
import { messageOf } from '../../core/errors.ts'
import { Batch, ReadTurns } from '../../journal/index.ts'
import type { Store, StreamRows } from '../../store/index.ts'
import {
  type Filter,
  type Place,
  type Source,
  type Sources,
  type StreamName,
  type View,
  Window,
} from '../streams/index.ts'
import { Encoded } from './encoded.ts'

/** Where a reader begins. */
export type Deliver = 'new' | 'all' | { readonly seq: number } | { readonly time: number }

export interface Follower {
  push(batch: Batch<Encoded>): void
}

export interface StreamParts {
  readonly store: Store
  readonly sources: Sources
  readonly name: StreamName
  readonly trouble: (message: string) => void
  /** Shared with the other streams, so that hooks come in between. */
  readonly turns?: ReadTurns
}

const MAX_UNDELIVERED = 100_000 // below the window: ten times what a stream holds
const SLICE_ROWS = 500 // a millisecond or two of housekeeping
const COUNT_SEQS = 1_000
const COUNTED_SEQS = 20_000 // nobody who comes back is further behind; one who is connected and stuck may be

export class Stream {
  readonly name: StreamName
  readonly source: Source
  readonly rows: StreamRows
  /** Whoever reads from it takes turns. */
  readonly turns: ReadTurns
  readonly #store: Store
  readonly #sources: Sources
  readonly #window: Window
  readonly #trouble: (message: string) => void
  readonly #followers = new Set<Follower>()
  #stopListening: (() => void) | undefined
  /** What is below this was put out already, and how far the present round is. */
  #tidyBelow = 1
  #tidyAt = 0

  constructor({ store, sources, name, trouble, turns = new ReadTurns() }: StreamParts) {
    this.name = name
    this.source = sources.get(name)
    this.rows = store.rowsOf(name)
    this.#store = store
    this.#sources = sources
    this.#window = new Window(store, this.source)
    this.#trouble = trouble
    this.turns = turns
  }

  get followers(): number {
    return this.#followers.size
  }

  view(): View {
    return this.#window.view()
  }

  /** Whether something after this message has left already, as far as the window was looked at. */
  hasLeft(seq: number): boolean {
    return seq + 1 < this.#window.start
  }

  /** The stream costs a commit nothing as long as nobody follows it. */
  follow(follower: Follower): () => void {
    this.#followers.add(follower)
    this.#stopListening ??= this.#sources.listen(this.name, (messages) => {
      const batch = new Batch(messages.map((message) => new Encoded(message)))
      for (const one of this.#followers) this.#tell(one, batch)
    })
    return () => {
      this.#followers.delete(follower)
      if (this.#followers.size > 0) return
      this.#stopListening?.()
      this.#stopListening = undefined
    }
  }

  begin(deliver: Deliver): Place {
    const last = this.source.lastSeq()
    if (deliver === 'new') return { after: last, floor: [], start: last + 1 }
    if (deliver === 'all') return this.after(0)
    if ('seq' in deliver) return this.after(Math.min(deliver.seq - 1, last))
    return this.after(this.source.seqBefore(deliver.time))
  }

  /** The way on after a message: nothing that has left the stream is on it. */
  after(seq: number): Place {
    if (seq >= this.source.lastSeq()) return { after: seq, floor: [], start: seq + 1 }
    const { start, floor } = this.view()
    if (seq + 1 >= start) return { after: seq, floor: [], start }
    return { after: seq, floor: floor.filter((one) => one > seq), start }
  }

  /** How many messages a reader with this filter has before it, counted in short steps. */
  async count({ after, floor, start }: Place, filter: Filter): Promise<number> {
    const last = this.source.lastSeq()
    const from = Math.max(after, start - 1)
    // Not all sequences of the journal are messages of its stream.
    if (filter.matchesAll && this.name !== 'HOOK_EVENTS') return floor.length + Math.max(0, last - from)
    let count = 0
    const add = (types: { type: string; count: number }[]) => {
      for (const one of types) if (filter.matches(one.type)) count += one.count
      return new Promise(setImmediate)
    }
    for (let at = 0; at < floor.length; at += SLICE_ROWS) {
      await add(this.rows.typesOf(floor.slice(at, at + SLICE_ROWS)))
    }
    for (let at = Math.max(from, last - COUNTED_SEQS); at < last; at += COUNT_SEQS) {
      await add(this.rows.types(at, Math.min(at + COUNT_SEQS, last)))
    }
    return count
  }

  /** One short step of putting out what is over; true when there is more to do. The journal has its own rules. */
  tidy(): boolean {
    if (this.#window.advance(SLICE_ROWS)) return true
    if (this.name === 'HOOK_EVENTS') return false
    if (this.#window.start - this.#tidyBelow < SLICE_ROWS && this.#tidyAt === 0) return false
    const { start, floor } = this.view()
    const seqs = this.rows.below(this.#goneBelow(start), this.#tidyAt, SLICE_ROWS)
    const kept = new Set(floor)
    const gone = seqs.filter((seq) => !kept.has(seq))
    if (gone.length > 0) this.#store.journal.relaxed(() => this.#store.messages.delete(this.name, gone))
    this.#tidyAt = seqs.at(-1) ?? 0
    if (seqs.length === SLICE_ROWS) return true
    this.#tidyAt = 0
    this.#tidyBelow = start
    return false
  }

  /** What somebody outside has not got yet stays longer, but not for ever. */
  #goneBelow(start: number): number {
    const undelivered = this.#store.outbox.leastMark(this.name) + 1
    return Math.min(start, Math.max(undelivered, start - MAX_UNDELIVERED))
  }

  /** One that fails is no reason for the others to hear nothing; it finds the messages in the stream later. */
  #tell(follower: Follower, batch: Batch<Encoded>): void {
    try {
      follower.push(batch)
    } catch (error) {
      this.#trouble(`a reader of ${this.name} was not told of ${batch.last}: ${messageOf(error)}`)
    }
  }
}
