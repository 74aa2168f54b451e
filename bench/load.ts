/** Hooks on a daemon's socket: many at a rate, sent by the native program `load`, or a single one. */
import { openHookLine } from '../src/client/index.ts'
import type { Places } from '../src/core/files/paths.ts'
import { newId } from '../src/events/index.ts'
import { numbers, payloadOf, type Stage } from './stage.ts'

const PAYLOAD_BYTES = 2048

export interface Load {
  readonly clients: number
  readonly events: number
  readonly sessions?: number
  /** Another one makes other ids. */
  readonly seed?: number
  /** Events per second; without it, as fast as they are answered. */
  readonly rate?: number
  /** Frames to send instead of generated ones. */
  readonly file?: string
}

/** Latencies in milliseconds, and how long all of it took. */
export async function load(
  stage: Stage,
  { socket }: Places,
  { clients, events, sessions = 1, seed = 0, rate = 0, file }: Load,
): Promise<{ ms: number[]; seconds: number }> {
  const args = [socket, clients, events, PAYLOAD_BYTES, sessions, seed, rate, ...(file ? [file] : [])]
  const [seconds = 1, ...us] = await numbers([stage.program('load'), ...args.map(String)], {})
  return { ms: us.map((one) => one / 1000), seconds }
}

/** One hook on a connection of its own; false if the daemon did not store it. */
export async function hookOnce(at: Places): Promise<boolean> {
  const payload = Buffer.from(payloadOf(PAYLOAD_BYTES))
  const line = await openHookLine(at)
  try {
    return await line.send(
      {
        ...{ v: 1, kind: 'hook', agent: 'claude', event: 'PreToolUse', id: newId(), at: Date.now() },
        ...{ pid: process.pid, ppid: 1, env: {}, len: payload.length },
      },
      payload,
    )
  } finally {
    line.close()
  }
}
