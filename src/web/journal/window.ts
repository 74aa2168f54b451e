/**
 * The part of the journal that is in memory: neighbouring lines around the place one looks at. It grows at the end that
 * comes into view, and forgets at the other, so that five million events cost as much as two thousand.
 *
 *   const part = new JournalWindow((where) => call('events.page', { ...filters, ...where }))
 *   await part.jump(4711)
 */
import type { CallResult } from '../../client/index.ts'
import { errorOf } from '../../core/errors.ts'
import { type Line, toLine } from './line.ts'

export type Page = CallResult<'events.page'>

export interface Where {
  readonly at?: number
  readonly after?: number
  readonly before?: number
  readonly limit: number
}

type Load = (where: Where) => Promise<Page>

export interface Part {
  /** Oldest first. */
  readonly lines: readonly Line[]
  /** The oldest and newest sequence of the journal; 0 if it is empty. */
  readonly first: number
  readonly last: number
  /** What was looked at, both included: lines between that are not here do not pass the filters. */
  readonly from: number
  readonly to: number
  readonly older: boolean
  readonly newer: boolean
  /** Verdicts are known from about this event on; absent if all are. */
  readonly verdictsFrom?: number
  readonly busy: boolean
  /** False until the first answer. */
  readonly known: boolean
  readonly error: Error | undefined
  /** Where the view should be put; a new object each time. */
  readonly aim: Aim | undefined
}

export type Aim = { readonly seq: number } | { readonly end: true }

const PAGE = 200 // events
const MAX = 2_000 // lines: ten pages
const NOTHING: Part = {
  ...{ lines: [], first: 0, last: 0, from: 0, to: 0 },
  ...{ older: false, newer: false, busy: false, known: false, error: undefined, aim: undefined },
}

export class JournalWindow {
  readonly #load: Load
  #part: Part = NOTHING
  /** Counts jumps: answers for the place before are dropped. */
  #turn = 0
  readonly #listeners = new Set<() => void>()

  constructor(load: Load) {
    this.#load = load
  }

  readonly get = (): Part => this.#part

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Around a sequence. */
  jump(seq: number): Promise<void> {
    return this.#replace({ at: seq, limit: PAGE }, { seq })
  }

  newest(): Promise<void> {
    return this.#replace({ limit: PAGE }, { end: true })
  }

  async older(): Promise<void> {
    const { from, older, busy } = this.#part
    if (!older || busy) return
    await this.#ask({ before: from, limit: PAGE }, (page) => this.#put(before(this.#part, page)))
  }

  async newer(): Promise<void> {
    if (this.#part.newer) await this.#askNewer()
  }

  /** Asks whether anything came that passes. */
  async check(): Promise<void> {
    const { newer, known } = this.#part
    if (!newer && known) await this.#askNewer()
  }

  /** What was stored meanwhile; only what follows directly on the newest line is taken. */
  append(lines: readonly Line[], last: number): void {
    const now = this.#part
    if (now.newer || !now.known) {
      this.grown(last)
      return
    }
    const fresh = lines.filter(({ seq }) => seq > now.to)
    this.#put(
      cutHead({
        ...now,
        lines: [...now.lines, ...fresh],
        first: now.first || (fresh[0]?.seq ?? last),
        from: now.from || (fresh[0]?.seq ?? last),
        to: Math.max(now.to, last),
        last: Math.max(now.last, last),
      }),
    )
  }

  /** Reads the newest lines from `seq` on again: what was answered is known only after they came. */
  async renew(seq: number): Promise<void> {
    const turn = this.#turn
    const { to } = this.#part
    const page = await this.#load({ after: Math.max(seq, to - PAGE + 1) - 1, limit: PAGE }).catch(
      () => undefined,
    )
    if (!page || turn !== this.#turn) return
    const known = new Map(page.events.map((event) => [event.seq, toLine(event)]))
    const lines = this.#part.lines.map((line) => {
      const now = known.get(line.seq)
      return now && now.verdict !== line.verdict ? now : line
    })
    this.#put({ ...this.#part, lines })
  }

  /** The journal has more: the part ends before it. */
  grown(last: number): void {
    const now = this.#part
    if (last > now.last) this.#put({ ...now, last, newer: now.known && last > now.to })
  }

  async #replace(where: Where, aim: Aim): Promise<void> {
    this.#turn += 1
    await this.#ask(where, ({ events, total: _, ...place }) =>
      this.#put({
        ...place,
        ...{ lines: events.map(toLine), busy: false, known: true, error: undefined, aim },
      }),
    )
  }

  async #askNewer(): Promise<void> {
    const { to, busy } = this.#part
    if (!busy) await this.#ask({ after: to, limit: PAGE }, (page) => this.#put(after(this.#part, page)))
  }

  async #ask(where: Where, take: (page: Page) => void): Promise<void> {
    const turn = this.#turn
    this.#put({ ...this.#part, busy: true })
    try {
      const page = await this.#load(where)
      if (turn === this.#turn) take(page)
    } catch (cause) {
      if (turn !== this.#turn) return
      const error = errorOf(cause)
      this.#put({ ...this.#part, busy: false, error })
    }
  }

  #put(part: Part): void {
    this.#part = part
    for (const listener of this.#listeners) listener()
  }
}

function before(now: Part, page: Page): Part {
  const { first, last, older } = page
  const lines = [...page.events.map(toLine), ...now.lines]
  const grown = { ...now, first, last, older, lines, from: Math.min(now.from, page.from) }
  return { ...cutTail(grown), busy: false, error: undefined }
}

function after(now: Part, page: Page): Part {
  const { first, last, newer } = page
  const lines = [...now.lines, ...page.events.map(toLine)]
  const grown = { ...now, first, last, newer, lines, to: Math.max(now.to, page.to) }
  return { ...cutHead(grown), busy: false, error: undefined }
}

function cutHead(part: Part): Part {
  const lines = part.lines.slice(-MAX)
  const [first] = lines
  if (first === undefined || lines.length === part.lines.length) return part
  return { ...part, lines, from: first.seq, older: true }
}

function cutTail(part: Part): Part {
  const lines = part.lines.slice(0, MAX)
  const end = lines.at(-1)
  if (end === undefined || lines.length === part.lines.length) return part
  return { ...part, lines, to: end.seq, newer: true }
}
