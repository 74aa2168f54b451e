/**
 * WebSockets. Sessions for programs: the lines of the socket, each as a message; what they say is ignored. The page's
 * own brings its handler along. A slow reader gets the newest state of each session once it has room.
 */
import type { SessionFeed, SessionSubscription } from '../sessions/index.ts'
import { SendRoom, type SendTask } from './send-room.ts'

const ROOM_BYTES = 64 * 1024 // unsent bytes at which the reader counts as full
const HEARD_BYTES = 4 * 1024 // limit of an incoming message
const IDLE_S = 60 // a peer that answers no ping for this long is gone

/** Sends one message. False when the reader is full; `resume` is called when it has room again. */
export type SendMessage = (message: string) => boolean

export type WhenFree = (task: SendTask) => void

export interface SocketHandler {
  /** `whenFree` runs what sends a lot. */
  open(send: SendMessage, end: () => void, whenFree: WhenFree): void
  message(text: string): void
  resume(): void
  close(): void
}

export interface SocketReader {
  subscription?: SessionSubscription
  readonly handler?: SocketHandler
}

export function sessionSocket(feed: SessionFeed, room = new SendRoom()): Bun.WebSocketHandler<SocketReader> {
  return {
    maxPayloadLength: HEARD_BYTES,
    idleTimeout: IDLE_S,
    sendPings: true,
    perMessageDeflate: false,
    open: (socket) => {
      const send = (line: string) => {
        const sent = socket.send(line.trimEnd())
        // Dropped, because far too much waits: a reader must not miss a message, so it begins anew with a snapshot.
        if (sent === 0) socket.terminate()
        // Negative means queued, and only that is followed by a drain.
        return sent > 0 || (sent < 0 && socket.getBufferedAmount() < ROOM_BYTES)
      }
      room.join(socket)
      const whenFree: WhenFree = (task) => room.whenFree(socket, task)
      if (socket.data.handler) socket.data.handler.open(send, () => socket.close(), whenFree)
      else socket.data.subscription = feed.subscribe({ send, whenFree })
    },
    drain: (socket) => {
      const { handler, subscription } = socket.data
      ;(handler ?? subscription)?.resume()
      room.drained(socket)
    },
    message: ({ data }, said) => {
      if (typeof said === 'string') data.handler?.message(said)
    },
    close: (socket) => {
      const { handler, subscription } = socket.data
      ;(handler ?? subscription)?.close()
      room.leave(socket)
    },
  }
}
