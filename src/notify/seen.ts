/** Which occasions were noticed already, so that each is news once. Bounded by what stands: one that is over is forgotten. */
import type { Session } from '../sessions/state/index.ts'
import { type Occasion, occasionsOf } from './occasion.ts'

const FRESH_MS = 5 * 60_000 // what arose so long before a start is still told; what is older, somebody has seen

export class Seen {
  readonly #bySession = new Map<string, ReadonlySet<string>>()

  /** All that stands is known from here on; gives what is fresh of it. */
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
