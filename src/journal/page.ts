/**
 * One page of the journal by sequence, from any place, in both directions. Sequences have no gaps, so a place is found
 * directly; filters look at the columns of one block of sequences after the other. It works in short steps: the daemon
 * lets hooks pass between them, and hands over to a process of its own what takes too many.
 *
 *   const steps = pageSteps(source, { at: 4711, limit: 100 }, 50)
 *   for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value.page
 */
import { withoutUndefined } from '../core/without-undefined.ts'
import type { EventsPage, PagedEvent, PageQuery } from '../rpc/index.ts'
import type { Decided, DecisionRows, EventFilter, JournalRow, Listed, RowGlance } from '../store/index.ts'
import { matches, rowFilter } from './event-filter.ts'
import { withVerdicts } from './page-verdicts.ts'
import { glancedEvent, pagedEvent } from './paged-event.ts'
import { parseRow } from './parse-event.ts'
import type { ReadTurns } from './read-turns.ts'

/** The daemon's store, or a reader beside it. */
export interface PageSource {
  firstSeq(): number
  lastSeq(): number
  seqBefore(time: number): number
  listedPage(filter: EventFilter, order: 'ASC' | 'DESC', limit: number): (Listed & { unsure: number })[]
  /** The first sequence from this one on that may pass, as far as is known without reading rows. */
  skipTo(filter: EventFilter, seq: number, order: 'ASC' | 'DESC'): number
  /** The events that were answered so, of some messages of the stream of decisions before one. */
  decidedBefore(decision: string, before: number, count: number): Decided
  row(seq: number): JournalRow | undefined
  glance(seq: number): RowGlance | undefined
  readonly decisions: DecisionRows
}

const FIRST_BLOCK = 500 // sequences
const MIN_BLOCK = 250
const MAX_BLOCK = 100_000
const BLOCK_MS = 1 // aim of one step
const STEP_MS = 1.5
const MESSAGES = 200 // of the stream of decisions in one step
const MAX_READ_BYTES = 256 * 1024 // a larger payload takes longer to parse than a step may

const GLANCE_MS = 80 // of work on the daemon's thread, in turns with hooks; what needs more is for a process

/** On the daemon's own thread, one step at a time; undefined if it takes more than that. */
export async function pageInTurns(
  source: PageSource,
  query: PageQuery,
  turns: Pick<ReadTurns, 'take'>,
): Promise<EventsPage | undefined> {
  if (query.grep !== undefined) return undefined // reads payloads
  const steps = pageSteps(source, query, GLANCE_MS)
  for (;;) {
    const step = await turns.take(() => steps.next())
    if (step.done) return step.value.ranOut ? undefined : step.value.page
  }
}

export interface Paged {
  readonly page: EventsPage
  /** The time was up before the page was full; it tells how far it came. */
  readonly ranOut: boolean
}

export function* pageSteps(source: PageSource, query: PageQuery, budgetMs: number): Generator<void, Paged> {
  const last = source.lastSeq()
  if (last === 0) return { page: NO_PAGE, ranOut: false }
  const first = source.firstSeq()
  const bounds = { first, last, total: last - first + 1 }
  const seqs = query.verdict === undefined ? undefined : yield* decided(source, query.verdict)
  const search = new Search(
    source,
    { ...query, ...withoutUndefined({ seqs }) },
    budgetMs,
    boundsOf(source, query, bounds),
  )
  const { found, from, to } = yield* search.run(query)
  const events: PagedEvent[] = []
  let began = performance.now()
  for (const { seq, bytes } of found.toSorted((a, b) => a.seq - b.seq)) {
    const event = read(source, seq, bytes)
    if (event) events.push(event)
    if (performance.now() - began < STEP_MS) continue
    yield
    began = performance.now()
  }
  const answered = yield* withVerdicts(events, source.decisions)
  const page = {
    ...{ events: answered, ...bounds, from, to },
    ...{ older: from > search.low, newer: to < search.high },
    ...withoutUndefined({ verdictsFrom: verdictsFrom(source, first) }),
  }
  return { page, ranOut: search.ranOut && found.length < query.limit }
}

/** Ascending; as far back as the stream of decisions goes. */
function* decided(source: PageSource, decision: string): Generator<void, number[]> {
  const found = new Set<number>()
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
    const { seqs, next }: Decided = source.decidedBefore(decision, before, MESSAGES)
    for (const seq of seqs) found.add(seq)
    before = next
    yield
  }
  return [...found].sort((a, b) => a - b)
}

/** Only the newest decisions are kept; the oldest of them was made right after its event. */
function verdictsFrom(source: PageSource, first: number): number | undefined {
  const [oldest] = source.decisions.after(0, 1)
  if (!oldest || oldest.seq === 1) return undefined
  const seq = source.seqBefore(oldest.at)
  return seq > first ? seq : undefined
}

const NO_PAGE: EventsPage = {
  ...{ events: [], first: 0, last: 0, total: 0, from: 0, to: 0 },
  ...{ older: false, newer: false },
}

interface Bounds {
  readonly low: number
  readonly high: number
}

function boundsOf(
  source: PageSource,
  { since }: PageQuery,
  { first, last }: { first: number; last: number },
): Bounds {
  return { low: since === undefined ? first : Math.max(first, source.seqBefore(since) + 1), high: last }
}

