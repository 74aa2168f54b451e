/**
 * Which conversation a session goes on with. An agent says that it resumed or forked, and its transcript says what: the
 * session's id, or a prompt that was first given to it. What is found is an event, so a rebuild knows it, too.
 */
import { closeSync, readSync } from 'node:fs'
import { homedir } from 'node:os'
import { agentFor, type Origin } from '../../agents/index.ts'
import type { Arrival, HookEvent } from '../../events/index.ts'
import { keyOf, type Session } from '../../sessions/index.ts'
import type { Store } from '../../store/index.ts'
import { openInside } from '../healers/transcript-file.ts'
import { originArrival } from '../raised.ts'

export interface OriginParts {
  readonly store: Store
  session(key: string): Session | undefined
  raise(arrival: Arrival): void
}

const SOURCES: ReadonlySet<string | undefined> = new Set(['fork', 'resume'])
const MAX_TRIES = 6 // the transcript may be written a few hooks later
const MAX_WATCHED = 200
const HEAD_BYTES = 256 * 1024 // Codex puts its instructions into the first line

export class Origins {
  readonly #parts: OriginParts
  readonly #watched = new Map<string, { tries: number; env: HookEvent['client']['env'] }>()

  constructor(parts: OriginParts) {
    this.#parts = parts
  }

  see(event: HookEvent): void {
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

  /** True when there is no need to look again. */
  #find(key: string, env: HookEvent['client']['env']): boolean {
    const session = this.#parts.session(key)
    const origin = session && originIn(session, env)
    if (!session || !origin) return false
    const from = 'sessionId' in origin ? origin.sessionId : this.#sessionOf(session, origin.promptId)
    if (from === undefined || from === session.id) return true
    const conversation = this.#parts.session(`${session.agent}:${from}`)?.conversationId ?? from
    this.#parts.raise(originArrival(key, from, conversation, Date.now()))
    return true
  }

  #sessionOf({ agent }: Session, promptId: string): string | undefined {
    return this.#parts.store.contexts.sessionOfPrompt(agent, promptId)
  }
}

/** In the first lines of its transcript: one read of a file that is there. */
function originIn(session: Session, env: HookEvent['client']['env']): Origin | undefined {
  const reader = agentFor(session.agent).transcript
  if (!reader?.origin || !session.transcriptPath) return undefined
  const fd = openInside(session.transcriptPath, reader.roots(env, env.HOME ?? homedir()))
  if (fd === undefined) return undefined
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    const lines = head
      .subarray(0, readSync(fd, head, 0, HEAD_BYTES, 0))
      .toString('utf8')
      .split('\n')
    for (const line of lines.slice(0, -1)) {
      const origin = reader.origin(line)
      if (origin) return origin
    }
    return undefined
  } catch {
    return undefined
  } finally {
    closeSync(fd)
  }
}
