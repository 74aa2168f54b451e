/**
 * Keeps the index in step with the journal, slice by slice, with nothing in memory but a cursor. Rows and mark share a
 * transaction, so a killed process continues where it was. Parts of which
 * retention deleted every event are deleted here, too.
 */
import { Follower, parseRow } from '../../journal/index.ts'
import type { EventReader, SearchIndex, SearchMark, SearchRow } from '../../store/index.ts'
import { indexedText, SEARCHED_TYPES } from './index.ts'

const SLICE_ROWS = 2_000 // about 60 ms, then queries get their turn; smaller slices cause more merges
const SLICE_BYTES = 16 * 1024 * 1024
/** Per read transaction, a millisecond or two: while one is open, SQLite cannot restart the WAL. */
const READ_ROWS = 250
const READ_BYTES = 2 * 1024 * 1024

export class Indexer {
  readonly #journal: EventReader
  readonly #index: SearchIndex
  #mark: SearchMark

  constructor(journal: EventReader, index: SearchIndex) {
    this.#journal = journal
    this.#index = index
    this.#mark = index.mark()
  }

  get mark(): SearchMark {
    return this.#mark
  }

  behind(): number {
    return Math.max(0, this.#journal.lastSeq() - this.#mark.seq)
  }

  /** Indexes one slice; true if there is more. */
  step(): boolean {
    if (this.behind() > 0) this.#take()
    const hasOld = this.#index.forget(this.#journal.firstSeq())
    return hasOld || this.behind() > 0
  }

  #take(): void {
    const rows: SearchRow[] = []
    let mark = this.#mark
    let taken = 0
    let bytes = 0
    const follower = new Follower({
      after: mark.seq,
      lastSeq: () => this.#journal.lastSeq(),
      read: (after, limit) => this.#journal.oldest({ after }, limit),
      take: (row) => {
        mark = { seq: row.seq, id: row.id }
        taken += 1
        bytes += row.raw.length
        const text = SEARCHED_TYPES.has(row.type) ? indexedText(parseRow(row)) : undefined
        if (text) rows.push({ seq: row.seq, ...text })
      },
      hasRoom: () => taken < SLICE_ROWS && bytes < SLICE_BYTES,
      slice: { rows: READ_ROWS, bytes: READ_BYTES, sizeOf: ({ raw }) => raw.length },
    })
    while (follower.readOn());
    this.#index.put(rows, mark)
    this.#mark = mark
  }
}

/** False if the index belongs to another journal, which may replace one that broke. */
export function isOf(mark: SearchMark, journal: EventReader): boolean {
  if (mark.seq === 0 || mark.seq < journal.firstSeq()) return mark.seq <= journal.lastSeq()
  return journal.idAt(mark.seq) === mark.id
}
