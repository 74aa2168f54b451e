/**
 * What one target still has to get of its stream. Messages of one session form a lane: only the first of a lane is sent, so
 * their order holds whatever happens to one of them, and a session that is stuck does not hold up the others. The mark
 * follows: everything up to it is done, or has a row of its own.
 *
 *   const lanes = new Lanes({ source, after: mark, window: 500, slice: { rows: 100 }, admit })
 *   lanes.push(messages)                    // after each commit
 *   const entry = lanes.next(Date.now())    // send it, then settle or retry it
 */
import { Follower, type FollowerOptions } from '../../journal/index.ts'
import type { BusMessage, Source } from '../streams/index.ts'

export interface Entry {
  readonly seq: number
  readonly id: string
  readonly session: string
  readonly lane: string
  readonly bytes: number
  state: 'waiting' | 'in-flight' | 'done'
  /** Attempts that reached the target, and failed. */
  attempts: number
  /** Not before this time, UTC milliseconds. */
  dueAt: number
  /** There is a row for it, so the mark does not wait for it. */
  kept: boolean
}

interface LanesOptions<T extends Entry> extends Pick<FollowerOptions<BusMessage>, 'after' | 'slice'> {
  readonly source: Source
  /** Messages that are read ahead and not done, and their bytes. */
  readonly window: number
  readonly windowBytes?: number
  /** Also counts those that are done and that the mark has not passed: a crash would send them again. */
  readonly countsDone?: boolean
  /** Undefined for a message that the target does not want; `done` for one that it has. */
  readonly admit: (message: BusMessage) => T | undefined
}

/** A time further off than any wait comes from a clock that was set since. */
const MAX_WAIT_MS = 2 * 3_600_000

export class Lanes<T extends Entry> {
  readonly #follower: Follower<BusMessage>
  /** Admitted, in the order of the stream; the mark has passed those before `#head`. */
  #open: T[] = []
  #head = 0
  readonly #kept = new Map<number, T>()
  readonly #lanes = new Map<string, T[]>()
  readonly #window: number
  readonly #countsDone: boolean
  /** In all lanes. */
  #queued = 0
  /** First of their lanes and not in flight, oldest first. */
  readonly #ready: T[] = []
  #bytes = 0
  #inFlight = 0
  #bytesInFlight = 0
  #settled = 0
  #lastDone = 0

