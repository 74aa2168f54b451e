/**
 * Events that say nothing new of what is around them: most tool calls of a turn. They need no look of their own; the span
 * that holds for the one before them holds for them, too.
 */
import type { HookEvent } from '../../events/index.ts'
import { projectDirOf } from './project-dir.ts'

interface Last {
  readonly agent: string
  readonly sessionId: string
  readonly agentId: string | undefined
  readonly turnId: string | undefined
  readonly cwd: string | undefined
  readonly project: string | undefined
  readonly at: number
}

const AGAIN_MS = 1_000 // git may be in another state by then
const MAX_KNOWN = 5_000
/** These begin something, or are looked at for themselves. */
const ALWAYS: ReadonlySet<string> = new Set(['SessionStart', 'UserPromptSubmit', 'Stop'])

export class Repeats {
  readonly #last = new Map<string, Last>()

  /** Also remembers it. */
  isRepeat({ agent, sessionId, agentId, type, turnId, cwd, client }: HookEvent, now: number): boolean {
    const key = agentId ?? sessionId // whose it is stands beside: putting a key together would take longer than all else
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

  /** From here on, nothing is a repeat of what came before. */
  forget(): void {
    this.#last.clear()
  }
}
