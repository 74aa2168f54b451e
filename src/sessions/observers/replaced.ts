/**
 * `/new` starts another conversation in the same process, and nothing reports the end of the one before (Codex 0.166.0; its
 * `/clear` does only when the program ends). A process in a terminal holds one conversation: if another starts in it, the
 * idle one has ended and the new one continues it. Processes without a terminal, such as servers, prove nothing.
 */
import { type HookEvent, isPast, keyOf } from '../../events/index.ts'
import { inferredEvent, originEvent } from '../../journal/index.ts'
import { isReplaced } from '../state/index.ts'
import type { Observer, ObserverContext } from './observer.ts'

type Context = Pick<ObserverContext, 'session' | 'raise' | 'besides'>

export class ReplacedObserver implements Observer {
  readonly #context: Context

  constructor(context: Context) {
    this.#context = context
  }

  /** Call it once the session and its process are known. */
  see(event: HookEvent): void {
    if (event.type !== 'SessionStart' || isPast(event) || event.hidden !== undefined) return
    const began = this.#context.session(keyOf(event))
    if (!began) return
    const isNew = began.prevSessionId === undefined && (event.source ?? 'startup') === 'startup'
    const now = Date.now()
    for (const { key, pid } of this.#context.besides(began.key)) {
      const before = this.#context.session(key)
      // What shares a commit with it may have come after it.
      if (!before || before.lastActivity > event.at || !isReplaced(before, began)) continue
      const conversation = before.conversationId ?? before.id
      if (isNew) this.#context.raise(originEvent(began.key, before.id, conversation, now))
      const reason = `replaced: process ${pid} went on with ${began.id}`
      this.#context.raise(inferredEvent(before, { type: 'SessionEnd', at: now, reason }, now))
    }
  }
}