  constructor(options: LanesOptions<T>) {
    const { source, after, slice, window, windowBytes = Number.POSITIVE_INFINITY, admit } = options
    this.#window = window
    this.#countsDone = options.countsDone ?? false
    this.#follower = new Follower({
      after,
      lastSeq: () => source.lastSeq(),
      read: (from, limit) => source.read(from, limit),
      take: (message) => this.#take(admit(message)),
      hasRoom: () => (this.#countsDone ? this.size : this.#queued) < window && this.#bytes < windowBytes,
      slice,
    })
  }

  /** The last message that was read. */
  get cursor(): number {
    return this.#follower.at
  }

  get isBehind(): boolean {
    return this.#follower.isBehind
  }

  /** Messages that were deleted from the stream before they were read. */
  get missed(): number {
    return this.#follower.missed
  }

  get mark(): number {
    const first = this.#open[this.#head]
    return first ? first.seq - 1 : this.#follower.at
  }

  /** With those that are done and that the mark has not passed yet. */
  get size(): number {
    return this.#open.length - this.#head + this.#kept.size
  }

  get keptCount(): number {
    return this.#kept.size
  }

  /** Those of them that were tried. */
  get retriedCount(): number {
    return this.#kept.values().reduce((count, { attempts }) => (attempts > 0 ? count + 1 : count), 0)
  }

  get bytes(): number {
    return this.#bytes
  }

  get inFlight(): number {
    return this.#inFlight
  }

  get bytesInFlight(): number {
    return this.#bytesInFlight
  }

  get hasReady(): boolean {
    return this.#ready.length > 0
  }

  /** How many were done so far. */
  get settled(): number {
    return this.#settled
  }

  /** The one that the mark waits for. */
  get oldest(): T | undefined {
    return this.#open[this.#head]
  }

  /** All after the mark, then those with a row. */
  entries(): T[] {
    return [...this.#open.slice(this.#head).filter(({ kept }) => !kept), ...this.#kept.values()]
  }

  /** They hold up the mark: later ones are done. */
  overtaken(): T[] {
    return this.entries().filter(({ seq, state, kept }) => seq < this.#lastDone && state !== 'done' && !kept)
  }

  /** One with a row. */
  hasKept(seq: number): boolean {
    return this.#kept.has(seq)
  }

  /** Just committed; those that are not the next ones here are read later. */
  push(messages: readonly BusMessage[]): void {
    this.#follower.push(messages)
  }

  /** One slice; true when there is more to read, and room for it. */
  readOn(): boolean {
    return this.#follower.readOn()
  }

  /** One of an earlier day, which has a row: it takes its old place. One that was read again has its row from now on. */
  takeUp(entry: T): void {
    const known = this.#lanes.get(entry.lane)?.find(({ seq }) => seq === entry.seq)
    if (known) {
      this.keep(known)
      return
    }
    entry.kept = true
    this.#kept.set(entry.seq, entry)
    this.#bytes += entry.bytes
    this.#queue(entry)
  }

  /** The oldest that may be sent now, and is in flight from here on. */
  next(now: number, onlyKept = false): T | undefined {
    const at = this.#ready.findIndex(({ dueAt, kept }) => isDue(dueAt, now) && (kept || !onlyKept))
    const entry = this.#ready[at]
    if (!entry) return undefined
    if (at === 0) this.#ready.shift()
    else this.#ready.splice(at, 1)
    entry.state = 'in-flight'
    this.#inFlight += 1
    this.#bytesInFlight += entry.bytes
    return entry
  }

  /** When the next one may be sent, if time is all it waits for. */
  nextDueAt(now: number): number | undefined {
    const times = this.#ready.filter(({ dueAt }) => !isDue(dueAt, now)).map(({ dueAt }) => dueAt)
    return times.length === 0 ? undefined : Math.min(...times)
  }

  /** Delivered, given up, or not wanted any more. */
  settle(entry: T): void {
    if (entry.state === 'in-flight') this.#land(entry)
    else this.#unready(entry)
    this.#settled += 1
    entry.state = 'done'
    this.#lastDone = Math.max(this.#lastDone, entry.seq)
    if (this.#kept.delete(entry.seq)) this.#bytes -= entry.bytes
    this.#queued -= 1
    const lane = this.#lanes.get(entry.lane) ?? []
    const wasFirst = lane[0] === entry
    lane.splice(lane.indexOf(entry), 1)
    if (!lane[0]) this.#lanes.delete(entry.lane)
    else if (wasFirst) this.#makeReady(lane[0])
    this.#moveMark()
  }

  /** Perhaps delivered, perhaps not: it is still first in its lane. */
  retry(entry: T, dueAt = 0): void {
    this.#land(entry)
    entry.state = 'waiting'
    entry.dueAt = dueAt
    this.#makeReady(entry)
  }

  /** It has a row now. */
  keep(entry: T): void {
    if (entry.kept) return
    entry.kept = true
    this.#kept.set(entry.seq, entry)
    this.#moveMark()
  }

  #take(entry: T | undefined): void {
    if (!entry || this.#kept.has(entry.seq)) return
    this.#open.push(entry)
    this.#bytes += entry.bytes
    if (entry.state === 'done') this.#moveMark()
    else this.#queue(entry)
  }

  /** By its sequence, but behind one that is in flight. */
  #queue(entry: T): void {
    this.#queued += 1
    const lane = this.#lanes.get(entry.lane)
    if (!lane) {
      this.#lanes.set(entry.lane, [entry])
      this.#makeReady(entry)
      return
    }
    let at = lane.length
    for (let before = lane[at - 1]; before && isAfter(before, entry); before = lane[at - 1]) at -= 1
    const first = lane[0]
    lane.splice(at, 0, entry)
    if (at > 0 || !first) return
    this.#unready(first)
    this.#makeReady(entry)
  }

  #makeReady(entry: T): void {
    let [low, high] = [0, this.#ready.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ready[middle]?.seq ?? 0) < entry.seq) low = middle + 1
      else high = middle
    }
    if (low === this.#ready.length) this.#ready.push(entry)
    else this.#ready.splice(low, 0, entry)
  }

  #unready(entry: T): void {
    const at = this.#ready.indexOf(entry)
    if (at >= 0) this.#ready.splice(at, 1)
  }

  #land(entry: T): void {
    this.#inFlight -= 1
    this.#bytesInFlight -= entry.bytes
  }

  #moveMark(): void {
    for (let first = this.oldest; first && (first.kept || first.state === 'done'); first = this.oldest) {
      if (!first.kept) this.#bytes -= first.bytes
      this.#head += 1
    }
    const isStuck = !this.#countsDone && this.#open.length - this.#head > 2 * (this.#queued + this.#window)
    if (this.#head < this.#open.length / 2 && !isStuck) return
    this.#open = this.#open.slice(this.#head)
    this.#head = 0
    if (isStuck) this.#forgetDone()
  }

  /** Behind a message that is tried again and again, those that are done would pile up. */
  #forgetDone(): void {
    const isOver = ({ state, kept }: T) => state === 'done' && !kept
    for (const entry of this.#open) if (isOver(entry)) this.#bytes -= entry.bytes
    this.#open = this.#open.filter((entry) => !isOver(entry))
  }
}

export function isDue(dueAt: number, now: number): boolean {
  return dueAt <= now || dueAt - now > MAX_WAIT_MS
}

export function entryOf({ seq, id, agent, session, data }: BusMessage): Entry {
  return {
    seq,
    id,
    session,
    lane: `${agent}\n${session}`, // the sessions of two agents may have one id
    bytes: data.length,
    state: 'waiting',
    attempts: 0,
    dueAt: 0,
    kept: false,
  }
}

function isAfter(before: Entry, entry: Entry): boolean {
  return before.state === 'waiting' && before.seq > entry.seq
}
