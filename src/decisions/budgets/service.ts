/**
 * Budgets in the daemon: caps on what a session, an effort, a project or a day may use. Beyond a cap, tool calls are denied or
 * asked until a person raises it. While there are none, nothing is counted, and the ledger is not loaded.
 */
import { lazy } from '../../core/lazy.ts'
import { dayOf } from '../../core/time/days.ts'
import {
  type HookEvent,
  keyOf,
  NO_VERDICT,
  type RaisedType,
  type RawEvent,
  type Verdict,
} from '../../events/index.ts'
import { raisedEvent, sessionEvent } from '../../journal/index.ts'
import type { Change, Session } from '../../sessions/state/index.ts'
import type { BudgetState } from '../../store/index.ts'
import { CAP_NAMES, CAPS, type Cap } from './caps.ts'
import type { Budget } from './config.ts'
import type { Ledger, LedgerParts, Standing } from './ledger.ts'

const ledgers = lazy(() => require('./ledger.ts') as typeof import('./ledger.ts'))
const words = lazy(() => require('./words.ts') as typeof import('./words.ts'))

interface BudgetParts extends Omit<LedgerParts, 'now'> {
  readonly settings: () => readonly Budget[]
  readonly session: (key: string) => Session | undefined
  readonly sessions: () => Iterable<Session>
  readonly raise: (rawEvent: RawEvent) => void
  readonly now?: () => number
}

/** One cap of a budget, as it stands for one session, effort, project or day. */
export interface CapUse {
  readonly cap: Cap
  /** In the units of gantry.toml. */
  readonly used: number
  readonly limit: number
  /** By how much a person raised it. */
  readonly extra: number
}

interface BudgetUse {
  readonly scope: string
  readonly name: string
  readonly caps: readonly CapUse[]
}

const WARN_PCT = 80
const WEEK_MS = 7 * 24 * 3_600_000
const MAX_LISTED = 200
const BEHIND_AT_ONCE = 20 // a millisecond
const UNWRITTEN_MS = 60_000 // longer than anything waits to be written
const MAX_STATES = 20_000 // budgets × scopes in memory; the database has the others

export class Budgets {
  readonly #parts: BudgetParts
  #ledger: Ledger | undefined
  #settings: readonly Budget[] = []
  readonly #states = new Map<string, readonly BudgetState[]>()
  /** Calls of this turn of the event loop, which the sessions do not know yet. */
  readonly #begun = new Map<string, number>()

  /** Sessions that could not be counted when the daemon started. */
  #behind: Set<string> | undefined

  constructor(parts: BudgetParts) {
    this.#parts = parts
  }

  get areOn(): boolean {
    return this.#parts.settings().length > 0
  }

  /** Whether transcripts are to be read while a turn runs. */
  get wantTranscripts(): boolean {
    return this.#parts
      .settings()
      .some(({ cost_usd, tokens }) => cost_usd !== undefined || tokens !== undefined)
  }

