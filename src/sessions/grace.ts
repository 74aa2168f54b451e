/**
 * After a turn, an idle session may only be between two tool calls: until its grace is over, Coop calls it working. The end
 * of that time is an event, so that whoever listens hears of it; so is a grace that is not as long as usual, so that a
 * rebuild knows it, too.
 */
import type { RawEvent } from '../events/index.ts'
import { graceEndedEvent, graceSetEvent } from '../journal/index.ts'
import { type Change, GRACE_MS, graceOf, type Session } from './state/index.ts'

const LATEST_MS = 600_000 // what ended longer ago than that, while no daemon was there, is no news

export interface GraceParts {
  readonly graceMs: () => number
  readonly session: (key: string) => Session | undefined
  readonly raise: (rawEvent: RawEvent) => void
}

export class Grace {
  readonly #parts: GraceParts
  /** By session: the end that is waited for. */
  readonly #ends = new Map<
    string,
    { readonly until: number; readonly timer: ReturnType<typeof setTimeout> }
  >()

  constructor(parts: GraceParts) {
    this.#parts = parts
  }

  committed(changes: readonly Change[]): void {
    for (const { session } of changes) this.#follow(session)
  }

  /** Sessions whose turn ended before this daemon began. */
  resume(sessions: Iterable<Session>): void {
    const now = Date.now()
    for (const session of sessions) {
      const until = graceOf(session)
      if (until !== undefined && until > now - LATEST_MS) this.#follow(session)
    }
  }

  close(): void {
    for (const { timer } of this.#ends.values()) clearTimeout(timer)
    this.#ends.clear()
  }

  #follow(session: Session): void {
    const until = graceOf(session)
    const waiting = this.#ends.get(session.key)
    if (waiting?.until === until) return
    clearTimeout(waiting?.timer)
    this.#ends.delete(session.key)
    if (until === undefined || session.replayed) return
    const wanted = (session.turn.stoppedAt ?? 0) + this.#parts.graceMs()
    // Another than the usual one is said once: with that event, it is the session's own.
    if (wanted !== until && until === (session.turn.stoppedAt ?? 0) + GRACE_MS) {
      this.#parts.raise(graceSetEvent(session, wanted, Date.now()))
      return
    }
    const timer = setTimeout(() => this.#over(session.key, until), Math.max(0, until - Date.now()))
    timer.unref()
    this.#ends.set(session.key, { until, timer })
  }

  #over(key: string, until: number): void {
    const session = this.#parts.session(key)
    if (session && graceOf(session) === until) this.#parts.raise(graceEndedEvent(session, Date.now()))
  }
}
