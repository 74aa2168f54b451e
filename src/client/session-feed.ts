/** Live sessions, across restarts of the daemon. */
import { messageOf } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import { within } from '../core/time/waits.ts'
import type { SessionChange } from '../rpc/index.ts'
import { subscribeSessions } from './connection.ts'
import { throughRestarts } from './restarts.ts'

interface SessionNews {
  changed(change: SessionChange): void
  away(why: string): void
}

/**
 * Subscribes at once and buffers changes until somebody takes them: the daemon answers while the screen still loads.
 * Reports when the daemon goes, and reconnects until it is back.
 */
export class SessionFeed {
  readonly #ending = new AbortController()
  #early: ((news: SessionNews) => void)[] = []
  #news: SessionNews | undefined
  readonly #first = Promise.withResolvers<void>()

  constructor(places: Places) {
    void this.#follow(places)
  }

  /** Resolves with the first news, or when it takes too long. */
  async first(limitMs: number): Promise<void> {
    await within(this.#first.promise, limitMs)
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
    const told = (state: 'here' | 'away', error?: unknown) => {
      const why = error === undefined ? 'The daemon went away.' : messageOf(error)
      if (state === 'away') this.#tell((news) => news.away(why))
    }
    const through = { signal: this.#ending.signal, always: true, told }
    const changes = throughRestarts(through, (signal, here) => subscribeSessions(places, signal, here))
    for await (const change of changes) this.#tell((news) => news.changed(change))
  }
}
