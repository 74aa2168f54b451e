/**
 * Sessions over a WebSocket: the same lines as on the socket, each a message. Whoever reads slowly gets the newest state
 * of each session once it has room, as everywhere. What it says itself is not listened to.
 */
import type { SessionFeed, SessionSubscription } from '../sessions/index.ts'

const ROOM_BYTES = 64 * 1024 // what may be on its way before the reader counts as full
const HEARD_BYTES = 1024 // of a message from the other side, where nobody has anything to say
const IDLE_S = 60 // who answers no ping for as long is gone

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
        // Negative is "queued behind others", which alone is followed by a drain.
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
