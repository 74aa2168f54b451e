/**
 * All sessions. Applies events in journal order and returns the changed session; the same journal gives the same state.
 *
 *   const sessions = new SessionMap()
 *   sessions.apply(event)          // the changed session, or undefined if the event belongs to none
 */
import { type HookEvent, keyOf, OWN_AGENT, sessionKeyOf } from '../../events/index.ts'
import { type ChangeLevel, levelOf } from './change-level.ts'
import { ownChange, setBackBy } from './gantry-agent.ts'
import { nameFor } from './names.ts'
import { reduce } from './reduce.ts'
import type { Session } from './session.ts'
import { isConcerned, setBack } from './set-back.ts'
import { linked, sessionAfter, sessionBefore } from './windows.ts'

export interface Change {
  readonly session: Session
  /** How much of its visible state changed. */
  readonly level: ChangeLevel
  /** Another session that turned out to continue this one. */
  readonly linked?: Session
  /** Other sessions whose times moved with the clock. */
  readonly moved?: readonly Session[]
}

/** Sessions that are not loaded yet. */
interface StoredSessions {
  get(key: string): Session | undefined
  hasName(name: string): boolean
}

export class SessionMap {
  readonly #sessions = new Map<string, Session>()
  readonly #names = new Map<string, string>()
  /** What `ahead` found out, for the `apply` that follows it. */
  #ahead: { readonly event: HookEvent; readonly before: Session; readonly change: Change } | undefined

  /** Set while sessions are being loaded: whoever asks for one of the others gets it at once. */
  stored: StoredSessions | undefined

  get size(): number {
    return this.#sessions.size
  }

  /** Loads stored sessions before the first event. */
  load(sessions: Iterable<Session>): void {
    for (const session of sessions) this.#put(session)
  }

  all(): IterableIterator<Session> {
    return this.#sessions.values()
  }

  has(key: string): boolean {
    return this.#sessions.has(key)
  }

  get(key: string): Session | undefined {
    const known = this.#sessions.get(key)
    if (known || this.stored === undefined) return known
    const stored = this.stored.get(key)
    if (stored) this.#put(stored)
    return stored
  }

  /** By key, native id, a unique prefix of one, or name. */
  find(text: string): Session | undefined {
    const direct = this.get(text) ?? this.#sessions.get(this.#names.get(text) ?? '')
    if (direct) return direct
    const matching = this.beginningWith(text)
    const exact = matching.find((session) => session.id === text)
    return exact ?? (matching.length === 1 ? matching[0] : undefined)
  }

  /** Sessions whose native id has this prefix. */
  beginningWith(text: string): Session[] {
    return [...this.#sessions.values()].filter((session) => session.id.startsWith(text))
  }

  apply(event: HookEvent): Change | undefined {
    const byMs = setBackBy(event)
    if (byMs !== undefined) return this.#setBack(byMs, event.receivedAt)
    if (event.agent === OWN_AGENT) return this.#applyOwn(event)
    if (event.sessionId === '') return undefined
    const key = keyOf(event)
    const before = this.get(key)
    if (before === undefined && this.isSessionless(event)) return undefined
    const known = this.#ahead
    this.#ahead = undefined
    const isKnown = known?.event === event && known.before === before
    const { session, level } = isKnown
      ? known.change
      : before
        ? changed(before, event)
        : this.#begun(key, event)
    this.#put(session)
    const next = event.type === 'SessionEnd' ? sessionAfter(this.#sessions.values(), session) : undefined
    if (!next) return { session, level }
    this.#put(linked(next, session))
    return { session, level, linked: linked(next, session) }
  }

  #begun(key: string, event: HookEvent): Change {
    const session = reduce(this.#newSession(key, event), event)
    return { session: { ...session, cause: causeOf(event) }, level: 'state' }
  }

  /** A known session as the event will leave it. */
  ahead(event: HookEvent): Session | undefined {
    const before = this.get(keyOf(event))
    const change = before && changed(before, event)
    this.#ahead = change && { event, before, change }
    return change?.session
  }

  /** Codex reports turns of sub-agents and of its title thread under their own ids. */
  isSessionless({ agent, sessionId, hidden, type }: HookEvent): boolean {
    if (hidden !== undefined || OF_SUBAGENTS.has(type)) return true
    if (type !== 'Stop' && type !== 'SessionEnd') return false
    for (const session of this.#sessions.values())
      if (session.agent === agent && session.children.some((child) => child.agentId === sessionId))
        return true
    return false
  }

  #setBack(byMs: number, now: number): Change | undefined {
    const [session, ...moved] = [...this.#sessions.values()]
      .filter((one) => isConcerned(one, now))
      .map((one) => setBack(one, byMs))
    if (!session) return undefined
    for (const one of [session, ...moved]) this.#put(one)
    return { session, moved, level: 'facts' }
  }

  /** Drops a session that ended long ago; the journal still has it. */
  forget(key: string): void {
    const session = this.#sessions.get(key)
    for (const name of session ? [session.name, ...(session.aliases ?? [])] : []) {
      if (this.#names.get(name) === key) this.#names.delete(name)
    }
    this.#sessions.delete(key)
  }

  /** Applies an event about a session by a person or gantry, stored in the journal like any other. */
  #applyOwn(event: HookEvent): Change | undefined {
    const session = this.get(sessionKeyOf(event))
    if (!session) return undefined
    const parent = this.get(String(event.fields?.parent_key ?? ''))
    const next = ownChange(session, event, parent)
    if (!next) return undefined
    this.#put(next)
    return { session: next, level: event.type === 'UsageObserved' ? levelOf(session, next) : 'state' }
  }

  #put(session: Session): void {
    this.#sessions.set(session.key, session)
    this.#names.set(session.name, session.key)
    for (const alias of session.aliases ?? [])
      if (!this.#names.has(alias)) this.#names.set(alias, session.key)
  }

  #newSession(key: string, event: HookEvent): Session {
    const isCleared = event.type === 'SessionStart' && event.source === 'clear'
    const before = isCleared ? sessionBefore(this.#sessions.values(), event) : 'none'
    const session: Session = {
      ...blankSession(event),
      name: nameFor(key, { has: (name) => this.#names.has(name) || this.stored?.hasName(name) === true }),
      ...(before === undefined ? { awaitsPrev: true } : {}),
      ...(event.transport === 'replay' ? { replayed: true } : {}),
    }
    return before === undefined || before === 'none' ? session : linked(session, before)
  }
}

/** A new session of which only its existence is known. */
export function blankSession(event: Pick<HookEvent, 'agent' | 'sessionId' | 'at'>): Session {
  return {
    key: keyOf(event),
    id: event.sessionId,
    agent: event.agent,
    name: '',
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
  }
}

/** With `--continue`, Claude 2.0.77 starts sub-agents under an id that no session ever has. */
const OF_SUBAGENTS: ReadonlySet<string> = new Set(['SubagentStart', 'SubagentStop'])

function changed(before: Session, event: HookEvent): Change {
  const reduced = reduce(before, event)
  const level = levelOf(before, reduced)
  return { session: level === 'state' ? { ...reduced, cause: causeOf(event) } : reduced, level }
}

function causeOf(event: HookEvent): NonNullable<Session['cause']> {
  return { seq: event.seq, id: event.id, type: event.type, at: event.at }
}
