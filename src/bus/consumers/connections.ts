/** The connections of a durable consumer. What one is given leaves in few writes; when it has no room, others get it. */
import type { Sink } from '../../journal/index.ts'
import type { Consumer } from './consumer.ts'
import { PIECE_CHARS } from './encoded.ts'

export class Member {
  readonly #sink: Sink
  readonly #consumer: Consumer
  #text = ''
  #full = false

  constructor(sink: Sink, consumer: Consumer) {
    this.#sink = sink
    this.#consumer = consumer
  }

  get isFull(): boolean {
    return this.#full
  }

  take(line: string): void {
    this.#text += line
    if (this.#text.length >= PIECE_CHARS) this.flush()
  }

  flush(): void {
    if (this.#text === '') return
    const bytes = Buffer.from(this.#text)
    this.#text = ''
    if (!this.#sink.send(bytes)) this.#full = true
  }

  resume(): void {
    this.#full = false
    this.#consumer.pumpSoon()
  }

  settle(seqs: readonly number[]): void {
    this.#consumer.settle(seqs)
  }

  refuse(seq: number, delayMs: number): void {
    this.#consumer.refuse(seq, delayMs)
  }

  close(): void {
    this.#consumer.leave(this)
  }

  fail(error: unknown): void {
    this.#sink.fail?.(error)
  }
}

/** Connections that share one name take turns; full ones are skipped. */
export class ConsumerConnections {
  #members: readonly Member[] = []
  #turn = 0

  get size(): number {
    return this.#members.length
  }

  get all(): readonly Member[] {
    return this.#members
  }

  add(member: Member): void {
    this.#members = [...this.#members, member]
  }

  /** False if it was not connected. */
  remove(member: Member): boolean {
    const before = this.#members.length
    this.#members = this.#members.filter((one) => one !== member)
    return this.#members.length < before
  }

  get hasRoom(): boolean {
    return this.#members.some((member) => !member.isFull)
  }

  /** The next connection with room, if any. */
  next(): Member | undefined {
    const { length } = this.#members
    for (let i = 1; i <= length; i++) {
      const at = (this.#turn + i) % length
      const member = this.#members[at]
      if (!member || member.isFull) continue
      this.#turn = at
      return member
    }
    return undefined
  }
}
