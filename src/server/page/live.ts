/**
 * The page's one WebSocket: who this daemon is, all sessions, then each that changes, and, while the page wants them,
 * events. Nothing is buffered for a slow reader: sessions come as they are when it has room, events go on from its place in
 * the journal.
 *
 *   ← {"hello":{"daemon":"…","version":"…","host":"…"}}
 *   ← {"snapshot":{"seq":7,"sessions":[…]}}   {"seq":8,"session":{…}}   {"hosts":[…]}
 *   → {"tail":{"after":41,"query":{"session":"s1"}}}   {"tail":null}
 *   ← {"events":[{"seq":42,…}],"last":42}   {"refused":"…"}
 */
import { messageOf } from '../../core/errors.ts'
import { isObject } from '../../core/is-object.ts'
import { jsonIn } from '../../core/json.ts'
import type { Feed, Sink } from '../../journal/index.ts'
import type { EventQuery } from '../../rpc/index.ts'
import type { SessionFeed } from '../../sessions/index.ts'
import type { SendMessage, SocketHandler, WhenFree } from '../websocket.ts'
import type { FleetWatch } from './hosts.ts'

interface LiveParts {
  readonly hello: () => { readonly daemon: string; readonly version: string; readonly host: string }
  readonly sessions: SessionFeed
  readonly feed: Feed
  readonly parseQuery: (value: unknown) => EventQuery
  readonly hosts: FleetWatch
  readonly closed: (socket: LiveSocket) => void
}

interface Source {
  resume(): void
  close(): void
}

export class LiveSocket implements SocketHandler {
  readonly #parts: LiveParts
  #send: SendMessage = () => true
  #end: () => void = () => {}
  #sources: Source[] = []
  #tail: Source | undefined

  constructor(parts: LiveParts) {
    this.#parts = parts
  }

  open(send: SendMessage, end: () => void, whenFree: WhenFree): void {
    this.#send = send
    this.#end = end
    const { hello, sessions, hosts } = this.#parts
    send(JSON.stringify({ hello: hello() }))
    // A source that fails is over, and the page begins anew with the next connection.
    this.#sources = [sessions.subscribe({ send, fail: end, whenFree }), hosts.subscribe(send)]
  }

  message(text: string): void {
    const said = jsonIn(text)
    if (!isObject(said) || !('tail' in said)) {
      this.#refuse('say {"tail":{…}} or {"tail":null}')
      return
    }
    this.#tail?.close()
    this.#tail = undefined
    if (said.tail === null) return
    try {
      this.#tail = this.#follow(said.tail)
    } catch (error) {
      this.#refuse(messageOf(error))
    }
  }

  resume(): void {
    for (const source of [...this.#sources, this.#tail]) source?.resume()
  }

  close(): void {
    for (const source of [...this.#sources, this.#tail]) source?.close()
    this.#sources = []
    this.#tail = undefined
    this.#parts.closed(this)
  }

  /** Ends the connection, e.g. because its browser was signed out. */
  end(): void {
    this.#end()
  }

  #follow(tail: unknown): Source {
    if (!isObject(tail)) throw new Error('"tail" takes {"after":…,"query":{…}}')
    const { feed, parseQuery } = this.#parts
    // A reader that asks for a run counts as its supervisor.
    const { run: _, ...query } = isObject(tail.query) ? tail.query : {}
    const after = tail.after === undefined ? {} : { after: tail.after }
    const sink: Sink = {
      send: (bytes) => this.#send(eventsMessage(Buffer.from(bytes).toString())),
      fail: () => this.#end(),
    }
    return feed.subscribe(parseQuery({ ...query, ...after }), sink, 'bare')
  }

  #refuse(refused: string): void {
    this.#send(JSON.stringify({ refused }))
  }
}

/** Lines of events as one message. They are JSON already. */
function eventsMessage(lines: string): string {
  const events = lines.trimEnd().split('\n')
  const last = /^\{"seq":(\d+)/.exec(events.at(-1) ?? '')?.[1] ?? '0'
  return `{"events":[${events.join(',')}],"last":${last}}`
}
