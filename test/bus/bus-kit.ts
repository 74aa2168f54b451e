/**
 * The bus of a real daemon, from outside: many events quickly, and connections that say and hear raw lines.
 *
 *   await flood(home, 1_000, (n) => ({ session_id: 's1', hook_event_name: 'Stop', n }))
 *   const reader = await listen(home, { deliver: 'all' })
 *   await until(() => reader.messages.length === 1_000, 'all of them')
 */
import { mkdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import type { WireMessage } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import { openStore } from '../../src/store/index.ts'
import { eventOf, sendFrames, until } from '../kit.ts'

/**
 * What gantry finds odd in payloads, and what turns came to, are events, too; where messages are counted they are off. So is
 * the search index, which costs time and which nobody asks here.
 */
export const AGENTS_ONLY = '[schema]\nenabled = false\n[summary]\nmode = "off"\n[search]\nenabled = false\n'

/** Sends so many hooks over one connection and resolves when all of them are answered. */
export function flood(
  at: Places,
  count: number,
  make: (n: number) => Record<string, unknown>,
): Promise<void> {
  const frames = Array.from({ length: count }, (_, n) => ({ payload: JSON.stringify(make(n)) }))
  return sendFrames(at, frames)
}

/** Puts so many events of a session into the journal of a daemon that is not running. */
export function fill(at: Places, count: number, session: (n: number) => string): void {
  mkdirSync(at.state, { recursive: true, mode: 0o700 })
  const store = openStore(at.database)
  store.journal.commit(() => {
    for (let n = 0; n < count; n++) {
      const sessionId = session(n)
      const raw = JSON.stringify({ hook_event_name: 'Stop', session_id: sessionId, n })
      store.journal.append(eventOf({ id: newId(), sessionId, receivedAt: Date.now(), raw }))
    }
  })
  store.close()
}

export interface Listener {
  readonly messages: WireMessage[]
  /** Lines that are not messages: the welcome, refusals. */
  readonly said: Record<string, unknown>[]
  readonly socket: Socket
  readonly seqs: number[]
  tell(value: unknown): void
  /** Stops and goes on reading from the socket. */
  pause(): void
  resume(): void
  close(): void
}

/** Subscribes; resolves with the first line of the answer. */
export async function listen(at: Places, request: Record<string, unknown> = {}): Promise<Listener> {
  const socket = await open(at)
  const messages: WireMessage[] = []
  const said: Record<string, unknown>[] = []
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const line = JSON.parse(part) as Record<string, unknown>
      if (line.msg) messages.push(line.msg as WireMessage)
      else said.push(line)
    }
  })
  const tell = (value: unknown) => void socket.write(`${JSON.stringify(value)}\n`)
  tell({ sub: 'bus', ...request })
  await until(() => said.length > 0, 'an answer to the subscription')
  return {
    messages,
    said,
    socket,
    get seqs() {
      return messages.map(({ seq }) => seq)
    },
    tell,
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => void socket.destroy(),
  }
}

async function open(at: Places): Promise<Socket> {
  const socket = connect(at.socket)
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}
