/**
 * Nobody says when a person answers "yes": the next hook comes when the command has ended, minutes later. Until then
 * the session would look blocked while it works. While a shell command waits for permission, the agent's children are
 * looked at: one that began after the question, and runs this very command, was allowed.
 */

import { asksPermission } from '../../agents/facts.ts'
import { agentFor } from '../../agents/index.ts'
import { TICKS_PER_S, uptimeS } from '../../core/processes/proc.ts'
import type { HookEvent } from '../../events/index.ts'
import { resolvedEvent } from '../../journal/index.ts'
import { type Attention, keyOf, type Session } from '../state/index.ts'
import { childRunning, type Wanted } from './command-child.ts'
import type { Observer, ObserverContext } from './observer.ts'

const LOOK_MS = 50 // only while a dialog is open, and a look takes a tenth of a millisecond
const SLOWLY_AFTER_MS = 600_000 // whoever has not answered by then will not notice a second
const SLOWLY_LOOKS = 20 // of which then one is taken
const SLACK_TICKS = 5 // the clock of processes is a coarse one

/** `call` says which of the session's questions it is: two tools may ask at the same time. */
interface Waiting extends Wanted {
  readonly key: string
  readonly tool: string
  /** By the clock that is never set back. */
  readonly since: number
}

type Context = Pick<ObserverContext, 'session' | 'raise' | 'pidOf'>

export class ApprovalObserver implements Observer {
  readonly #context: Context
  readonly #waiting = new Set<Waiting>()
  /** Processes that answered a question: another one with the same command has its own. */
  readonly #known = new Set<number>()
  #timer: ReturnType<typeof setInterval> | undefined
  #looks = 0

  constructor(context: Context) {
    this.#context = context
  }

  /** When the session knows of it. */
  see(event: HookEvent): void {
    const command = (event.tool?.input as { command?: unknown } | undefined)?.command
    if (!asksPermission(event) || typeof command !== 'string' || command.trim() === '') return
    const key = keyOf(event)
    const pid = this.#context.pidOf(key)
    const tool = event.tool?.name ?? ''
    const call = this.#callOf(key, tool, event.at)
    if (pid === undefined || call === undefined) return
    const { callVariable } = agentFor(event.agent)
    const [since, sinceTicks] = [performance.now(), (uptimeS() || 0) * TICKS_PER_S - SLACK_TICKS]
    this.#await({ key, pid, tool, call, command, since, sinceTicks, callVariable })
  }

  /** A session that asked before the daemon was away: only the agent's own word for the call can tell its command. */
  resume({ key, agent, attention }: Session): void {
    const { callVariable } = agentFor(agent)
    const pid = this.#context.pidOf(key)
    if (callVariable === undefined || pid === undefined) return
    const since = performance.now()
    for (const { kind, tool = '', call } of attention) {
      if (kind !== 'permission' || call === undefined) continue
      this.#await({ key, pid, tool, call, command: '', since, sinceTicks: 0, callVariable })
    }
  }

  #await(one: Waiting): void {
    this.#waiting.add(one)
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** The first question of that tool and time that nobody waits for yet; others may share a commit with it. */
  #callOf(key: string, tool: string, at: number): string | undefined {
    const taken = new Set([...this.#waiting].filter((one) => one.key === key).map(({ call }) => call))
    const isAsked = ({ kind, since, call = '', ...one }: Attention) =>
      kind === 'permission' && one.tool === tool && since === at && !taken.has(call)
    return this.#context.session(key)?.attention.find(isAsked)?.call
  }

  #look(): void {
    this.#looks += 1
    for (const one of this.#waiting) {
      if (performance.now() - one.since > SLOWLY_AFTER_MS && this.#looks % SLOWLY_LOOKS !== 0) continue
      const session = this.#context.session(one.key)
      const isAsked = session?.attention.some(({ kind, call }) => kind === 'permission' && call === one.call)
      if (!session || !isAsked) {
        this.#waiting.delete(one)
        continue
      }
      const child = childRunning(one, this.#known)
      if (child === undefined) continue
      this.#waiting.delete(one)
      this.#known.add(child)
      const reason = `process ${child} runs the command`
      this.#context.raise(resolvedEvent(session, one.tool, one.call, reason, Date.now()))
    }
    if (this.#waiting.size > 0) return
    this.#known.clear()
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
