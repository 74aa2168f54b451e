/**
 * When background work ends, a new turn follows a moment later. Until then the session still counts as working. If no turn
 * follows, nothing reports it: so the session is closed after a while.
 */

import { healedEvent } from '../../journal/index.ts'
import { awaitsNotice, type Session } from '../state/index.ts'
import type { Observer, RaisingContext } from './observer.ts'

const NOTICE_MS = 5_000 // Claude 2.1.325 takes 0.1 s, and 1 s on a very busy machine

export class BackgroundObserver implements Observer {
  readonly #context: RaisingContext
  readonly #waiting = new Map<string, ReturnType<typeof setTimeout>>()

  constructor(context: RaisingContext) {
    this.#context = context
  }

  changed(session: Session): void {
    const { key } = session
    const timer = this.#waiting.get(key)
    if (awaitsNotice(session) === (timer !== undefined)) return
    if (timer === undefined) {
      const fresh = setTimeout(() => this.#giveUp(key), NOTICE_MS)
      this.#waiting.set(key, fresh)
      return
    }
    clearTimeout(timer)
    this.#waiting.delete(key)
  }

  close(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer)
    this.#waiting.clear()
  }

  #giveUp(key: string): void {
    this.#waiting.delete(key)
    const session = this.#context.session(key)
    if (!session || !awaitsNotice(session)) return
    const now = Date.now()
    const reason = 'background: all of it has ended, and no turn followed'
    this.#context.raise(healedEvent(session, { type: 'Stop', at: now, reason }, now))
  }
}
