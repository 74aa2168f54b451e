/**
 * The items of one commit as live readers get them: each is encoded once, however many listen, and those of one commit go into few
 * pieces. A piece is one write to a reader.
 */
import type { Sequenced } from './follower.ts'

/** What a reader wants, and in which form. */
export interface View<T> {
  /** Readers with the same key get the same bytes. */
  readonly key: string
  wants(item: T): boolean
  encode(item: T): string
  /** A piece ends when it is this long: a reader that is full after one has no more than this waiting. */
  readonly pieceChars: number
}

export interface Piece {
  /** None where nothing is wanted. */
  readonly bytes: Uint8Array
  /** Everything up to here is in it, or not wanted. */
  readonly upTo: number
}

export class Batch<T extends Sequenced> {
  readonly first: number
  readonly last: number
  readonly items: readonly T[]
  readonly #pieces = new Map<string, Piece[]>()

  constructor(items: readonly T[]) {
    this.items = items
    this.first = items[0]?.seq ?? 0
    this.last = items.at(-1)?.seq ?? 0
  }

  pieces(view: View<T>): readonly Piece[] {
    const known = this.#pieces.get(view.key)
    if (known) return known
    const made = [...this.#cut(view)]
    this.#pieces.set(view.key, made)
    return made
  }

  *#cut({ wants, encode, pieceChars }: View<T>): Generator<Piece> {
    let text = ''
    let upTo = 0
    for (const item of this.items) {
      if (!wants(item)) continue
      text += encode(item)
      upTo = item.seq
      if (text.length < pieceChars) continue
      yield { bytes: Buffer.from(text), upTo }
      text = ''
    }
    if (upTo < this.last || text !== '') yield { bytes: Buffer.from(text), upTo: this.last }
  }
}
