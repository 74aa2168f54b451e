/**
 * Server-sent events: forwards a subscription as long as somebody reads. A slow reader pauses the subscription, as on
 * the socket; nothing is buffered for it.
 */
import type { OtherDialect, SessionFeed } from '../sessions/index.ts'

const KEEP_ALIVE_MS = 15_000 // proxies and browsers give up on a silent stream
const ROOM_BYTES = 64 * 1024 // unsent bytes at which the reader counts as full

interface Subscribed {
  resume(): void
  close(): void
}

export interface EventSink {
  /** False if the reader is full. */
  send(bytes: Uint8Array): boolean
  /** Ends the stream; a browser reconnects by itself. */
  fail(error: unknown): void
}

/** `open` may throw to refuse; the caller then answers with the error. */
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
        own.enqueue(COMMENT) // tells the reader at once that it is connected
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
 * Sessions: a `snapshot`, then a `session` for every visible change. A reconnecting client, with or without a last id,
 * gets a snapshot, because past states are not kept.
 */
export function sessionStream(feed: SessionFeed, dialect?: OtherDialect): Response {
  return eventStream((sink) => {
    let subscription: Subscribed | undefined
    return {
      // Subscribing sends the snapshot, so it waits until the stream can be read.
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

/** Turns a line of the subscription into a named event. JSON has no line breaks, so one data line is enough. */
function frame(line: string): string {
  const [head = '', first, later] = HEAD.exec(line) ?? []
  const name = first === undefined ? 'session' : 'snapshot'
  return `id: ${first ?? later}\nevent: ${name}\ndata: ${line.trimEnd().slice(head.length, -1)}\n\n`
}
