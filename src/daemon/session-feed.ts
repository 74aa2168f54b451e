/**
 * Sessions as they change: a snapshot first, then each session again whenever what people see of it is another. A
 * reader that is slow gets the newest state of each session once it has room, not every step between.
 */
import { type Change, type Session, type SessionView, viewOf } from '../sessions/index.ts'
import type { Store } from '../store/index.ts'
import type { Sink } from './feed.ts'
import { placeOf } from './identity.ts'
import type { Keeper } from './keeper.ts'

/** A session as everyone sees it, and where it works. */
export function present(session: Session, now: number): SessionView {
  return { ...viewOf(session, now), ...placeOf(session.cwd, now) }
}

export class SessionFeed {
  readonly #keeper: Keeper
  readonly #store: Store
  readonly #live = new Set<SessionSubscription>()

  constructor(keeper: Keeper, store: Store) {
    this.#keeper = keeper
    this.#store = store
  }

  get size(): number {
    return this.#live.size
  }

  list(): SessionView[] {
    const now = Date.now()
    return [...this.#keeper.fleet.all()].map((session) => present(session, now))
  }

  subscribe(sink: Sink): SessionSubscription {
    const read = (key: string) => this.#read(key)
    const subscription = new SessionSubscription(sink, read, () => this.#live.delete(subscription))
    this.#live.add(subscription)
    subscription.start({ seq: this.#store.journal.lastSeq, sessions: this.list() })
    return subscription
  }

  committed(changes: readonly Change[]): void {
    if (this.#live.size === 0) return
    const keys = changes.filter(({ visible }) => visible).map(({ session }) => session.key)
    for (const subscription of this.#live) subscription.changed(keys)
  }

  #read(key: string): SessionView | undefined {
    const session = this.#keeper.fleet.find(key)
    return session && present(session, Date.now())
  }
}

export class SessionSubscription {
  readonly #sink: Sink
  readonly #read: (key: string) => SessionView | undefined
  readonly #closed: () => void
  readonly #waiting = new Set<string>()
  #full = false

  constructor(sink: Sink, read: (key: string) => SessionView | undefined, closed: () => void) {
    this.#sink = sink
    this.#read = read
    this.#closed = closed
  }

  start(snapshot: { seq: number; sessions: SessionView[] }): void {
    this.#full = !this.#sink.send(`${JSON.stringify({ snapshot })}\n`)
  }

  changed(keys: readonly string[]): void {
    for (const key of keys) this.#waiting.add(key)
    if (!this.#full) this.resume()
  }

  resume(): void {
    this.#full = false
    for (const key of this.#waiting) {
      this.#waiting.delete(key)
      const session = this.#read(key)
      if (!session) continue
      this.#full = !this.#sink.send(`${JSON.stringify({ session })}\n`)
      if (this.#full) return
    }
  }

  close(): void {
    this.#closed()
  }
}
