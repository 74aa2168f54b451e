/** What people see of a session is the status of its agent, whatever single hooks said of it. */
import { type Session, engine as statusOf } from '../sessions/index.ts'
import type { WorkRows } from '../store/index.ts'
import { agentIdOf, writeStatus } from './agents.ts'
import type { WorkContext } from './context.ts'
import type { Signal } from './signals.ts'

export interface StatusParts {
  readonly rows: WorkRows
  readonly relaxed: (work: () => void) => void
  readonly signal: (signal: Signal) => void
  readonly now: () => number
}

export interface Shown {
  readonly session: Session | undefined
  /** Of the event that changed it. */
  readonly env: WorkContext['env']
}

const MAX_REMEMBERED = 5_000

export class Statuses {
  readonly #parts: StatusParts
  /** By session: the status that was written last. */
  readonly #written = new Map<string, string>()

  constructor(parts: StatusParts) {
    this.#parts = parts
  }

  /** After efforts or statuses changed by another way. */
  forget(): void {
    this.#written.clear()
  }

  show(changed: readonly Shown[]): void {
    const { rows, relaxed, now } = this.#parts
    const news = changed.flatMap(({ session, env }) => {
      if (!session) return []
      const status = statusOf(session) ?? 'done' // a new window: what the last one did is over
      if (this.#written.get(session.key) === status) return []
      const window = rows.sessionOf(session.agent, session.id, '')
      const effort = window && rows.effort(window.effortId)
      return effort?.lifecycle === 'active' ? [{ session, status, effort, env }] : []
    })
    if (news.length === 0) return
    const context = { rows, now: now(), signal: this.#parts.signal }
    try {
      relaxed(() => {
        for (const { session, status, effort, env } of news)
          writeStatus(context, effort, agentIdOf({ env }, effort), status, session.detail)
      })
    } catch {
      return // somebody holds the database; the session's next event tries again
    }
    if (this.#written.size > MAX_REMEMBERED) this.#written.clear()
    for (const { session, status } of news) this.#written.set(session.key, status)
  }
}
