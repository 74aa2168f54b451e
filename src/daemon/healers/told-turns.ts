/**
 * Codex's `notify` tells of a turn when it is over, and is all that a Codex without hooks tells. The prompt it names is
 * an event of its own, as with hooks: it is searched, shown and published like any other. Where hooks are heard, they
 * have told it already.
 */
import type { HookEvent } from '../../events/index.ts'
import { keyOf } from '../../sessions/index.ts'
import { missedArrival } from '../raised.ts'
import type { RecoveryParts } from './recovery.ts'

const TURN_COMPLETE = 'agent-turn-complete'
const BEFORE_MS = 1 // the prompt comes before the end; how long before, nothing tells

export class ToldTurns {
  readonly #parts: Pick<RecoveryParts, 'session' | 'raise' | 'store'>

  constructor(parts: Pick<RecoveryParts, 'session' | 'raise' | 'store'>) {
    this.#parts = parts
  }

  see(event: HookEvent): void {
    if (event.native !== TURN_COMPLETE || event.hidden !== undefined || event.transport === 'replay') return
    const { id, at, prompt, promptInjected, cwd, turnId } = event
    const session = this.#parts.session(keyOf(event))
    if (!session || prompt === undefined || promptInjected || this.#hasHooks(event)) return
    const missed = {
      type: 'UserPromptSubmit',
      at: at - BEFORE_MS,
      evidence: 'told by notify when its turn was over',
      what: id,
      fields: {
        prompt,
        ...(cwd === undefined ? {} : { cwd }),
        ...(turnId === undefined ? {} : { turn_id: turnId }),
      },
    } as const
    this.#parts.raise(missedArrival(session, missed, Date.now()))
  }

  #hasHooks({ agent, sessionId: session }: HookEvent): boolean {
    const [prompt] = this.#parts.store.newest({ agent, session, type: 'UserPromptSubmit' }, 1)
    if (prompt && prompt.transport !== 'healer') return true
    const [start] = this.#parts.store.newest({ agent, session, type: 'SessionStart' }, 1)
    return start !== undefined
  }
}