  /** A stop is never held up: only what would use more is. */
  decide(event: HookEvent): Verdict {
    const isCall = event.type === 'PreToolUse'
    if (!this.areOn || event.hidden !== undefined || event.sessionId === '') return NO_VERDICT
    if (!isCall && (event.type !== 'UserPromptSubmit' || event.agentId !== undefined)) return NO_VERDICT
    const key = keyOf(event)
    const reached = this.#reachedBy(event, this.#parts.session(key))
    if (reached === undefined) {
      if (isCall) this.#begun.set(key, (this.#begun.get(key) ?? 0) + 1)
      return NO_VERDICT
    }
    const { budget, scope, cap } = reached
    // A person wrote the prompt; with `ask` they are asked at the first tool call.
    if (!isCall && budget.then === 'ask') return NO_VERDICT
    const reason = words().reasonOf(budget, this.#nameOf(budget, scope), cap)
    const by = `budget:${budget.id}`
    return budget.then === 'ask'
      ? { decision: 'ask', reason, by }
      : { decision: 'deny', reason, by, stop: true }
  }

  /** After the commit: counts what the sessions used, and reports budgets that come to their end. */
  committed(changes: readonly Change[]): void {
    this.#begun.clear()
    if (!this.areOn) return
    this.#behind ??= this.#sinceLast()
    for (const { session } of changes) this.#look(session)
    for (const key of [...this.#behind].slice(0, BEHIND_AT_ONCE)) {
      this.#behind.delete(key)
      const session = this.#parts.session(key)
      if (session && !this.#look(session)) this.#behind.add(key)
    }
  }

  /** The transcript of a session was read on. */
  spent(agent: string, sessionId: string): void {
    if (!this.areOn) return
    this.#open().spent(agent, sessionId)
    const session = this.#parts.session(keyOf({ agent, sessionId }))
    if (session) this.#look(session)
  }

  /** Every budget with what it caps now: living sessions, efforts and projects of the last week, today. */
  list(only?: string): { readonly budget: Budget; readonly uses: readonly BudgetUse[] }[] {
    if (!this.areOn) return []
    const ledger = this.#open()
    const isMeant = ({ key, endedAt, replayed }: Session) =>
      !endedAt && !replayed && (only === undefined || key === only)
    const living = [...this.#parts.sessions()].filter(isMeant)
    for (const session of living) ledger.look(session, this.#settings)
    ledger.write()
    const standings = living.map((session) => ledger.standingOf(session))
    return this.#settings.map((budget) => {
      const scopes = new Map<string, Standing | undefined>()
      for (const scope of only === undefined ? this.#lately(budget) : []) scopes.set(scope, undefined)
      for (const standing of standings) {
        const scope = ledger.scopeOf(budget, standing)
        if (scope !== undefined) scopes.set(scope, standing)
      }
      const uses = [...scopes].flatMap(([scope, standing]) => {
        const caps = this.#capsOf(budget, scope, standing)
        // What lies outside of its agent or folder has used nothing of it.
        const isOther = !standing && budget.per !== 'day' && caps.every(({ used }) => used === 0)
        return isOther ? [] : [{ scope, name: this.#nameOf(budget, scope), caps }]
      })
      return { budget, uses }
    })
  }

  /** Also without a session that lives: whoever was stopped has perhaps ended. */
  #lately({ per }: Budget): string[] {
    if (per === 'session') return []
    if (per === 'day') return [dayOf(this.#now())]
    return this.#parts.store.budgets.usedSince(per, dayOf(this.#now() - WEEK_MS), MAX_LISTED)
  }

  /** The new limit of one cap, until the session, effort, project or day is over. */
  raise(id: string, scope: string, cap: Cap, limit: number, by: string): BudgetUse | undefined {
    const found = this.list().find(({ budget }) => budget.id === id)
    const use = found?.uses.find((one) => one.scope === scope)
    const base = found?.budget[cap]
    if (!found || !use || base === undefined || limit < base) return undefined
    this.#setState({ budget: id, scope, cap, extra: limit - base, told: 0 })
    const message = `budget ${id} of ${use.name}: ${cap} is ${limit} now, by ${by}`
    const fields = { budget: id, scope, cap, limit, message }
    const session = found.budget.per === 'session' ? this.#parts.session(scope) : undefined
    this.#raise('BudgetRaised', session, fields)
    return this.list()
      .find(({ budget }) => budget.id === id)
      ?.uses.find((one) => one.scope === scope)
  }

  /** Writes what was counted. */
  write(): void {
    this.#ledger?.write()
  }

  /** False if it cannot be counted yet. */
  #look(session: Session): boolean {
    if (session.replayed) return true
    const ledger = this.#open()
    if (!ledger.look(session, this.#settings)) return false
    const standing = ledger.standingOf(session)
    for (const budget of this.#settings) {
      const scope = ledger.scopeOf(budget, standing)
      // An ended session uses nothing more of its own.
      if (scope === undefined || (session.endedAt !== undefined && budget.per === 'session')) continue
      this.#report(budget, scope, session, standing)
    }
    return true
  }

  /** Sessions that may have used something since the last write: the daemon was killed, or there was no budget. */
  #sinceLast(): Set<string> {
    const last = this.#parts.store.budgets.lastCount()
    const recent = [...this.#parts.sessions()].filter(
      ({ lastActivity }) => lastActivity > last - UNWRITTEN_MS,
    )
    return new Set(recent.map(({ key }) => key))
  }

  /** Once at four fifths and once at the end, also across restarts. */
  #report(budget: Budget, scope: string, session: Session, standing: Standing): void {
    for (const use of this.#capsOf(budget, scope, standing)) {
      const pct = (use.used / use.limit) * 100
      const level = pct >= 100 ? 100 : pct >= WARN_PCT ? WARN_PCT : 0
      const { told = 0 } = this.#statesOf(budget.id, scope).find(({ cap }) => cap === use.cap) ?? {}
      if (level <= told) continue
      const { cap, used, limit, extra } = use
      this.#setState({ budget: budget.id, scope, cap, extra, told: level })
      const message = words().usedWords(budget, this.#nameOf(budget, scope), use)
      const fields = { budget: budget.id, per: budget.per, scope, cap, used, limit, message }
      const whose = session.endedAt === undefined ? session : undefined
      this.#raise(level === 100 ? 'BudgetReached' : 'BudgetWarned', whose, fields)
    }
  }

  #reachedBy(event: HookEvent, session: Session | undefined) {
    const ledger = this.#open()
    const key = keyOf(event)
    const { agent, sessionId: id, cwd } = event
    const standing = ledger.standingOf(session ?? { key, agent, id, cwd })
    const begun = this.#begun.get(key) ?? 0
    for (const budget of this.#settings) {
      const scope = ledger.scopeOf(budget, standing)
      if (scope === undefined) continue
      const cap = this.#capsOf(budget, scope, standing, begun).find(({ used, limit }) => used >= limit)
      if (cap) return { budget, scope, cap }
    }
    return undefined
  }

  #capsOf(budget: Budget, scope: string, standing: Standing | undefined, begun = 0): CapUse[] {
    const used = this.#open().usedOf(budget, scope, standing)
    const states = this.#statesOf(budget.id, scope)
    const caps: CapUse[] = []
    for (const cap of CAP_NAMES) {
      const base = budget[cap]
      if (base === undefined) continue
      const extra = states.find((state) => state.cap === cap)?.extra ?? 0
      const more = cap === 'tool_calls' ? begun : 0
      caps.push({ cap, used: used[CAPS[cap].of] / CAPS[cap].unit + more, limit: base + extra, extra })
    }
    return caps
  }

  #nameOf({ per }: Budget, scope: string): string {
    if (per === 'session') return this.#parts.session(scope)?.name ?? scope
    return per === 'effort' ? `effort ${scope}` : scope
  }

  #raise(name: RaisedType, session: Session | undefined, fields: Readonly<Record<string, unknown>>): void {
    const now = this.#now()
    this.#parts.raise(session ? sessionEvent(name, session, fields, now) : raisedEvent(name, fields, now))
  }

  #statesOf(id: string, scope: string): readonly BudgetState[] {
    const key = `${id}\n${scope}`
    const known = this.#states.get(key)
    if (known) return known
    if (this.#states.size >= MAX_STATES) this.#states.clear()
    const states = this.#parts.store.budgets.states(id, scope)
    this.#states.set(key, states)
    return states
  }

  #setState(state: BudgetState): void {
    const { store } = this.#parts
    store.journal.commit(() => store.budgets.setState(state, this.#now()))
    this.#states.delete(`${state.budget}\n${state.scope}`)
  }

  #open(): Ledger {
    const settings = this.#parts.settings()
    this.#ledger ??= new (ledgers().Ledger)({ ...this.#parts, now: () => this.#now() })
    if (settings !== this.#settings) this.#ledger.forgetSums()
    this.#settings = settings
    return this.#ledger
  }

  #now(): number {
    return this.#parts.now?.() ?? Date.now()
  }
}
