/**
 * Codex's `notify` reports a turn when it is over, and is the only report of a Codex without hooks. Its prompt is raised as
 * a separate event before the end of the turn, so that it is searched, shown and published like any other. If hooks arrive,
 * they have reported it already.
 */
import { factsOf } from '../../agents/facts.ts'
import { type HookEvent, keyOf, type Transport } from '../../events/index.ts'
import { missedEvent } from '../../journal/index.ts'
import type { Observer, ObserverContext } from './observer.ts'

const UNHEARD: ReadonlySet<Transport> = new Set(['replay', 'import'])
const BEFORE_MS = 1 // the prompt precedes the end; how long is unknown

type Context = Pick<ObserverContext, 'isSessionless' | 'isQueued' | 'raise' | 'store'>

export class FinishedTurnObserver implements Observer {
  readonly #context: Context

  constructor(context: Context) {
    this.#context = context
  }

  /** Call it before the event is accepted. */
  ahead(event: HookEvent): void {
    if (event.type !== 'Stop' || event.native !== factsOf(event.agent).turnReport) return
    if (UNHEARD.has(event.transport) || this.#context.isSessionless(event)) return
    const { id, at, agent, sessionId, prompt, promptInjected, cwd, turnId } = event
    if (sessionId === '' || prompt === undefined || promptInjected || this.#hasHooks(event)) return
    const session = { key: keyOf(event), agent, id: sessionId, ...(cwd === undefined ? {} : { cwd }) }
    const missed = {
      type: 'UserPromptSubmit',
      at: at - BEFORE_MS,
      evidence: 'reported by notify when its turn was over',
      what: id,
      fields: {
        prompt,
        ...(cwd === undefined ? {} : { cwd }),
        ...(turnId === undefined ? {} : { turn_id: turnId }),
      },
    } as const
    this.#context.raise(missedEvent(session, missed, Date.now()))
  }

  #hasHooks(event: HookEvent): boolean {
    const { agent, sessionId: session } = event
    // The journal and the sessions do not have what shares a commit with it yet.
    if (this.#context.isQueued((one) => isHookOf(one, event))) return true
    const [prompt] = this.#context.store.newest({ agent, session, type: 'UserPromptSubmit' }, 1)
    if (prompt && prompt.transport !== 'healer') return true
    const [start] = this.#context.store.newest({ agent, session, type: 'SessionStart' }, 1)
    return start !== undefined
  }
}

/** Whether it is a hook of the session, or the start of the sub-agent that the turn belongs to. */
function isHookOf(one: HookEvent, { agent, sessionId }: HookEvent): boolean {
  if (one.agent !== agent) return false
  if (one.type === 'SubagentStart') return one.agentId === sessionId
  const tellsPrompt = one.type === 'UserPromptSubmit' && one.transport !== 'healer'
  return one.sessionId === sessionId && (tellsPrompt || one.type === 'SessionStart')
}
