/** One connection to the socket: its input, its pending output, and who waits on it. */
import type { Socket } from 'bun'
import type { Log } from '../core/log.ts'
import type { FrameReader, ReplyQueue } from '../ingest/index.ts'
import type { BusSubscription } from './bus-subscription.ts'

export interface Connection {
  readonly reader: FrameReader
  /** Bytes that the peer had no room for yet. */
  out: Buffer[]
  outBytes: number
  calls: Promise<void>
  /** Created with the first call; aborted when the peer disconnects. */
  hungUp?: AbortController
  readonly hooks: ReplyQueue
  subscription?: { resume(): void; close(): void; control?: BusSubscription['control'] }
  /** A long-lived connection, exempt from the silence limit. */
  kept: boolean
  closed: boolean
}

export type Peer = Socket<Connection>

const OUT_LIMIT_BYTES = 32 * 1024 * 1024

/** False if the peer has no room and the rest is queued here. */
export function send(peer: Peer, bytes: Buffer): boolean {
  const { data } = peer
  if (data.closed) return false
  if (data.out.length === 0) {
    const written = peer.write(bytes)
    if (written < 0) return false
    if (written === bytes.length) return true
    bytes = bytes.subarray(written)
  }
  // One answer may have any size; the queue of a peer that does not read must not grow.
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

/** Bun has it on every socket, but not in its types (1.4.4). */
export function descriptorOf(peer: Peer): number {
  const { fd } = peer as unknown as { fd?: unknown }
  return typeof fd === 'number' ? fd : -1
}

export function line(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}
