/**
 * Messages as they travel on the spot: a JSON line on the socket, an event over HTTP. Each is put into words once,
 * however many listen, and those of one commit into few pieces: a piece is one write to a reader.
 */
import type { BusMessage, Filter } from '../streams/index.ts'

export type Form = 'line' | 'sse'

export interface Piece {
  readonly bytes: Buffer
  /** The last message in it. */
  readonly upTo: number
}

export const PIECE_CHARS = 256 * 1024 // a reader who is full after one has no more than this waiting

export class Encoded {
  readonly message: BusMessage
  #body: string | undefined

  constructor(message: BusMessage) {
    this.message = message
  }

  as(form: Form): string {
    return form === 'line' ? `{"msg":${this.body}}\n` : `id: ${this.message.seq}\ndata: ${this.body}\n\n`
  }

  /** The line for a durable consumer, who wants to know whether it is the first time. */
  numbered(deliveries: number): string {
    return `{"msg":${this.body.slice(0, -1)},"deliveries":${deliveries}}}\n`
  }

  /** JSON has no line breaks of its own, which both forms rely on. */
  get body(): string {
    this.#body ??= JSON.stringify(toWire(this.message))
    return this.#body
  }
}

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
      if (!filter.passes(encoded.message)) continue
      text += encoded.as(form)
      upTo = encoded.message.seq
      if (text.length < PIECE_CHARS) continue
      yield { bytes: Buffer.from(text), upTo }
      text = ''
    }
    if (text !== '') yield { bytes: Buffer.from(text), upTo }
  }
}

/** Bytes that are no text travel as base64. */
function toWire({ data, ...rest }: BusMessage): Record<string, unknown> {
  return typeof data === 'string'
    ? { ...rest, data }
    : { ...rest, dataBase64: Buffer.from(data).toString('base64') }
}
