/**
 * Sessions over a WebSocket: the lines of the socket, each as a message. A slow reader gets the newest state of each
 * session once it has room. Incoming messages are ignored.
 */
import type { SessionFeed, SessionSubscription } from '../sessions/index.ts'

const ROOM_BYTES = 64 * 1024 // unsent bytes at which the reader counts as full
const HEARD_BYTES = 1024 // limit of an incoming message, all of which are ignored
const IDLE_S = 60 // a peer that answers no ping for this long is gone

export interface SocketReader {
  subscription?: SessionSubscription
}

export function sessionSocket(feed: SessionFeed): Bun.WebSocketHandler<SocketReader> {
  return {
    maxPayloadLength: HEARD_BYTES,
    idleTimeout: IDLE_S,
    sendPings: true,
    perMessageDeflate: false,
    open: (socket) => {
      const send = (line: string) => {
        // Negative means queued, and only that is followed by a drain.
        const isQueued = socket.send(line.trimEnd()) < 0
        return !isQueued || socket.getBufferedAmount() < ROOM_BYTES
      }
      socket.data.subscription = feed.subscribe({ send })
    },
    drain: (socket) => socket.data.subscription?.resume(),
    message: () => {},
    close: (socket) => socket.data.subscription?.close(),
  }
}
