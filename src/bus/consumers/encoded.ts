/** A message as it travels on the spot: a JSON line on the socket, an event over HTTP. It is encoded once, however many listen. */
import type { BusMessage } from '../streams/index.ts'

export type Form = 'line' | 'sse'

export const PIECE_CHARS = 256 * 1024 // in one write: a reader that is full after it has no more than this waiting

export class Encoded {
  readonly message: BusMessage
  #body: string | undefined

  constructor(message: BusMessage) {
    this.message = message
  }

  get seq(): number {
    return this.message.seq
  }

  as(form: Form): string {
    return form === 'line' ? `{"msg":${this.body}}\n` : `id: ${this.seq}\ndata: ${this.body}\n\n`
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

/** Encodes bytes that are not valid UTF-8 as base64. */
function toWire({ data, ...rest }: BusMessage): Record<string, unknown> {
  return typeof data === 'string'
    ? { ...rest, data }
    : { ...rest, dataBase64: Buffer.from(data).toString('base64') }
}
