/** An agent's status is what its session shows, whatever a single hook implies. */
import { RecentMap } from '../../core/recent-map.ts'
import { type Session, engine as statusOf } from '../../sessions/state/index.ts'
import type { WorkRows } from '../../store/index.ts'
import type { WorkContext } from '../context.ts'
import { agentIdOf, writeStatus } from './agents.ts'
import type { Signal } from './signals.ts'

interface StatusParts {
  readonly rows: WorkRows
  readonly relaxed: (work: () => void) => void
  readonly signal: (signal: Signal) => void
  readonly now: () => number
}

export interface Shown {
  readonly session: Session | undefined
  /** Environment of the event that changed it. */
  readonly env: WorkContext['env']
}

const MIN_REMEMBERED = 2_500

/**
 * For these a new reason is written, too, because people look at it. In other states the detail changes with every tool
 * call.
 */
const CALLS: ReadonlySet<string> = new Set(['attention', 'error'])

export class Statuses {
  readonly #parts: StatusParts
  /** By session: the last value written. */
  #written = new RecentMap<string, string>(MIN_REMEMBERED)

  constructor(parts: StatusParts) {
    this.#parts = parts
  }

  /** Call after efforts or statuses were changed elsewhere. */
  forget(): void {
    this.#written = new RecentMap(MIN_REMEMBERED)
  }

  show(changed: readonly Shown[]): void {
    const { rows, relaxed, now } = this.#parts
    const news = changed.flatMap(({ session, env }) => {
      if (!session) return []
      const status = statusOf(session) ?? 'done' // a new window: the last one's activity is over
      const detail = detailOf(session, status)
      const said = CALLS.has(status) ? `${status} ${detail}` : status
      if (this.#written.get(session.key) === said) return []
      const window = rows.sessionOf(session.agent, session.id, '')
      const effort = window && rows.effort(window.effortId)
      return effort?.lifecycle === 'active' ? [{ session, status, detail, said, effort, env }] : []
    })
    if (news.length === 0) return
    const context = { rows, now: now(), signal: this.#parts.signal }
    try {
      relaxed(() => {
        for (const { status, detail, effort, env } of news)
          writeStatus(context, effort, agentIdOf({ env }, effort), status, detail)
      })
    } catch {
      return // the database is locked; the session's next event tries again
    }
    for (const { session, said } of news) this.#written.set(session.key, said)
  }
}

/** What the agent waits for, what went wrong, or what it does. */
function detailOf({ attention, error, detail }: Session, status: string): string | undefined {
  if (status === 'attention') return attention.find(({ kind }) => kind !== 'idle')?.reason ?? detail
  if (status === 'error') return error?.message ?? attention.find(({ kind }) => kind === 'error')?.reason
  return detail
}
