/**
 * Live sessions: a snapshot first, then each session again whenever its visible state changes. Changes are numbered
 * consecutively. A slow reader gets only the newest state of each session once it has room; gaps in the numbers show what
 * was skipped.
 */
import { Slices } from '../core/time/slices.ts'
import { Throttle } from '../core/time/throttle.ts'
import type { HookEvent } from '../events/index.ts'
import type { Git } from '../git/index.ts'
import type { Sink } from '../journal/index.ts'
import { dialectView, type OtherDialect } from './dialect-view.ts'
import { type ApprovalGlance, type Change, type Session, type SessionView, viewOf } from './state/index.ts'
import type { SessionTracker } from './tracker.ts'

/** Git locations of folders, as last known. */
export type Locator = Pick<Git, 'locationOf' | 'see'> & Partial<Pick<Git, 'rootsOf'>>

/** A session's public view with its location. */
export function viewWithLocation(
  session: Session,
  git: Locator,
  now: number,
  approvals: readonly ApprovalGlance[] = [],
): SessionView {
  return {
    ...viewOf(session, now),
    ...git.locationOf(session.cwd),
    ...(approvals.length === 0 ? {} : { approvals: approvals.map(glance), needsYou: true }),
  }
}

function glance({ id, tool, line, since, until }: ApprovalGlance): ApprovalGlance {
  return { id, tool, line, since, until }
}

const AT_ONCE = 200 // sessions of a snapshot that is made in one turn of the event loop; more are made in slices
const THROTTLE_MS = 250 // an agent tells its use with every status line; nobody reads numbers faster

export type ApprovalsOf = (key: string) => readonly ApprovalGlance[]

export class SessionFeed {
  readonly #tracker: SessionTracker
  readonly #git: Locator
  readonly #approvalsOf: ApprovalsOf
  readonly #live = new Set<SessionSubscription>()
  readonly #throttle = new Throttle(THROTTLE_MS, (key) => this.#push([key]))
  /** Sessions of the push that is under way as JSON: made once, however many read. */
  #texts: Map<string, string | undefined> | undefined
  /** Of the last change. Begins anew with the daemon, as every connection does with a snapshot. */
  #seq = 0

  constructor(tracker: SessionTracker, git: Locator, approvalsOf: ApprovalsOf = () => []) {
    this.#tracker = tracker
    this.#git = git
    this.#approvalsOf = approvalsOf
  }

  get size(): number {
    return this.#live.size
  }

