/**
 * Keeps sessions in step with the journal: the events of a commit are applied right after its replies have left, in the
 * same turn of the event loop, so nobody sees one without the other. Rows are written a moment later. They are a snapshot
 * up to a mark, and a start applies the journal after it: the state is never behind.
 */
import { type HookEvent, isImported, sessionKeyOf } from '../events/index.ts'
import { parseRow } from '../journal/index.ts'
import type { SessionCursor, SessionPlace, SessionRow, Store } from '../store/index.ts'
import { type Change, higherLevel, phaseOf, type Session, SessionMap, setBackBy } from './state/index.ts'

const KEPT_MS = 24 * 3_600_000 // ended sessions stay in memory for a day; the database has the others
const MAX_ENDED = 1_000 // of them, the last ones; live sessions are all in memory
const TIDY_AFTER = 256 // more sessions than the last time
const FIRST = 256 // the last active ones are loaded before the first hook is answered, the others in slices after that
const SLICE = 32 // about two milliseconds
const PAGE = 500

export interface TrackerListeners {
  /** Told of every event in the order of the journal, with what it changed; at a start again of those after the mark. */
  readonly changed?: (event: HookEvent, change: Change | undefined) => void
  /**
   * Called for an event that could not be applied. It is skipped, also in a rebuild, and must not keep a daemon from
   * starting.
   */
  readonly failed?: (event: HookEvent, error: unknown) => void
  /** The last known location of a folder, for the SQL view. */
  readonly placeOf?: (cwd: string | undefined) => SessionPlace
}

export class SessionTracker {
  readonly sessions = new SessionMap()
  readonly #store: Store
  /** Sessions with an outdated row. */
  readonly #dirty = new Set<string>()
  readonly #listeners: TrackerListeners
  readonly #since: number
  readonly #whole = Promise.withResolvers<void>()
  #isWhole = false
  #next: SessionCursor | undefined
  /** Loaded, and not yet returned by `loadMore`. */
  readonly #unseen: string[] = []
  #ended = 0
  #mark: number
  /** Sessions in memory when it was last looked which of them may go. */
  #tidied = 0

  constructor(store: Store, now: number, listeners: TrackerListeners = {}) {
    this.#store = store
    this.#listeners = listeners
    this.#mark = store.sessions.mark
    this.#since = now - KEPT_MS
    this.sessions.stored = {
      get: (key) => this.#stored(key),
      hasName: (name) => store.sessions.hasName(name),
    }
    this.#load(FIRST)
    this.#catchUp()
  }

