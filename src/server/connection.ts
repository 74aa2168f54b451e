/** One connection to the door: what was read of it, what has still to be written to it, who waits on it. */
import type { Socket } from 'bun'
import type { Log } from '../core/log.ts'
import type { FrameReader, ReplyQueue } from '../ingest/index.ts'
import type { BusSubscription } from './bus-subscription.ts'

export interface Connection {
  readonly reader: FrameReader
  /** Bytes that the other side had no room for yet. */
  out: Buffer[]
  outBytes: number
  calls: Promise<void>
  /** Made with the first call: aborted when the other side hangs up. */
  hungUp?: AbortController
  readonly hooks: ReplyQueue
  subscription?: { resume(): void; close(): void; control?: BusSubscription['control'] }
  /** More may come at any time: it is not closed for its silence. */
  kept: boolean
  closed: boolean
}

export type Peer = Socket<Connection>

const OUT_LIMIT_BYTES = 32 * 1024 * 1024

/** False when the other side has no room left and the rest waits here. */
export function send(peer: Peer, bytes: Buffer): boolean {
  const { data } = peer
  if (data.closed) return false
  if (data.out.length === 0) {
    const written = peer.write(bytes)
    if (written < 0) return false
    if (written === bytes.length) return true
    bytes = bytes.subarray(written)
  }
  // One answer may be as large as it is; what must not grow is the pile of a reader who does not read.
  if (data.outBytes > OUT_LIMIT_BYTES) {
    peer.terminate()
    return false
  }
  data.out.push(bytes)
  data.outBytes += bytes.length
  return false
}

export function flush(peer: Peer): void {
  const { data } = peer
  while (data.out.length > 0) {
    const bytes = data.out[0] ?? Buffer.alloc(0)
    const written = peer.write(bytes)
    if (written < 0) return
    data.outBytes -= written
    if (written < bytes.length) {
      data.out[0] = bytes.subarray(written)
      return
    }
    data.out.shift()
  }
  data.subscription?.resume()
}

export function drop(peer: Peer, log: Log, why: string): void {
  log.warn('door', `connection closed: ${why}`)
  peer.terminate()
}

/** Bun has it on every socket and leaves it out of its types (1.4.4). */
export function descriptorOf(peer: Peer): number {
  const { fd } = peer as unknown as { fd?: unknown }
  return typeof fd === 'number' ? fd : -1
}

export function line(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}
