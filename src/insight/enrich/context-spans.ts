/**
 * The current context of each session and sub-agent, and the rows that say since when it holds. A row is written only
 * when something changes, so a turn of a thousand tool calls has one row.
 */
import { BoundedMap } from '../../core/bounded-map.ts'
import type { GitContext } from '../../git/index.ts'
import type { ContextSpan, Store } from '../../store/index.ts'
import { type EventSummary, projectDirOf, promptIdOf } from './event-summary.ts'

const MAX_KNOWN = 5_000 // sessions and sub-agents in memory; the table has the others
const MAX_DIR_CHARS = 4096

export class Spans {
  readonly #store: Store
  readonly #known = new BoundedMap<string, ContextSpan>(MAX_KNOWN)

  constructor(store: Store) {
    this.#store = store
  }

  /** The span that holds for the event. `isNew`: it starts with this event and is not in the table yet. */
  take(event: EventSummary, git: GitContext | undefined): { span: ContextSpan; isNew: boolean } {
    const { agent, sessionId, agentId = '', seq } = event
    const before = this.#current(agent, sessionId, agentId, seq)
    const span: ContextSpan = {
      agent,
      sessionId,
      agentId,
      seq,
      promptId: this.#promptOf(event, before),
      projectDir: projectOf(event, git) ?? before?.projectDir ?? null,
      git: git === undefined ? (before?.git ?? null) : git.json,
    }
    const isNew =
      before?.promptId !== span.promptId || before.projectDir !== span.projectDir || before.git !== span.git
    if (isNew) this.#keep(span)
    return { span: isNew || !before ? span : before, isNew }
  }

  /** Drops the memory when the table is behind it; the table is authoritative. */
  forget(): void {
    this.#known.clear()
  }

  #promptOf(event: EventSummary, before: ContextSpan | undefined): string | null {
    if (event.turnId !== undefined) return event.turnId
    if (event.agentId !== undefined) {
      return this.#current(event.agent, event.sessionId, '', event.seq)?.promptId ?? before?.promptId ?? null
    }
    if (event.type === 'UserPromptSubmit' && event.hidden === undefined) return promptIdOf(event)
    if (event.type === 'SessionStart' && event.source !== 'compact') return null
    return before?.promptId ?? null
  }

  #current(agent: string, sessionId: string, agentId: string, seq: number): ContextSpan | undefined {
    const known = this.#known.get(keyOf(agent, sessionId, agentId))
    if (known) return known
    const stored = this.#store.contexts.at(agent, sessionId, agentId, seq)
    if (stored) this.#keep(stored)
    return stored
  }

  #keep(span: ContextSpan): void {
    this.#known.set(keyOf(span.agent, span.sessionId, span.agentId), span)
  }
}

function keyOf(agent: string, sessionId: string, agentId: string): string {
  return `${agent}\n${sessionId}\n${agentId}`
}

/** The agent's own project folder, else the repository, else the working folder. */
function projectOf({ client, cwd }: EventSummary, git: GitContext | undefined): string | undefined {
  return (projectDirOf(client.env) ?? git?.root ?? cwd)?.slice(0, MAX_DIR_CHARS)
}
