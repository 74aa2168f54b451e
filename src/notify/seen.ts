/**
 * Occasions already noticed, so that each is news once. An occasion that is over is forgotten, which bounds the memory.
 */
import type { Session } from '../sessions/state/index.ts'
import { type Occasion, occasionsOf } from './occasion.ts'

const FRESH_MS = 5 * 60_000 // occasions this young at a start are still sent; older ones somebody has seen

export class Seen {
  readonly #bySession = new Map<string, ReadonlySet<string>>()

  /** Marks all current occasions as seen; returns the fresh ones. */
  begin(sessions: Iterable<Session>, now: number): Occasion[] {
    this.clear()
    return [...sessions]
      .flatMap((session) => this.news(session, now))
      .filter(({ since }) => now - since < FRESH_MS)
  }

  news(session: Session, now: number): Occasion[] {
    const found = occasionsOf(session, now)
    const before = this.#bySession.get(session.key)
    if (found.length === 0) this.#bySession.delete(session.key)
    else this.#bySession.set(session.key, new Set(found.map(({ key }) => key)))
    return found.filter(({ key }) => !before?.has(key))
  }

  clear(): void {
    this.#bySession.clear()
  }
}
