/**
 * What lies ahead of a target: the next messages of its stream that it wants, without their payloads. Commits are
 * pushed as long as there is room; what there was no room for is read from the stream, a slice at a time.
 */

import { Follower } from '../../journal/index.ts'
import { type BusMessage, type Filter, messageAt, type Source } from '../streams/index.ts'
import { type Item, SessionLanes } from './session-lanes.ts'

const WINDOW = 500 // messages looked ahead, so that a session that is stuck does not hold up others
const SLICE_MESSAGES = 100 // of a backlog read in one turn: a millisecond or two
const SLICE_BYTES = 2 * 1024 * 1024

export class Ahead {
  readonly lanes = new SessionLanes()
  readonly #source: Source
  readonly #filters: readonly Filter[]
  readonly #follower: Follower<BusMessage>
  #gone = 0

  constructor(source: Source, filters: readonly Filter[], after: number) {
    this.#source = source
    this.#filters = filters
    this.#follower = new Follower({
      after,
      lastSeq: () => source.lastSeq(),
      read: (from, limit) => source.read(from, limit),
      take: (message) => this.#note(message),
      hasRoom: () => this.lanes.size < WINDOW,
      slice: { rows: SLICE_MESSAGES, bytes: SLICE_BYTES, sizeOf: ({ data }) => data.length },
    })
  }

  /** Messages that were deleted from the stream before they were looked at. */
  get missed(): number {
    return this.#follower.missed + this.#gone
  }

  /** Everything up to here is settled, or has a letter. */
  get mark(): number {
    return this.lanes.mark(this.#follower.at)
  }

  /** Messages of the stream after the mark, whatever their type. */
  get backlog(): number {
    return Math.max(0, this.#source.lastSeq() - this.mark)
  }

  /** Just committed; those that are not the next ones here are read later. */
  heard(messages: readonly BusMessage[]): void {
    this.#follower.push(messages)
  }

  /** One slice; true when there is more to read, and room for it. */
  readOn(): boolean {
    return this.#follower.readOn()
  }

  /** A letter of an earlier day. */
  takeUp(item: Omit<Item, 'lane' | 'inFlight' | 'kept'>): void {
    if (this.lanes.has(item.seq)) return
    const message = messageAt(this.#source, item.seq)
    this.lanes.add({ ...item, lane: message ? laneOf(message) : '', inFlight: false, kept: true })
  }

  /** With its payload; undefined and counted when the stream no longer has it. */
  message(item: Item): BusMessage | undefined {
    const message = messageAt(this.#source, item.seq)
    if (!message) this.#gone += 1
    return message
  }

  #note(message: BusMessage): void {
    const { seq, id, session, type } = message
    if (message.isAside) return
    if (this.#filters.length > 0 && !this.#filters.some((filter) => filter.matches(type))) return
    const lane = laneOf(message)
    this.lanes.add({ seq, id, session, lane, attempts: 0, dueAt: 0, inFlight: false, kept: false })
  }
}

/** The sessions of two agents may have one id. */
function laneOf(message: BusMessage): string {
  return `${message.agent}\n${message.session}`
}
