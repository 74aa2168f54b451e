/**
 * When background work ends, a new turn follows a moment later. Until then the session still counts as working. If no turn
 * follows, nothing reports it: so the session is closed after a while.
 */
import { Timers } from '../../core/time/timers.ts'
import { inferredEvent } from '../../journal/index.ts'
import { awaitsNotice, type Session } from '../state/index.ts'
import type { Observer, RaisingContext } from './observer.ts'

const NOTICE_MS = 5_000 // Claude 2.1.325 takes 0.1 s, and 1 s on a very busy machine

export class BackgroundObserver implements Observer {
  readonly #context: RaisingContext
  readonly #waiting = new Timers()

  constructor(context: RaisingContext) {
    this.#context = context
  }

  changed(session: Session): void {
    const { key } = session
    if (!awaitsNotice(session)) this.#waiting.clear(key)
    else if (!this.#waiting.has(key)) this.#waiting.set(key, NOTICE_MS, () => this.#giveUp(key))
  }

  close(): void {
    this.#waiting.close()
  }

  #giveUp(key: string): void {
    const session = this.#context.session(key)
    if (!session || !awaitsNotice(session)) return
    const now = Date.now()
    const reason = 'background: all of it has ended, and no turn followed'
    this.#context.raise(inferredEvent(session, { type: 'Stop', at: now, reason }, now))
  }
}