  list(): SessionView[] {
    return [...this.#views()]
  }

  /** The location, and the main repository of a worktree. */
  locationOf(cwd: string | undefined): ReturnType<Locator['locationOf']> & { readonly main?: string } {
    const main = cwd === undefined ? undefined : this.#git.rootsOf?.(cwd).at(-1)
    return { ...this.#git.locationOf(cwd), ...(main === undefined ? {} : { main }) }
  }

  /** Like `list`, after reading locations that are not known yet. */
  async looked(): Promise<SessionView[]> {
    await this.#tracker.whole
    await this.#git.see([...this.#tracker.sessions.all()].map(({ cwd }) => cwd))
    return this.list()
  }

  /** With a dialect, in the words of another tool, and only when those are others. */
  subscribe(sink: Sink<string>, dialect?: OtherDialect): SessionSubscription {
    const closed = () => this.#live.delete(subscription)
    const told = new Map<string, string>()
    const subscription: SessionSubscription = new SessionSubscription(
      sink,
      dialect === undefined ? (key) => this.#text(key) : (key) => this.#other(key, dialect, told),
      closed,
    )
    this.#live.add(subscription)
    const views = dialect === undefined ? this.#views() : this.#others(dialect, told)
    const seq = this.#seq
    const { sessions, isWhole, whole } = this.#tracker
    const start = () => {
      if (!isWhole || sessions.size > AT_ONCE) return whole.then(() => subscription.startInSlices(seq, views))
      subscription.start({ seq, sessions: [...views] })
    }
    if (sink.whenFree) sink.whenFree(start)
    else void start()
    return subscription
  }

  *#views(): Generator<SessionView> {
    const now = Date.now()
    for (const session of this.#tracker.sessions.all())
      yield viewWithLocation(session, this.#git, now, this.#approvalsOf(session.key))
  }

  /** Remembers the views, so that unchanged ones are not sent again. */
  *#others(dialect: OtherDialect, told: Map<string, string>): Generator<object> {
    const now = Date.now()
    for (const session of this.#tracker.sessions.all()) {
      const view = dialectView(session, dialect, now)
      if (!view) continue
      told.set(session.key, JSON.stringify(view))
      yield view
    }
  }

  #other(key: string, dialect: OtherDialect, told: Map<string, string>): string | undefined {
    const session = this.#tracker.sessions.find(key)
    const view = session && dialectView(session, dialect, Date.now())
    const text = JSON.stringify(view)
    if (!view || told.get(key) === text) return undefined
    told.set(key, text)
    return text
  }

  committed(changes: readonly Change[]): void {
    const now: string[] = []
    for (const { session, level } of changes) {
      if (level === 'none') continue
      if (level !== 'numbers' || this.#live.size === 0) now.push(session.key)
      else if (this.#throttle.mayPass(session.key)) now.push(session.key)
    }
    this.#push(now)
  }

  /** Something shown beside the session's own state has changed. */
  touched(key: string): void {
    this.#push([key])
  }

  #push(keys: readonly string[]): void {
    const first = this.#seq + 1
    this.#seq += keys.length
    if (this.#live.size === 0) return
    this.#texts = new Map()
    for (const subscription of this.#live) subscription.changed(keys, first)
    this.#texts = undefined
  }

  #text(key: string): string | undefined {
    if (this.#texts?.has(key)) return this.#texts.get(key)
    const text = JSON.stringify(this.read(key)) as string | undefined
    this.#texts?.set(key, text)
    return text
  }

  /** One of them, as everyone sees it. */
  read(key: string): SessionView | undefined {
    const session = this.#tracker.sessions.find(key)
    return session && viewWithLocation(session, this.#git, Date.now(), this.#approvalsOf(key))
  }

  /** The session of an event that is not committed yet, as it will be then; undefined if it is not known yet. */
  ahead(event: HookEvent): SessionView | undefined {
    const session = this.#tracker.sessions.ahead(event)
    return session && viewWithLocation(session, this.#git, Date.now(), this.#approvalsOf(session.key))
  }
}

export class SessionSubscription {
  readonly #sink: Sink<string>
  readonly #read: (key: string) => string | undefined
  readonly #closed: () => void
  /** Sessions to send, in the order of their last change, with its number. */
  readonly #waiting = new Map<string, number>()
  #full = false
  /** The snapshot was sent; nothing may come before it. */
  #begun = false
  #isClosed = false

  /** `read` gives a session as JSON. */
  constructor(sink: Sink<string>, read: (key: string) => string | undefined, closed: () => void) {
    this.#sink = sink
    this.#read = read
    this.#closed = closed
  }

  start(snapshot: { seq: number; sessions: readonly object[] }): void {
    if (this.#isClosed) return
    try {
      this.#begun = true
      this.#full = !this.#sink.send(`${JSON.stringify({ snapshot })}\n`)
      if (!this.#full) this.resume() // what changed while it waited for its turn
    } catch (error) {
      this.#failed(error)
    }
  }

  /** Hooks come in between. Sessions that change meanwhile are sent again after it. */
  async startInSlices(seq: number, views: Iterable<object>): Promise<void> {
    if (this.#isClosed) return
    this.#full = true
    const slices = new Slices(true)
    const texts: string[] = []
    try {
      for (const view of views) {
        texts.push(JSON.stringify(view))
        await slices.breathe()
        if (this.#isClosed) return
      }
      this.#begun = true
      this.#full = !this.#sink.send(`{"snapshot":{"seq":${seq},"sessions":[${texts.join(',')}]}}\n`)
      if (!this.#full) this.resume()
    } catch (error) {
      this.#failed(error)
    }
  }

  /** The changes are numbered from `first` on. */
  changed(keys: readonly string[], first: number): void {
    keys.forEach((key, at) => {
      this.#waiting.delete(key)
      this.#waiting.set(key, first + at)
    })
    if (this.#full) return
    try {
      this.resume()
    } catch (error) {
      this.#failed(error)
    }
  }

  resume(): void {
    if (!this.#begun) return
    this.#full = false
    for (const [key, seq] of this.#waiting) {
      this.#waiting.delete(key)
      const session = this.#read(key)
      if (session === undefined) continue
      this.#full = !this.#sink.send(`{"seq":${seq},"session":${session}}\n`)
      if (this.#full) return
    }
  }

  close(): void {
    this.#isClosed = true
    this.#closed()
  }

  /** This connection is broken; the others still get the change. */
  #failed(error: unknown): void {
    this.close()
    this.#sink.fail?.(error)
  }
}
