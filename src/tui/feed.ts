/** The daemon's news for the screen: sessions, what happens in one, a stream. All come back by themselves. */
import {
  type BusRequest,
  call,
  type SessionChange,
  subscribe,
  subscribeBus,
  subscribeSessions,
  type WireEvent,
  type WireMessage,
} from '../client/index.ts'
import { GantryError, messageOf } from '../errors.ts'
import type { Places } from '../places.ts'
import { type Happening, withEvents } from './model/happening.ts'

const RETRY_MS = 300
const MAX_RETRY_MS = 2_000

export interface SessionNews {
  changed(change: SessionChange): void
  away(why: string): void
}

/**
 * Begins to listen at once and keeps what comes until somebody takes it: the daemon answers while the screen is still
 * being loaded. Tells when the daemon goes, and asks again until it is back.
 */
export class SessionFeed {
  readonly #ending = new AbortController()
  #early: ((news: SessionNews) => void)[] = []
  #news: SessionNews | undefined
  readonly #first = Promise.withResolvers<void>()

  constructor(places: Places) {
    void this.#follow(places)
  }

  /** Resolves with the first thing that is known, or when it takes too long. */
  async first(limitMs: number): Promise<void> {
    await Promise.race([this.#first.promise, Bun.sleep(limitMs)])
  }

  take(news: SessionNews): void {
    this.#news = news
    for (const tell of this.#early) tell(news)
    this.#early = []
  }

  close(): void {
    this.#ending.abort()
  }

  #tell(tell: (news: SessionNews) => void): void {
    if (this.#ending.signal.aborted) return
    if (this.#news) tell(this.#news)
    else this.#early.push(tell)
    this.#first.resolve()
  }

  async #follow(places: Places): Promise<void> {
    const { signal } = this.#ending
    for (let pause = RETRY_MS; !signal.aborted; pause = Math.min(MAX_RETRY_MS, pause * 1.5)) {
      let why = 'The daemon went away.'
      try {
        for await (const change of subscribeSessions(places, signal)) {
          pause = RETRY_MS
          this.#tell((news) => news.changed(change))
        }
      } catch (error) {
        why = messageOf(error)
      }
      this.#tell((news) => news.away(why))
      await Bun.sleep(pause)
    }
  }
}

const FIRST_HAPPENINGS = 60

/** The last of what happened in a session, then what happens; each time the whole list, newest last. */
export async function followSession(
  places: Places,
  session: { readonly id: string; readonly agent: string },
  show: (happenings: readonly Happening[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const query = { session: session.id, agent: session.agent }
  let known: readonly Happening[] = []
  let limit = FIRST_HAPPENINGS
  let after = 0
  const add = (events: readonly WireEvent[]) => {
    after = Math.max(after, events.at(-1)?.seq ?? 0)
    known = withEvents(known, events)
    if (!signal.aborted) show(known)
  }
  while (!signal.aborted) {
    try {
      if (after === 0)
        add((await call(places, 'events.list', { ...query, limit }, { signal })) as WireEvent[])
      for await (const event of subscribe(places, { ...query, after }, signal)) add([event])
    } catch (error) {
      // The sessions' feed says that the daemon is away. Of huge events, fewer will do.
      if (error instanceof GantryError && error.code === 'TOO_LARGE') limit = Math.max(1, limit >> 1)
    }
    if (!signal.aborted) await Bun.sleep(RETRY_MS)
  }
}

export interface BusNews {
  message(message: WireMessage): void
  link(state: 'live' | 'away'): void
}

/** Runs until the signal, through restarts of the daemon, from where it was. Throws what is wrong with the request. */
export async function followBus(
  places: Places,
  request: BusRequest,
  news: BusNews,
  signal: AbortSignal,
): Promise<void> {
  let from = request
  while (!signal.aborted) {
    try {
      const reading = await subscribeBus(places, from)
      signal.addEventListener('abort', () => void reading.end())
      news.link('live')
      from = { ...request, deliver: { seq: reading.welcome.after + 1 } }
      for await (const message of reading.messages) {
        if (signal.aborted) return
        news.message(message)
        from = { ...request, deliver: { seq: message.seq + 1 } }
      }
    } catch (error) {
      const isAway = error instanceof GantryError && ['DAEMON_AWAY', 'DEADLINE'].includes(error.code)
      if (!isAway) throw error
    }
    if (signal.aborted) return
    news.link('away')
    await Bun.sleep(RETRY_MS)
  }
}
