/**
 * Keeps the fleet in step with the journal: an event changes its session inside the commit, the row is written in the
 * same commit, and a commit that fails leaves the fleet as it was.
 */
import type { HookEvent } from '../events/index.ts'
import { type Change, Fleet, phaseOf, type Session } from '../sessions/index.ts'
import type { SessionRows } from '../store/index.ts'

const KEPT_MS = 24 * 3_600_000 // ended sessions are shown for a day; the database has the others
const MAX_IN_MEMORY = 5_000

export class Keeper {
  readonly fleet = new Fleet()
  readonly #rows: SessionRows
  /** Sessions that this commit changed, as they were before it. */
  readonly #before = new Map<string, Session | undefined>()
  readonly #visible = new Map<string, HookEvent>()

  constructor(rows: SessionRows, now: number) {
    this.#rows = rows
    this.fleet.load(rows.recent(now - KEPT_MS, MAX_IN_MEMORY).map((state) => JSON.parse(state) as Session))
  }

  apply(event: HookEvent): void {
    this.#recall(event)
    const before = this.fleet.find(`${event.agent}:${event.sessionId}`)
    const change = this.fleet.apply(event)
    if (!change) return
    const { key } = change.session
    if (!this.#before.has(key)) this.#before.set(key, before)
    if (change.visible) this.#visible.set(key, event)
  }

  /** A change that a person made: renamed, seen. */
  update(key: string, change: Parameters<Fleet['update']>[1]): Session | undefined {
    const before = this.fleet.find(key)
    const after = this.fleet.update(key, change)
    if (after && !this.#before.has(key)) this.#before.set(key, before)
    return after
  }

  /** Writes what changed, once per session. Inside the commit. */
  write(): void {
    for (const key of this.#before.keys()) {
      const session = this.fleet.find(key)
      if (session) this.#rows.put(rowOf(session))
    }
  }

  /** The commit is durable: what people see changed in these. */
  settle(): Change[] {
    const changes: Change[] = []
    for (const key of this.#before.keys()) {
      const session = this.fleet.find(key)
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

  /** Forgets sessions that ended more than a day ago. */
  tidy(now: number): void {
    for (const session of [...this.fleet.all()]) {
      if (session.endedAt !== undefined && now - session.lastActivity > KEPT_MS)
        this.fleet.forget(session.key)
    }
  }

  /** A session that was forgotten goes on where it was. */
  #recall(event: HookEvent): void {
    const key = `${event.agent}:${event.sessionId}`
    if (event.sessionId === '' || this.fleet.find(key)) return
    const state = this.#rows.find(key)
    if (state !== undefined) this.fleet.load([JSON.parse(state) as Session])
  }
}

function rowOf(session: Session) {
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
