/**
 * Messages of one stream that are on their way to NATS or next in line. Those of one session form a lane in which only
 * the first may fly, so their order holds whatever happens to a single one. The mark follows: everything up to it is
 * delivered.
 */
import type { BusMessage } from '../streams/index.ts'

/** One message under one subject. */
export interface Copy {
  readonly subject: string
  readonly id: string
}

export interface Entry {
  readonly message: BusMessage
  readonly bytes: number
  /** Those that are not in the stream yet. */
  copies: readonly Copy[]
  state: 'waiting' | 'flying' | 'done'
  /** When it was sent last, UTC milliseconds. */
  sentAt: number
  /** It can only be in the stream after this sequence of the stream. */
  floor: number
  /** A dead letter that got another chance: behind the mark, which does not wait for it. */
  readonly isLetter: boolean
  /** Refusals by the stream, and how many others had landed when the first one came. */
  refusals: number
  landedBefore: number
}

const NEVER_SENT = Number.POSITIVE_INFINITY

export class Flight {
  /** In the order of the stream; those before `#head` are gone. */
  #entries: Entry[] = []
  #head = 0
  readonly #letters = new Set<Entry>()
  readonly #lanes = new Map<string, Entry[]>()
  /** First of their lanes, not sent. */
  #ready: Entry[] = []
  #mark: number
  #cursor: number
  #bytes = 0
  #flying = 0
  #landed = 0

  constructor(mark: number) {
    this.#mark = mark
    this.#cursor = mark
  }

  get mark(): number {
    return this.#mark
  }

  /** The last message that was taken in. */
  get cursor(): number {
    return this.#cursor
  }

  get size(): number {
    return this.#entries.length - this.#head + this.#letters.size
  }

  get bytes(): number {
    return this.#bytes
  }

  get flying(): number {
    return this.#flying
  }

  /** Those under way. */
  get locked(): { readonly seq: number; readonly at: number }[] {
    if (this.#flying === 0) return []
    return [...this.#entries.slice(this.#head), ...this.#letters]
      .filter(({ state }) => state === 'flying')
      .map(({ message, sentAt }) => ({ seq: message.seq, at: sentAt }))
  }

  /** Something could be sent at once. */
  get hasReady(): boolean {
    return this.#ready.length > 0
  }

  /** Messages over the mark that are delivered all the same. */
  get ahead(): number {
    return this.#entries.slice(this.#head).filter(({ state }) => state === 'done').length
  }

  /** Undelivered and taken in, oldest first. */
  get oldest(): BusMessage | undefined {
    return this.#entries[this.#head]?.message
  }

  /** Without copies it is in the stream already, somewhere after `floor`. */
  add(message: BusMessage, copies: readonly Copy[], floor = NEVER_SENT): void {
    const entry = entryOf(message, copies, floor, false)
    this.#entries.push(entry)
    this.#cursor = message.seq
    this.#bytes += entry.bytes
    if (copies.length > 0) this.#queue(entry)
    else this.#settle(entry)
  }

  addLetter(message: BusMessage, copies: readonly Copy[]): void {
    const entry = entryOf(message, copies, NEVER_SENT, true)
    this.#letters.add(entry)
    this.#bytes += entry.bytes
    this.#queue(entry)
  }

  get hasLetters(): boolean {
    return this.#letters.size > 0
  }

  hasLetter(seq: number): boolean {
    return [...this.#letters].some(({ message }) => message.seq === seq)
  }

  /** The next one to send; `floor` is the last sequence that the stream is known to have. */
  next(floor: number): Entry | undefined {
    const entry = this.#ready.shift()
    if (!entry) return undefined
    entry.state = 'flying'
    entry.sentAt = Date.now()
    entry.floor = Math.min(entry.floor, floor)
    this.#flying += 1
    return entry
  }

  /** Delivered, or given up. */
  land(entry: Entry): void {
    this.#flying -= 1
    this.#landed += 1
    this.#leaveLane(entry)
    this.#settle(entry)
  }

  /** Perhaps delivered, perhaps not: it is first in its lane still. */
  back(entry: Entry): void {
    this.#flying -= 1
    entry.state = 'waiting'
    this.#ready.unshift(entry)
  }

  /** The stream refused it. How often, while it took others: if it takes nothing, it is not the message. */
  refuse(entry: Entry): number {
    if (entry.refusals === 0) entry.landedBefore = this.#landed
    entry.refusals += 1
    return this.#landed > entry.landedBefore ? entry.refusals : 0
  }

  /** What is found in the stream need not be sent again. Only while nothing flies. */
  strike(isThere: (copy: Copy) => boolean): Entry[] {
    const struck: Entry[] = []
    for (const entry of [...this.#entries.slice(this.#head), ...this.#letters]) {
      if (entry.state !== 'waiting') continue
      entry.copies = entry.copies.filter((copy) => !isThere(copy))
      if (entry.copies.length > 0) continue
      this.#ready = this.#ready.filter((one) => one !== entry)
      this.#leaveLane(entry)
      this.#settle(entry)
      struck.push(entry)
    }
    return struck
  }

  /** Nothing over the mark that was sent is in the stream at or before this sequence. */
  floor(): number {
    let floor = NEVER_SENT
    for (let at = this.#head; at < this.#entries.length; at++) {
      floor = Math.min(floor, this.#entries[at]?.floor ?? NEVER_SENT)
    }
    for (const letter of this.#letters) floor = Math.min(floor, letter.floor)
    return floor
  }

  #queue(entry: Entry): void {
    const lane = this.#lanes.get(entry.message.session)
    if (lane) lane.push(entry)
    else {
      this.#lanes.set(entry.message.session, [entry])
      this.#ready.push(entry)
    }
  }

  #leaveLane(entry: Entry): void {
    const { session } = entry.message
    const lane = this.#lanes.get(session)
    if (!lane) return
    const wasFirst = lane[0] === entry
    lane.splice(lane.indexOf(entry), 1)
    const next = lane[0]
    if (!next) this.#lanes.delete(session)
    else if (wasFirst) this.#ready.push(next)
  }

  #settle(entry: Entry): void {
    entry.state = 'done'
    if (this.#letters.delete(entry)) this.#bytes -= entry.bytes
    for (let first = this.#entries[this.#head]; first?.state === 'done'; first = this.#entries[this.#head]) {
      this.#mark = first.message.seq
      this.#bytes -= first.bytes
      this.#head += 1
    }
    if (this.#head < this.#entries.length / 2) return
    this.#entries = this.#entries.slice(this.#head)
    this.#head = 0
  }
}

function entryOf(message: BusMessage, copies: readonly Copy[], floor: number, isLetter: boolean): Entry {
  return {
    message,
    bytes: message.data.length,
    copies,
    state: 'waiting',
    sentAt: 0,
    floor,
    isLetter,
    refusals: 0,
    landedBefore: 0,
  }
}
