/**
 * One stream for its readers on this host: what it holds, where a reader starts, and who is notified of new messages.
 */
import { messageOf } from '../../core/errors.ts'
import { Batch, ReadTurns } from '../../journal/index.ts'
import type { Store, StreamRows } from '../../store/index.ts'
import {
  type Filter,
  KeptRange,
  type Source,
  type Sources,
  type StreamName,
  type StreamPosition,
  type View,
} from '../streams/index.ts'
import { Encoded } from './encoded.ts'

/** Where a reader starts. */
export type Deliver = 'new' | 'all' | { readonly seq: number } | { readonly time: number }

export interface StreamReader {
  push(batch: Batch<Encoded>): void
}

interface StreamParts {
  readonly store: Store
  readonly sources: Sources
  readonly name: StreamName
  readonly trouble: (message: string) => void
  /** Shared with the other streams, so that hooks come in between. */
  readonly turns?: ReadTurns
}

const MAX_UNDELIVERED = 100_000 // below the window: ten times what a stream holds
const SLICE_ROWS = 400 // two or three milliseconds of housekeeping
const TIDY_ROWS = 2_000 // worth a round: each finds the floor, which takes 5 ms
const TIDY_BUSY_ROWS = 50_000 // so many may wait until hooks rest, which share the thread
const COUNT_SEQS = 1_000
const COUNTED_SEQS = 20_000 // a returning reader is hardly further behind; a connected, stuck one may be

export class Stream {
  readonly name: StreamName
  readonly source: Source
  readonly rows: StreamRows
  /** Readers take turns. */
  readonly turns: ReadTurns
  readonly #store: Store
  readonly #sources: Sources
  readonly #window: KeptRange
  readonly #trouble: (message: string) => void
  readonly #readers = new Set<StreamReader>()
  #stopListening: (() => void) | undefined
  /** Messages below this were deleted already. */
  #tidyBelow = 1
  /** The messages that are deleted now, and how far that is. */
  #round: { start: number; below: number; kept: ReadonlySet<number>; at: number } | undefined

  constructor({ store, sources, name, trouble, turns = new ReadTurns() }: StreamParts) {
    this.name = name
    this.source = sources.get(name)
    this.rows = store.rowsOf(name)
    this.#store = store
    this.#sources = sources
    this.#window = new KeptRange(store, this.source)
    sources.measure(name, (seq, bytes) => this.#window.note(seq, bytes))
    this.#trouble = trouble
    this.turns = turns
  }

  get readers(): number {
    return this.#readers.size
  }

  view(): View {
    return this.#window.view()
  }

  /** Whether something after this message has expired, as far as the window is known. */
  hasLeft(seq: number): boolean {
    return seq + 1 < this.#window.start
  }

  /** Without readers, the stream costs a commit nothing. */
  follow(reader: StreamReader): () => void {
    this.#readers.add(reader)
    this.#stopListening ??= this.#sources.listen(this.name, (messages) => {
      const batch = new Batch(messages.map((message) => new Encoded(message)))
      for (const one of this.#readers) this.#tell(one, batch)
    })
    return () => {
      this.#readers.delete(reader)
      if (this.#readers.size > 0) return
      this.#stopListening?.()
      this.#stopListening = undefined
    }
  }

  begin(deliver: Deliver): StreamPosition {
    const last = this.source.lastSeq()
    if (deliver === 'new') return { after: last, floor: [], start: last + 1 }
    if (deliver === 'all') return this.after(0)
    if ('seq' in deliver) return this.after(Math.min(deliver.seq - 1, last))
    return this.after(this.source.seqBefore(deliver.time))
  }

  /** The position after a message, without expired messages. */
  after(seq: number): StreamPosition {
    if (seq >= this.source.lastSeq()) return { after: seq, floor: [], start: seq + 1 }
    const { start, floor } = this.view()
    if (seq + 1 >= start) return { after: seq, floor: [], start }
    return { after: seq, floor: floor.filter((one) => one > seq), start }
  }

  /** Number of messages that a reader with this filter has left, counted in short steps. */
  async count({ after, floor, start }: StreamPosition, filter: Filter): Promise<number> {
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

  /** Deletes one slice of expired messages; true if there is more. The journal has its own retention. */
  tidy(isQuiet = true): boolean {
    if (this.#window.advance(SLICE_ROWS)) return true
    if (this.name === 'HOOK_EVENTS') return false
    // A round that hooks interrupt goes on later: what its floor kept then has only become older.
    if (this.#window.start - this.#tidyBelow < (isQuiet ? TIDY_ROWS : TIDY_BUSY_ROWS)) return false
    this.#round ??= this.#newRound()
    const { start, below, kept, at } = this.#round
    const seqs = this.rows.below(below, at, SLICE_ROWS)
    const gone = seqs.filter((seq) => !kept.has(seq))
    if (gone.length > 0) this.#store.journal.relaxed(() => this.#store.messages.delete(this.name, gone))
    this.#round.at = seqs.at(-1) ?? at
    if (seqs.length === SLICE_ROWS) return true
    this.#round = undefined
    this.#tidyBelow = start
    return false
  }

  #newRound() {
    const { start, floor } = this.view()
    return { start, below: this.#goneBelow(start), kept: new Set(floor), at: 0 }
  }

  /** Messages that an outbox has not delivered yet are kept longer, but not forever. */
  #goneBelow(start: number): number {
    const undelivered = this.#store.outbox.leastMark(this.name) + 1
    return Math.min(start, Math.max(undelivered, start - MAX_UNDELIVERED))
  }

  /** One that fails is no reason for the others to hear nothing; it finds the messages in the stream later. */
  #tell(reader: StreamReader, batch: Batch<Encoded>): void {
    try {
      reader.push(batch)
    } catch (error) {
      this.#trouble(`a reader of ${this.name} was not notified of ${batch.last}: ${messageOf(error)}`)
    }
  }
}
