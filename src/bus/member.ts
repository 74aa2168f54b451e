/** One connection of a durable consumer. What it is given leaves in few writes; when it has no room, others get it. */
import { PIECE_CHARS } from './batch.ts'
import type { Consumer } from './consumer.ts'
import type { Sink } from './reader.ts'

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
    this.#sink.fail(error)
  }
}
