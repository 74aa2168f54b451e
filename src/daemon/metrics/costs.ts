/**
 * What sessions have cost since the daemon started, by agent. Sessions have totals; this adds what they grew by, so it never
 * falls and a restart begins at nothing, as a counter must. Walks over the sessions only when somebody asks.
 */
import type { Session } from '../../sessions/state/index.ts'
import { agentOf } from './recorder.ts'

export class MetricCosts {
  readonly #sessions: () => Iterable<Session>
  readonly #totals = new Map<string, number>()
  #known: Map<string, number> | undefined

  constructor(sessions: () => Iterable<Session>) {
    this.#sessions = sessions
  }

  /** What was spent before does not count. Called after the first commit; nothing to do later. */
  begin(): void {
    this.#known ??= this.#look()
  }

  now(): ReadonlyMap<string, number> {
    this.begin()
    const known = this.#known
    const look = this.#look((session, cost) => {
      const more = cost - (known?.get(session.key) ?? 0)
      const agent = agentOf(session)
      if (more > 0) this.#totals.set(agent, (this.#totals.get(agent) ?? 0) + more)
    })
    this.#known = look
    return this.#totals
  }

  #look(each: (session: Session, cost: number) => void = () => {}): Map<string, number> {
    const costs = new Map<string, number>()
    for (const session of this.#sessions()) {
      const { costUsd } = session.usage
      if (costUsd === undefined) continue
      costs.set(session.key, costUsd)
      each(session, costUsd)
    }
    return costs
  }
}
