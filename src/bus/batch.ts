/** The messages of one commit, put into words once and into few pieces: a piece is one write to a reader. */
import { Encoded, type Form } from './encode.ts'
import type { Filter } from './filter.ts'
import type { BusMessage } from './message.ts'

export interface Piece {
  readonly bytes: Buffer
  /** The last message in it. */
  readonly upTo: number
}

export const PIECE_CHARS = 256 * 1024 // a reader who is full after one has no more than this waiting

export class Batch {
  readonly first: number
  readonly last: number
  readonly messages: readonly Encoded[]
  /** Readers with the same filter get the same bytes. */
  readonly #pieces = new Map<string, Piece[]>()

  constructor(messages: readonly BusMessage[]) {
    this.messages = messages.map((message) => new Encoded(message))
    this.first = messages[0]?.seq ?? 0
    this.last = messages.at(-1)?.seq ?? 0
  }

  pieces(filter: Filter, form: Form): readonly Piece[] {
    const key = `${form} ${filter.pattern}`
    const known = this.#pieces.get(key)
    if (known) return known
    const made = [...this.#cut(filter, form)]
    this.#pieces.set(key, made)
    return made
  }

  *#cut(filter: Filter, form: Form): Generator<Piece> {
    let text = ''
    let upTo = 0
    for (const encoded of this.messages) {
      if (!filter.matches(encoded.message.type)) continue
      text += encoded.as(form)
      upTo = encoded.message.seq
      if (text.length < PIECE_CHARS) continue
      yield { bytes: Buffer.from(text), upTo }
      text = ''
    }
    if (text !== '') yield { bytes: Buffer.from(text), upTo }
  }
}
