/**
 * Encoded messages for readers on this host: a JSON line on the socket, an event over HTTP. Each message is encoded
 * once for all readers, and a commit's messages are joined into few pieces, each one write to a reader.
 */
import type { BusMessage, Filter } from '../streams/index.ts'

export type Form = 'line' | 'sse'

export interface Piece {
  readonly bytes: Buffer
  /** The last message in it. */
  readonly upTo: number
}

export const PIECE_CHARS = 256 * 1024 // at most this much is queued for a reader that is full

export class Encoded {
  readonly message: BusMessage
  #body: string | undefined

  constructor(message: BusMessage) {
    this.message = message
  }

  as(form: Form): string {
    return form === 'line' ? `{"msg":${this.body}}\n` : `id: ${this.message.seq}\ndata: ${this.body}\n\n`
  }

  /** The line for a durable consumer, with the number of deliveries. */
  numbered(deliveries: number): string {
    return `{"msg":${this.body.slice(0, -1)},"deliveries":${deliveries}}}\n`
  }

  /** JSON without line breaks, which both formats rely on. */
  get body(): string {
    this.#body ??= JSON.stringify(toWire(this.message))
    return this.#body
  }
}

export class Batch {
  readonly first: number
  readonly last: number
  readonly messages: readonly Encoded[]
  /** Readers with the same filter share the same bytes. */
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

/** Binary data is sent as base64. */
function toWire({ data, ...rest }: BusMessage): Record<string, unknown> {
  return typeof data === 'string'
    ? { ...rest, data }
    : { ...rest, dataBase64: Buffer.from(data).toString('base64') }
}