/** Retention may have deleted it meanwhile. */
function read(source: PageSource, seq: number, bytes: number): PagedEvent | undefined {
  if (bytes <= MAX_READ_BYTES) {
    const row = source.row(seq)
    return row && pagedEvent(row, bytes)
  }
  const glance = source.glance(seq)
  return glance && glancedEvent(glance, bytes)
}

type Asked = PageQuery & { readonly seqs?: readonly number[] }

interface Found {
  readonly found: Listed[]
  readonly from: number
  readonly to: number
}

class Search {
  readonly low: number
  readonly high: number
  readonly #source: PageSource
  readonly #query: Asked
  readonly #filter: EventFilter
  readonly #budgetMs: number
  #spentMs = 0
  #block = FIRST_BLOCK

  constructor(source: PageSource, query: Asked, budgetMs: number, { low, high }: Bounds) {
    this.#source = source
    this.#query = query
    this.#budgetMs = budgetMs
    this.low = low
    this.high = high
    const { session, type, agent, subagent, except, since, grep, tool, seqs } = query
    const base = { session, type, agent, subagent, except, since, grep }
    this.#filter = { ...rowFilter(withoutUndefined(base)), ...withoutUndefined({ tool, seqs }) }
  }

  get ranOut(): boolean {
    return this.#spentMs >= this.#budgetMs
  }

  *run({ at, after, before, limit }: PageQuery): Generator<void, Found> {
    if (after !== undefined) return yield* this.#forward(after + 1, limit, (before ?? this.high + 1) - 1)
    if (at === undefined) return yield* this.#backward((before ?? this.high + 1) - 1, limit)
    const place = Math.min(Math.max(at, this.low), Math.max(this.low, this.high))
    const later = yield* this.#forward(place, Math.ceil(limit / 2))
    const earlier = yield* this.#backward(place - 1, limit - later.found.length)
    const missing = limit - later.found.length - earlier.found.length
    const more = missing > 0 ? yield* this.#forward(later.to + 1, missing) : undefined
    return {
      found: [...earlier.found, ...later.found, ...(more?.found ?? [])],
      from: earlier.from,
      to: more?.to ?? later.to,
    }
  }

  *#forward(start: number, limit: number, high = this.high): Generator<void, Found> {
    const from = Math.max(start, this.low)
    const found: Listed[] = []
    let to = from - 1
    while (to < high && found.length < limit && !this.ranOut) {
      const next = Math.min(high + 1, this.#skip(to + 1, 'ASC'))
      const end = Math.min(high, next - 1 + this.#block)
      const { passed, isFull, lastSeq } = this.#look(next - 1, end + 1, 'ASC', limit - found.length)
      found.push(...passed)
      to = isFull ? lastSeq : end
      yield
    }
    return { found, from: Math.min(from, to + 1), to: Math.min(to, Math.max(high, from - 1)) }
  }

  *#backward(start: number, limit: number): Generator<void, Found> {
    const to = Math.min(start, this.high)
    const found: Listed[] = []
    let from = to + 1
    while (from > this.low && found.length < limit && !this.ranOut) {
      const next = Math.max(this.low - 1, this.#skip(from - 1, 'DESC'))
      const end = Math.max(this.low, next + 1 - this.#block)
      const { passed, isFull, lastSeq } = this.#look(end - 1, next + 1, 'DESC', limit - found.length)
      found.push(...passed)
      from = isFull ? lastSeq : end
      yield
    }
    return { found, from, to }
  }

  #skip(seq: number, order: 'ASC' | 'DESC'): number {
    const { seqs, session } = this.#filter
    if (seqs)
      return order === 'ASC'
        ? (seqs.find((one) => one >= seq) ?? Infinity)
        : (seqs.findLast((one) => one <= seq) ?? 0)
    if (session !== undefined) return seq // has an index of its own
    const began = performance.now()
    const next = this.#source.skipTo(this.#filter, seq, order)
    this.#spentMs += performance.now() - began
    return next
  }

  /** Between two sequences, both excluded. Blocks grow and shrink with the time that they take. */
  #look(after: number, before: number, order: 'ASC' | 'DESC', limit: number) {
    const began = performance.now()
    const seqs = this.#filter.seqs?.filter((seq) => seq > after && seq < before)
    const rows = this.#source.listedPage(
      { ...this.#filter, ...withoutUndefined({ seqs }), after, before },
      order,
      limit,
    )
    const passed = rows.filter(({ seq, unsure }) => !unsure || this.#passes(seq))
    const tookMs = performance.now() - began
    this.#spentMs += tookMs
    if (tookMs > BLOCK_MS) this.#block = Math.max(MIN_BLOCK, Math.floor(this.#block / 2))
    else if (tookMs < BLOCK_MS / 3) this.#block = Math.min(MAX_BLOCK, this.#block * 2)
    return { passed, isFull: rows.length === limit, lastSeq: rows.at(-1)?.seq ?? after }
  }

  #passes(seq: number): boolean {
    const row = this.#source.row(seq)
    return row !== undefined && matches(parseRow(row), this.#query)
  }
}
