/**
 * One connection over which hooks are sent one after the other, each answered before the next: for programs that send
 * many. What runs under an agent is the hook client, which has deadlines, a spool and no connection to keep.
 *
 *   const line = await openHookLine(places())
 *   const stored = await line.send(header, payload)      // false: the daemon did not take it
 */
import type { Places } from '../core/files/paths.ts'
import { open } from './connection.ts'
import { encodeFrame, type HookHeader } from './wire.ts'

const REPLY_DEADLINE_MS = 10_000

export interface HookLine {
  /** True once it is on the disk; what the daemon says to it is left aside. */
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

/** `<exit> <stdout> <stderr>\n` and so many bytes; nothing as long as the first line is not there. */
function replyLength(bytes: Buffer): number | undefined {
  const match = /^\d+ (\d+) (\d+)\n/.exec(bytes.toString('latin1', 0, 64))
  return match ? match[0].length + Number(match[1]) + Number(match[2]) : undefined
}
