/** Sessions as server-sent events: a `snapshot`, then a `session` whenever what people see of one is another. */
import type { SessionFeed, SessionSubscription } from './session-feed.ts'

const KEEP_ALIVE_MS = 15_000 // proxies and browsers give up on a silent stream

export function sessionStream(feed: SessionFeed): Response {
  const encoder = new TextEncoder()
  let subscription: SessionSubscription | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      subscription = feed.subscribe({
        send: (line) => {
          controller.enqueue(encoder.encode(frame(line)))
          return (controller.desiredSize ?? 0) > 0
        },
      })
      timer = setInterval(() => controller.enqueue(encoder.encode(': still here\n\n')), KEEP_ALIVE_MS)
    },
    pull: () => subscription?.resume(),
    cancel: () => {
      clearInterval(timer)
      subscription?.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } })
}

/** `{"session":{…}}` becomes an event of that name. JSON has no line breaks, so one data line is enough. */
function frame(line: string): string {
  const name = line.startsWith('{"snapshot"') ? 'snapshot' : 'session'
  return `event: ${name}\ndata: ${line.trimEnd().slice(name.length + 4, -1)}\n\n`
}
