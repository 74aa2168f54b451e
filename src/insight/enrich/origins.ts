/**
 * Which conversation a session continues. The agent reports that it resumed or forked; its transcript says from where,
 * by session id or by an earlier prompt and its time. The result is stored as an event, so a rebuild has it, too.
 */
import { agentFor, type Origin } from '../../agents/index.ts'
import { readHead } from '../../core/files/lines.ts'
import { homeOf } from '../../core/files/paths.ts'
import { type HookEvent, keyOf, type RawEvent } from '../../events/index.ts'
import { originEvent, parseRow } from '../../journal/index.ts'
import type { Session } from '../../sessions/state/index.ts'
import type { Store } from '../../store/index.ts'
import type { EventSummary } from './event-summary.ts'

export interface OriginParts {
  readonly store: Store
  session(key: string): Session | undefined
  raise(rawEvent: RawEvent): void
}

const SOURCES: ReadonlySet<string | undefined> = new Set(['fork', 'resume'])
const MAX_TRIES = 6 // the transcript may be written a few hooks later
const MAX_WATCHED = 200
const NEAR_MS = 5_000 // between a hook and the transcript line of the same prompt
const MAX_PROMPTS = 200
const HEAD_BYTES = 256 * 1024 // Codex puts its instructions into the first line

export class Origins {
  readonly #parts: OriginParts
  readonly #watched = new Map<string, { tries: number; env: HookEvent['client']['env'] }>()

  constructor(parts: OriginParts) {
    this.#parts = parts
  }

  see(event: EventSummary): void {
    const key = keyOf(event)
    if (event.type === 'SessionStart' && event.agentId === undefined && SOURCES.has(event.source)) {
      const session = this.#parts.session(key)
      const isKnown = session?.conversationId !== undefined || this.#watched.size >= MAX_WATCHED
      if (!isKnown && agentFor(event.agent).transcript?.origin)
        this.#watched.set(key, { tries: 0, env: event.client.env })
    }
    const watched = this.#watched.get(key)
    if (!watched) return
    watched.tries += 1
    if (this.#find(key, watched.env) || watched.tries >= MAX_TRIES) this.#watched.delete(key)
  }

  /** True if no further look is needed. */
  #find(key: string, env: HookEvent['client']['env']): boolean {
    const session = this.#parts.session(key)
    const origin = session && originIn(session, env)
    if (!session || !origin) return false
    const from = 'sessionId' in origin ? origin.sessionId : this.#askedOf(session, origin)
    if (from === undefined || from === session.id) return true
    const conversation =
      this.#parts.session(keyOf({ agent: session.agent, sessionId: from }))?.conversationId ?? from
    this.#parts.raise(originEvent(key, from, conversation, Date.now()))
    return true
  }

  /** The one session with this prompt at this time; undefined if several match. */
  #askedOf({ agent }: Session, { prompt, at }: { prompt: string; at: number }): string | undefined {
    const { store } = this.#parts
    const after = store.seqBefore(at - NEAR_MS)
    const found = new Set<string>()
    for (const row of store.oldest({ after, agent, type: 'UserPromptSubmit' }, MAX_PROMPTS)) {
      if (row.receivedAt > at + NEAR_MS) break
      const event = parseRow(row)
      if (event.prompt?.trim() === prompt.trim()) found.add(event.sessionId)
    }
    const [only] = found
    return found.size === 1 ? only : undefined
  }
}

/** Reads the first lines of the session's transcript. */
function originIn(session: Session, env: HookEvent['client']['env']): Origin | undefined {
  const reader = agentFor(session.agent).transcript
  if (!reader?.origin || !session.transcriptPath) return undefined
  let origin: Origin | undefined
  readHead(session.transcriptPath, reader.roots(env, homeOf(env)), HEAD_BYTES, (line) => {
    origin ??= reader.origin?.(line)
  })
  return origin
}
