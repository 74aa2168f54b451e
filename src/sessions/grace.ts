/**
 * Grace period: after a turn, an idle session may just be between two tool calls, so Coop calls it working until the period
 * ends. Its end is an event, so that listeners are notified. A non-default length is an event, too, so that a rebuild knows
 * it.
 */
import { Timers } from '../core/time/timers.ts'
import type { RawEvent } from '../events/index.ts'
import { graceEndedEvent, graceSetEvent } from '../journal/index.ts'
import { type Change, GRACE_MS, graceOf, type Session } from './state/index.ts'

const LATEST_MS = 600_000 // an end further in the past, while no daemon ran, is not reported

export interface GraceParts {
  readonly graceMs: () => number
  readonly session: (key: string) => Session | undefined
  readonly raise: (rawEvent: RawEvent) => void
}

export class Grace {
  readonly #parts: GraceParts
  /** The pending end of each session. */
  readonly #ends = new Map<string, number>()
  readonly #timers = new Timers()

  constructor(parts: GraceParts) {
    this.#parts = parts
  }

  committed(changes: readonly Change[]): void {
    for (const { session } of changes) this.#follow(session)
  }

  /** Resumes sessions whose turn ended before this daemon started. */
  resume(sessions: Iterable<Session>): void {
    const now = Date.now()
    for (const session of sessions) {
      const until = graceOf(session)
      if (until !== undefined && until > now - LATEST_MS) this.#follow(session)
    }
  }

  close(): void {
    this.#timers.close()
  }

  #follow(session: Session): void {
    const { key } = session
    const until = graceOf(session)
    if (this.#ends.get(key) === until) return
    this.#timers.clear(key)
    this.#ends.delete(key)
    if (until === undefined || session.replayed) return
    const wanted = (session.turn.stoppedAt ?? 0) + this.#parts.graceMs()
    // A length other than the default is raised once; from then on it is part of the session.
    if (wanted !== until && until === (session.turn.stoppedAt ?? 0) + GRACE_MS) {
      this.#parts.raise(graceSetEvent(session, wanted, Date.now()))
      return
    }
    this.#ends.set(key, until)
    this.#timers.set(key, Math.max(0, until - Date.now()), () => this.#over(key, until))
  }

  #over(key: string, until: number): void {
    const session = this.#parts.session(key)
    if (session && graceOf(session) === until) this.#parts.raise(graceEndedEvent(session, Date.now()))
  }
}
