/**
 * Ends sessions that nothing else will end: their agent was killed where its process is not visible, in a container or on a
 * machine that is gone. After a week of silence they end; otherwise they would be kept and watched forever.
 */
import { inferredEvent } from '../../journal/index.ts'
import { infer, type Session } from '../state/index.ts'
import type { Observer, ObserverContext } from './observer.ts'

const SILENT_DAYS = 7
const SILENT_MS = SILENT_DAYS * 86_400_000

type Context = Pick<ObserverContext, 'raise' | 'pidOf'>

export class ExpireObserver implements Observer {
  readonly #context: Context

  constructor(context: Context) {
    this.#context = context
  }

  tidy(sessions: readonly Session[], now: number): void {
    for (const session of sessions) {
      if (session.endedAt !== undefined || now - session.lastActivity < SILENT_MS) continue
      if (this.#context.pidOf(session.key) !== undefined) continue
      const healed = infer(session, { kind: 'gone', at: now, says: `silent for ${SILENT_DAYS} days` })
      if (healed) this.#context.raise(inferredEvent(session, healed, now))
    }
  }
}
