/**
 * Detects a granted permission. No hook runs when a person answers "yes": the next one comes when the command has ended,
 * perhaps minutes later, and until then the session would look blocked. So while a shell command waits for permission, the
 * agent's child processes are checked: a child that started after the question and runs this command was allowed.
 */
import { asksPermission } from '../../agents/facts.ts'
import { agentFor } from '../../agents/index.ts'
import { TICKS_PER_S, uptimeS } from '../../core/processes/proc.ts'
import { type HookEvent, keyOf } from '../../events/index.ts'
import { resolvedEvent } from '../../journal/index.ts'
import type { Attention, Session } from '../state/index.ts'
import { childRunning, type Wanted } from './command-child.ts'
import type { Observer, ObserverContext } from './observer.ts'

const LOOK_MS = 50 // only while a dialog is open; one check takes 0.1 ms
const SLOWLY_AFTER_MS = 600_000 // a person who has not answered by then will not notice a second
const SLOWLY_LOOKS = 20 // then only one of this many checks is made
const SLACK_TICKS = 5 // process start times are coarse

/** `call` identifies the question, because two tools may ask at the same time. */
interface Waiting extends Wanted {
  readonly key: string
  readonly tool: string
  /** By the monotonic clock. */
  readonly since: number
}

type Context = Pick<ObserverContext, 'session' | 'raise' | 'pidOf'>

export class ApprovalObserver implements Observer {
  readonly #context: Context
  readonly #waiting = new Set<Waiting>()
  /** Processes that already answered a question: another call with the same command has its own. */
  readonly #known = new Set<number>()
  #timer: ReturnType<typeof setInterval> | undefined
  #looks = 0

  constructor(context: Context) {
    this.#context = context
  }

  /** Call it once the session has the question. */
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

  /** A question from before a restart: only the agent's own call id can identify its command. */
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

  /** The first question of that tool and time that is not watched yet; several may share a commit. */
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
