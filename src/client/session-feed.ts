/** Live sessions, across restarts of the daemon. */
import { messageOf } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import type { SessionChange } from '../rpc/index.ts'
import { subscribeSessions } from './connection.ts'

const RETRY_MS = 300
const MAX_RETRY_MS = 2_000

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
