/**
 * Recognizes events whose surroundings cannot have changed: most tool calls of a turn. They share the span of the event
 * before them and need no lookup.
 */
import type { HookEvent } from '../../events/index.ts'
import { projectDirOf } from './event-summary.ts'

interface Last {
  readonly agent: string
  readonly sessionId: string
  readonly agentId: string | undefined
  readonly turnId: string | undefined
  readonly cwd: string | undefined
  readonly project: string | undefined
  readonly at: number
}

const AGAIN_MS = 1_000 // git's state may have changed by then
const MAX_KNOWN = 5_000
/** These start something, or are always looked up. */
const ALWAYS: ReadonlySet<string> = new Set(['SessionStart', 'UserPromptSubmit', 'Stop'])

export class Repeats {
  readonly #last = new Map<string, Last>()

  /** Whether the event repeats the last one's surroundings. Remembers the event. */
  isRepeat({ agent, sessionId, agentId, type, turnId, cwd, client }: HookEvent, now: number): boolean {
    const key = agentId ?? sessionId // the agent is compared separately: building a combined key would cost more than the rest
    const last = this.#last.get(key)
    const project = projectDirOf(client.env)
    const isRepeat =
      last !== undefined &&
      now - last.at < AGAIN_MS &&
      last.agent === agent &&
      last.sessionId === sessionId &&
      last.agentId === agentId &&
      (turnId === undefined || last.turnId === turnId) &&
      (cwd === undefined || last.cwd === cwd) &&
      (project === undefined || last.project === project) &&
      !ALWAYS.has(type)
    if (isRepeat) return true
    if (last === undefined && this.#last.size >= MAX_KNOWN) this.#last.clear()
    this.#last.set(key, { agent, sessionId, agentId, turnId, cwd, project, at: now })
    return false
  }

  /** Forgets everything, so the next event is looked up. */
  forget(): void {
    this.#last.clear()
  }
}
