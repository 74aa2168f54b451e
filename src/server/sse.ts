/**
 * Server-sent events: what a subscription sends, as long as somebody reads. A reader that is slow makes the
 * subscription wait, as on the socket; nothing is kept for it.
 */
import type { OtherDialect, SessionFeed } from '../sessions/index.ts'

const KEEP_ALIVE_MS = 15_000 // proxies and browsers give up on a silent stream
const ROOM_BYTES = 64 * 1024 // what may be on its way before the reader counts as full

interface Subscribed {
  resume(): void
  close(): void
}

export interface EventSink {
  /** False when the reader is full. */
  send(bytes: Uint8Array): boolean
  /** The stream ends; a browser comes again by itself. */
  fail(error: unknown): void
}

/** `open` may refuse by throwing: nothing is answered then. */
export function eventStream(open: (sink: EventSink) => Subscribed, keepAliveMs = KEEP_ALIVE_MS): Response {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  const hasRoom = () => (controller?.desiredSize ?? 0) > 0
  const subscription = open({
    send: (bytes) => {
      controller?.enqueue(bytes)
      return hasRoom()
    },
    fail: () => {
      clearInterval(timer)
      controller?.close()
    },
  })
  const body = new ReadableStream<Uint8Array>(
    {
      start(own) {
        controller = own
        own.enqueue(COMMENT) // the reader learns at once that it is connected
        timer = setInterval(() => hasRoom() && own.enqueue(COMMENT), keepAliveMs)
        subscription.resume()
      },
      pull: () => subscription.resume(),
      cancel: () => {
        clearInterval(timer)
        subscription.close()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: ROOM_BYTES }),
  )
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } })
}

const encoder = new TextEncoder()
const COMMENT = encoder.encode(': still here\n\n')

/**
 * Sessions: a `snapshot`, then a `session` whenever what people see of one is another. Whoever comes again, with the id of
 * the last change or without, gets a snapshot: nothing is kept of what a session was.
 */
export function sessionStream(feed: SessionFeed, dialect?: OtherDialect): Response {
  return eventStream((sink) => {
    let subscription: Subscribed | undefined
    return {
      // The snapshot is sent on subscribing, so that waits until somebody can take it.
      resume: () => {
        if (subscription) subscription.resume()
        else
          subscription = feed.subscribe({ send: (line) => sink.send(encoder.encode(frame(line))) }, dialect)
      },
      close: () => subscription?.close(),
    }
  })
}

const HEAD = /^\{(?:"snapshot":(?=\{"seq":(\d+))|"seq":(\d+),"session":)/

/** What a subscription sends becomes an event of its name. JSON has no line breaks, so one data line is enough. */
function frame(line: string): string {
  const [head = '', first, later] = HEAD.exec(line) ?? []
  const name = first === undefined ? 'session' : 'snapshot'
  return `id: ${first ?? later}\nevent: ${name}\ndata: ${line.trimEnd().slice(head.length, -1)}\n\n`
}
