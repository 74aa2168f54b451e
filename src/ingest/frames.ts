/**
 * Splits the bytes of one connection into messages: hook frames (header line and payload) and one-line requests. No side
 * effects; reports errors instead of throwing.
 */
import { HEADER_LIMIT_BYTES, PAYLOAD_LIMIT_BYTES } from '../client/wire.ts'
import { isObject } from '../core/is-object.ts'
import { jsonIn } from '../core/json.ts'

export interface FrameHeader {
  readonly [key: string]: unknown
}

export interface HookMessage {
  readonly kind: 'hook'
  readonly header: FrameHeader
  readonly payload: Buffer
  readonly cutFrom?: number
}

export type ClientMessage =
  | HookMessage
  | { readonly kind: 'request'; readonly request: FrameHeader }
  | { readonly kind: 'bad'; readonly reason: string }

const NEWLINE = 10
const REQUEST_LIMIT_BYTES = PAYLOAD_LIMIT_BYTES + HEADER_LIMIT_BYTES

export class FrameReader {
  #chunks: Buffer[] = []
  #size = 0
  #header: FrameHeader | undefined
  #payload: Buffer | undefined
  #need = 0
  #skip = 0
  #broken = false

  /** Bytes buffered for an incomplete message. */
  get pending(): number {
    return this.#size + (this.#payload?.length ?? 0)
  }

  /** The messages that `chunk` completes. After a `bad` one nothing more is read, because the next start is unknown. */
  push(chunk: Buffer): ClientMessage[] {
    if (this.#broken) return []
    this.#chunks.push(chunk)
    this.#size += chunk.length
    const messages: ClientMessage[] = []
    for (;;) {
      const message = this.#next(chunk)
      if (!message) return messages
      messages.push(message)
      if (message.kind !== 'bad') continue
      this.#broken = true
      this.#keep(Buffer.alloc(0))
      return messages
    }
  }

  #next(latest: Buffer): ClientMessage | undefined {
    if (!this.#header) {
      // Only the newest chunk can complete a line that was incomplete before.
      if (this.#chunks.length > 1 && !latest.includes(NEWLINE)) return this.#tooLong()
      const bytes = this.#joined()
      const end = bytes.indexOf(NEWLINE)
      if (end < 0) return this.#tooLong()
      const line = bytes.subarray(0, end)
      const tooLong = this.#tooLong(end)
      if (tooLong) return tooLong
      this.#keep(bytes.subarray(end + 1))
      const header = parseLine(line)
      if (typeof header === 'string') return { kind: 'bad', reason: header }
      if (header.kind !== 'hook') return { kind: 'request', request: header }
      if (end > HEADER_LIMIT_BYTES) return { kind: 'bad', reason: 'header over 64 KB' }
      const len = header.len
      if (typeof len !== 'number' || !Number.isSafeInteger(len) || len < 0) {
        return { kind: 'bad', reason: 'len is not a whole number' }
      }
      this.#header = header
      this.#need = Math.min(len, PAYLOAD_LIMIT_BYTES)
      this.#skip = len - this.#need
    }
    return this.#complete(this.#header)
  }

  /** Keeps the payload's beginning, and drops what is over the limit. */
  #complete(header: FrameHeader): ClientMessage | undefined {
    if (!this.#payload) {
      if (this.#size < this.#need) return undefined
      const bytes = this.#joined()
      this.#payload = bytes.subarray(0, this.#need)
      this.#keep(bytes.subarray(this.#need))
    }
    if (this.#skip > 0) {
      const dropped = Math.min(this.#skip, this.#size)
      this.#keep(this.#joined().subarray(dropped))
      this.#skip -= dropped
      if (this.#skip > 0) return undefined
    }
    const payload = this.#payload
    const len = header.len as number
    this.#header = undefined
    this.#payload = undefined
    return { kind: 'hook', header, payload, ...(len > payload.length ? { cutFrom: len } : {}) }
  }

  /** Only a call may be a long line, never a hook's header. */
  #tooLong(length = this.#size): ClientMessage | undefined {
    if (length <= HEADER_LIMIT_BYTES) return undefined
    const isCall = /^\s*\{\s*"(?:cmd|args|env|protocol_version|type)"/.test(this.#start())
    if (isCall && length <= REQUEST_LIMIT_BYTES) return undefined
    return { kind: 'bad', reason: isCall ? 'call over 8 MB' : 'header over 64 KB' }
  }

  /** The beginning of the line, across chunks, to classify it. */
  #start(): string {
    let start = ''
    for (const chunk of this.#chunks) {
      start += chunk.toString('latin1', 0, 64)
      if (start.length >= 64) break
    }
    return start
  }

  #joined(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)]
    return this.#chunks[0] ?? Buffer.alloc(0)
  }

  #keep(rest: Buffer): void {
    this.#chunks = rest.length > 0 ? [rest] : []
    this.#size = rest.length
  }
}

function parseLine(line: Buffer): FrameHeader | string {
  const value = jsonIn(line.toString('utf8'))
  if (value === undefined) return 'the first line is not JSON'
  return isObject(value) ? (value as FrameHeader) : 'the first line is not a JSON object'
}