  /** All sessions of interest are loaded. Until then only those are listed that were active last, or were asked for. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  get whole(): Promise<void> {
    return this.#whole.promise
  }

  /** Loads a slice of the sessions that are missing. The keys of the slice, or undefined after the last one. */
  loadMore(): readonly string[] | undefined {
    if (this.#unseen.length > 0) return this.#unseen.splice(0, SLICE)
    return this.#isWhole ? undefined : this.#load(SLICE)
  }

  /** For whoever must not miss one, now. */
  loadAll(): void {
    while (!this.#isWhole) this.#unseen.push(...this.#load(FIRST))
  }

  /** Nobody waits for more: all are loaded, or the others cannot be. */
  giveUp(): void {
    this.#isWhole = true
    this.sessions.stored = undefined
    this.#whole.resolve()
  }

  #load(limit: number): string[] {
    const { sessions, next } = this.#store.sessions.page({ since: this.#since, after: this.#next, limit })
    const wanted = sessions.filter(({ hasEnded }) => !hasEnded || ++this.#ended <= MAX_ENDED)
    const found = wanted.map(({ state }) => parse(state)).reverse() // the last active one is the last one
    this.sessions.load(found.filter(({ key }) => !this.sessions.has(key)))
    this.#next = next
    if (next === undefined) this.giveUp()
    return found.map(({ key }) => key)
  }

  /** The sessions that these events changed, each once. */
  apply(events: readonly HookEvent[]): Change[] {
    const changes = new Map<string, Change>()
    for (const event of events) {
      const change = this.#applyOrSkip(event)
      if (!change) continue
      const { session, level, linked, moved = [] } = change
      changes.set(session.key, {
        session,
        level: higherLevel(level, changes.get(session.key)?.level ?? 'none'),
      })
      this.#dirty.add(session.key)
      for (const other of linked ? [linked] : moved) {
        const { key } = other
        changes.set(key, { session: other, level: higherLevel('facts', changes.get(key)?.level ?? 'none') })
        this.#dirty.add(key)
      }
    }
    return [...changes.values()]
  }

  /** Something in the row besides the state has changed: write it again. */
  touched(keys: Iterable<string>): void {
    for (const key of keys) this.#dirty.add(key)
  }

  /** Writes the rows up to the end of the journal. */
  write(): void {
    const { journal, sessions } = this.#store
    if (this.#dirty.size === 0 && this.#mark === journal.lastSeq) return
    journal.relaxed(() => {
      for (const key of this.#dirty) {
        const session = this.sessions.get(key)
        if (session) sessions.put(rowOf(session, this.#listeners.placeOf?.(session.cwd) ?? {}))
      }
      sessions.setMark(journal.lastSeq)
    })
    this.#mark = journal.lastSeq
    this.#dirty.clear()
    if (this.sessions.size > this.#tidied + TIDY_AFTER) this.tidy(Date.now())
  }

  /** Drops sessions from memory that ended long ago, or before many others; their rows stay. */
  tidy(now: number): void {
    const ended = [...this.sessions.all()].filter(({ endedAt }) => endedAt !== undefined)
    ended.sort((a, b) => b.lastActivity - a.lastActivity)
    for (const [n, { key, lastActivity }] of ended.entries())
      if ((n >= MAX_ENDED || now - lastActivity > KEPT_MS) && !this.#dirty.has(key)) this.sessions.forget(key)
    this.#tidied = this.sessions.size
  }

  /** Applies events after the last written rows: the daemon was killed. */
  #catchUp(): void {
    for (let after = this.#mark; ; ) {
      const rows = [...this.#store.oldest({ after }, PAGE)]
      this.apply(rows.map(parseRow))
      after = rows.at(-1)?.seq ?? after
      if (rows.length < PAGE) return
    }
  }

  #applyOrSkip(event: HookEvent): Change | undefined {
    let change: Change | undefined
    try {
      change = this.#applyOne(event)
      this.#listeners.changed?.(event, change)
    } catch (error) {
      this.#listeners.failed?.(event, error)
    }
    return change
  }

  #applyOne(event: HookEvent): Change | undefined {
    if (isImported(event)) return undefined
    if (setBackBy(event) !== undefined) {
      this.#recallAfter(event.receivedAt)
      return this.sessions.apply(event)
    }
    const key = sessionKeyOf(event)
    if (key === '') return undefined
    if (!this.sessions.get(key)) this.#recall(key)
    return this.sessions.apply(event)
  }

  /** Reloads dropped sessions whose times would be in the future. */
  #recallAfter(time: number): void {
    for (let after: SessionCursor | undefined; ; ) {
      const { sessions, next } = this.#store.sessions.page({ since: time, after, limit: PAGE })
      const states = sessions.map(({ state }) => parse(state))
      this.sessions.load(states.filter(({ key }) => !this.sessions.has(key)))
      if (next === undefined) return
      after = next
    }
  }

  /** Reloads a dropped session that continues. */
  #recall(key: string): void {
    const session = this.#stored(key)
    if (session) this.sessions.load([session])
  }

  #stored(key: string): Session | undefined {
    const state = this.#store.sessions.get(key)
    return state === undefined ? undefined : parse(state)
  }
}

function parse(state: string): Session {
  return JSON.parse(state) as Session
}

function rowOf(session: Session, place: SessionPlace): SessionRow {
  return {
    key: session.key,
    agent: session.agent,
    sessionId: session.id,
    name: session.name,
    phase: phaseOf(session),
    seq: session.cause?.seq ?? 0,
    lastActivity: session.lastActivity,
    state: JSON.stringify(session),
    place,
  }
}
