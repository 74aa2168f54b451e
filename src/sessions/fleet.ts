/**
 * All sessions. Takes events in the order of the journal and answers which session changed; the same journal gives
 * the same fleet.
 *
 *   const fleet = new Fleet()
 *   fleet.apply(event)          // the session as it is now, or nothing when the event belongs to none
 */
import type { HookEvent } from '../events/index.ts'
import { nameFor } from './names.ts'
import { phaseOf } from './phase.ts'
import { reduce } from './reduce.ts'
import type { Session } from './session.ts'

export interface Change {
  readonly session: Session
  /** What people see of it is another than before. */
  readonly visible: boolean
}

/** Events that gantry raises itself. */
export const OWN_AGENT = 'gantry'

const LINK_MS = 30_000 // /clear ends one session and starts the next within a moment

export class Fleet {
  readonly #sessions = new Map<string, Session>()
  readonly #names = new Map<string, string>()

  get size(): number {
    return this.#sessions.size
  }

  /** Sessions as they were stored, before the first event. */
  load(sessions: Iterable<Session>): void {
    for (const session of sessions) this.#put(session)
  }

  all(): IterableIterator<Session> {
    return this.#sessions.values()
  }

  get(key: string): Session | undefined {
    return this.#sessions.get(key)
  }

  /** By key, native id, the beginning of one (if only one has it), or name. */
  find(text: string): Session | undefined {
    const direct = this.#sessions.get(text) ?? this.#sessions.get(this.#names.get(text) ?? '')
    if (direct) return direct
    const matching = [...this.#sessions.values()].filter((session) => session.id.startsWith(text))
    const exact = matching.find((session) => session.id === text)
    return exact ?? (matching.length === 1 ? matching[0] : undefined)
  }

  apply(event: HookEvent): Change | undefined {
    if (event.agent === OWN_AGENT) return this.#applyOwn(event)
    if (event.sessionId === '') return undefined
    const key = keyOf(event)
    const before = this.#sessions.get(key)
    const reduced = reduce(before ?? this.#newSession(key, event), event)
    const visible = before === undefined || faceOf(before) !== faceOf(reduced)
    const session = visible ? { ...reduced, cause: causeOf(event) } : reduced
    this.#put(session)
    return { session, visible }
  }

  /** Forgets what ended long ago; the journal still has it. */
  forget(key: string): void {
    const session = this.#sessions.get(key)
    for (const name of session ? [session.name, ...(session.aliases ?? [])] : []) {
      if (this.#names.get(name) === key) this.#names.delete(name)
    }
    this.#sessions.delete(key)
  }

  /** What a person said about a session, which is in the journal like everything else. */
  #applyOwn(event: HookEvent): Change | undefined {
    const session = this.#sessions.get(String(event.fields?.session_key ?? ''))
    if (!session) return undefined
    const parent = this.#sessions.get(String(event.fields?.parent_key ?? ''))
    const next = ownChange(session, event, parent)
    if (!next) return undefined
    this.#put(next)
    return { session: next, visible: true }
  }

  #put(session: Session): void {
    this.#sessions.set(session.key, session)
    this.#names.set(session.name, session.key)
    for (const alias of session.aliases ?? [])
      if (!this.#names.has(alias)) this.#names.set(alias, session.key)
  }

  #newSession(key: string, event: HookEvent): Session {
    const before =
      event.type === 'SessionStart' && event.source === 'clear' ? this.#clearedBy(event) : undefined
    return {
      key,
      id: event.sessionId,
      agent: event.agent,
      name: nameFor(key, this.#names),
      generation: 1,
      generationAt: 0,
      startedAt: event.at,
      lastActivity: event.at,
      starting: false,
      compacting: false,
      turn: { open: false },
      prompted: false,
      attention: [],
      openTools: [],
      closedCalls: [],
      background: [],
      children: [],
      seen: false,
      usage: {},
      ...(before === undefined
        ? {}
        : { prevSessionId: before.id, conversationId: before.conversationId ?? before.id }),
      ...(event.transport === 'replay' ? { replayed: true } : {}),
    }
  }

  /** The window that /clear closed: same agent, same place, ended just now. */
  #clearedBy(event: HookEvent): Session | undefined {
    let found: Session | undefined
    for (const session of this.#sessions.values()) {
      if (session.agent !== event.agent || session.cwd !== event.cwd) continue
      if (session.pane !== event.client.pane || session.endedAt === undefined) continue
      if (Math.abs(event.at - session.endedAt) > LINK_MS) continue
      if (!found || session.endedAt > (found.endedAt ?? 0)) found = session
    }
    return found
  }
}

export function keyOf(event: Pick<HookEvent, 'agent' | 'sessionId'>): string {
  return `${event.agent}:${event.sessionId}`
}

function ownChange(session: Session, event: HookEvent, parent?: Session): Session | undefined {
  switch (event.type) {
    case 'SessionRenamed':
      return renamed(session, String(event.fields?.name ?? session.name))
    case 'SessionSeen':
      return { ...session, seen: true }
    case 'TitleObserved':
      return { ...session, title: String(event.fields?.title ?? '') }
    case 'ParentObserved':
      return parent ? { ...session, parentSessionId: parent.id } : undefined
    case 'OriginObserved':
      return continued(session, event)
    case 'SessionSummarized':
      return summarized(session, event)
    case 'UsageObserved':
      return { ...session, usage: { ...session.usage, ...observedUsage(event) } }
    default:
      return undefined
  }
}

/** A forked session goes on with the conversation of another. */
function continued(session: Session, { fields }: HookEvent): Session | undefined {
  const { origin_id: origin, conversation_id: conversation } = fields ?? {}
  if (typeof origin !== 'string' || typeof conversation !== 'string') return undefined
  return { ...session, prevSessionId: origin, conversationId: conversation }
}

function summarized(session: Session, { fields, at }: HookEvent): Session | undefined {
  const { title, summary, last_answer: answer } = fields ?? {}
  if (typeof title !== 'string' || typeof summary !== 'string') return undefined
  return {
    ...session,
    summary: { title: title.slice(0, MAX_TITLE_CHARS), text: summary.slice(0, MAX_SUMMARY_CHARS), at },
    // For agents whose Stop does not say what the last answer was.
    ...(typeof answer === 'string' ? { lastMessage: answer.slice(0, MAX_ANSWER_CHARS) } : {}),
  }
}

const MAX_TITLE_CHARS = 200
const MAX_SUMMARY_CHARS = 1_000
const MAX_ANSWER_CHARS = 4_000

const MAX_ALIASES = 8

function renamed(session: Session, name: string): Session {
  const aliases = [...(session.aliases ?? []), session.name]
    .filter((alias) => alias !== name)
    .slice(-MAX_ALIASES)
  return { ...session, name, aliases }
}

function observedUsage(event: HookEvent): Session['usage'] {
  const { tokens, context_pct: contextPct } = event.fields ?? {}
  return {
    ...(typeof tokens === 'number' ? { tokens } : {}),
    ...(typeof contextPct === 'number' ? { contextPct } : {}),
  }
}

function causeOf(event: HookEvent): NonNullable<Session['cause']> {
  return { seq: event.seq, id: event.id, type: event.type, at: event.at }
}

/** Everything about a session that a person would notice, as one comparable text. */
function faceOf(session: Session): string {
  let face = `${phaseOf(session)}|${session.generation}|${session.detail ?? ''}|${session.background.length}|${session.error?.message ?? ''}`
  for (const one of session.attention) face += `|${one.kind}:${one.reason}:${one.agentId ?? ''}`
  for (const child of session.children) if (child.endedAt === undefined) face += `|${child.agentId}`
  return face
}
