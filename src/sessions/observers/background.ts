/**
 * Work in the background that is over begins a turn of its own, a moment later. Until then its session still works, to
 * everyone who looks. Where no turn follows, nobody says so: then the session is done after a while.
 */

import { healedEvent } from '../../journal/index.ts'
import { awaitsNotice, type Session } from '../state/index.ts'
import type { Observer, RaisingContext } from './observer.ts'

const NOTICE_MS = 5_000 // Claude 2.1.325 takes a tenth of a second, and a whole one on a machine that is very busy

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
