/**
 * One connection on which hooks are sent one by one, each answered before the next: for programs that send many. Agents use
 * the hook client instead, with deadlines, a spool and no persistent connection.
 *
 *   const line = await openHookLine(places())
 *   const stored = await line.send(header, payload)      // false: the daemon did not store it
 */
import type { Places } from '../core/files/paths.ts'
import { open } from './connection.ts'
import { encodeFrame, type HookHeader } from './wire.ts'

const REPLY_DEADLINE_MS = 10_000

export interface HookLine {
  /** True once it is on disk; the reply itself is ignored. */
  send(header: HookHeader, payload: Uint8Array): Promise<boolean>
  close(): void
}

export async function openHookLine(places: Places): Promise<HookLine> {
  const socket = await open(places)
  let got = Buffer.alloc(0)
  let ended = false
  let waiting: ((stored: boolean) => void) | undefined
  const settle = (stored: boolean) => {
    const done = waiting
    waiting = undefined
    done?.(stored)
  }
  socket.on('data', (chunk: Buffer) => {
    got = Buffer.concat([got, chunk])
    const length = replyLength(got)
    if (length === undefined || got.length < length) return
    got = got.subarray(length)
    settle(true)
  })
  socket.on('close', () => {
    ended = true
    settle(false)
  })
  return {
    send: (header, payload) => {
      if (ended) return Promise.resolve(false)
      const timer = setTimeout(() => socket.destroy(), REPLY_DEADLINE_MS)
      return new Promise<boolean>((resolve) => {
        waiting = resolve
        socket.write(encodeFrame(header, payload))
      }).finally(() => clearTimeout(timer))
    },
    close: () => void socket.destroy(),
  }
}

/**
 * Total length of `<exit> <stdout> <stderr>\n` and its two parts; undefined while the first line is incomplete.
 */
function replyLength(bytes: Buffer): number | undefined {
  const match = /^\d+ (\d+) (\d+)\n/.exec(bytes.toString('latin1', 0, 64))
  return match ? match[0].length + Number(match[1]) + Number(match[2]) : undefined
}
