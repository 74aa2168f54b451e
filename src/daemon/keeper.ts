/**
 * Keeps the fleet in step with the journal. An event changes its session in the same turn in which it is committed, and
 * a commit that fails leaves the fleet as it was. Rows are written a moment later, off the hook path: they are a
 * snapshot up to a mark, and a start applies what the journal has after it. So the state is never behind its events.
 */
import type { HookEvent } from '../events/index.ts'
import { type Change, Fleet, OWN_AGENT, phaseOf, type Session } from '../sessions/index.ts'
import type { SessionRow, Store } from '../store/index.ts'
import { reviveRow } from './revive.ts'

const KEPT_MS = 24 * 3_600_000 // ended sessions are shown for a day; the database has the others
const MAX_IN_MEMORY = 5_000
const PAGE = 500

export class Keeper {
  readonly fleet = new Fleet()
  readonly #store: Store
  /** Sessions that this commit changed, as they were before it. */
  readonly #before = new Map<string, Session | undefined>()
  readonly #visible = new Set<string>()
  /** Sessions whose row is behind. */
  readonly #dirty = new Set<string>()
  #mark: number

  constructor(store: Store, now: number) {
    this.#store = store
    this.#mark = store.sessions.mark
    this.fleet.load(store.sessions.recent(now - KEPT_MS, MAX_IN_MEMORY).map(parse))
    this.#catchUp()
  }

  apply(event: HookEvent): void {
    const key = sessionKey(event)
    if (key === '') return
    const before = this.fleet.get(key) ?? this.#recall(key)
    const change = this.fleet.apply(event)
    if (!change) return
    if (!this.#before.has(key)) this.#before.set(key, before)
    if (change.visible) this.#visible.add(key)
  }

  /** The commit is durable: these sessions changed. */
  settle(): Change[] {
    const changes: Change[] = []
    for (const key of this.#before.keys()) {
      const session = this.fleet.get(key)
      this.#dirty.add(key)
      if (session) changes.push({ session, visible: this.#visible.has(key) })
    }
    this.#before.clear()
    this.#visible.clear()
    return changes
  }

  rollback(): void {
    for (const [key, session] of this.#before) {
      this.fleet.forget(key)
      if (session) this.fleet.load([session])
    }
    this.#before.clear()
    this.#visible.clear()
  }

  /** Brings the rows up to the journal. */
  write(): void {
    const { journal, sessions } = this.#store
    if (this.#dirty.size === 0 && this.#mark === journal.lastSeq) return
    journal.commit(() => {
      for (const key of this.#dirty) {
        const session = this.fleet.get(key)
        if (session) sessions.put(rowOf(session))
      }
      sessions.setMark(journal.lastSeq)
    })
    this.#mark = journal.lastSeq
    this.#dirty.clear()
  }

  /** Forgets sessions that ended more than a day ago; their rows stay as long as their events may. */
  tidy(now: number, maxAgeMs: number): void {
    for (const session of [...this.fleet.all()]) {
      const over = session.endedAt !== undefined && now - session.lastActivity > KEPT_MS
      if (over && !this.#dirty.has(session.key)) this.fleet.forget(session.key)
    }
    this.#store.journal.commit(() => this.#store.sessions.deleteBefore(now - maxAgeMs))
  }

  /** Events that came after the rows were last written: the daemon was killed. */
  #catchUp(): void {
    for (let after = this.#mark; ; ) {
      const rows = [...this.#store.oldest({ after }, PAGE)]
      for (const row of rows) this.apply(reviveRow(row))
      this.settle()
      after = rows.at(-1)?.seq ?? after
      if (rows.length < PAGE) return
    }
  }

  /** A session that was forgotten goes on where it was. */
  #recall(key: string): Session | undefined {
    const state = this.#store.sessions.get(key)
    if (state === undefined) return undefined
    const session = parse(state)
    this.fleet.load([session])
    return session
  }
}

function sessionKey(event: HookEvent): string {
  if (event.agent === OWN_AGENT) return String(event.fields?.session_key ?? '')
  return event.sessionId === '' ? '' : `${event.agent}:${event.sessionId}`
}

function parse(state: string): Session {
  return JSON.parse(state) as Session
}

function rowOf(session: Session): SessionRow {
  return {
    key: session.key,
    agent: session.agent,
    sessionId: session.id,
    name: session.name,
    phase: phaseOf(session),
    seq: session.cause?.seq ?? 0,
    lastActivity: session.lastActivity,
    state: JSON.stringify(session),
  }
}
