/**
 * What sessions used, and the sums of it that budgets cap. A session's own figures follow from its state and its transcript;
 * the ledger adds what is new of them to the sums, in memory at once and in the database a moment later.
 */
import { BoundedMap } from '../../core/bounded-map.ts'
import { expandHome, isInside } from '../../core/files/paths.ts'
import { dayOf } from '../../core/time/days.ts'
import { keyOf } from '../../events/index.ts'
import type { Session } from '../../sessions/state/index.ts'
import type { Store, Use, UseKey } from '../../store/index.ts'
import type { Budget } from './config.ts'

export interface LedgerParts {
  readonly store: Pick<Store, 'budgets' | 'turnUsage' | 'journal'>
  /** The root of the repository around a folder, else the folder; undefined until it was looked at. */
  readonly projectOf: (cwd: string | undefined) => string | undefined
  /** The id of the effort that a session works on; empty if there is none. */
  readonly effortOf: (agent: string, sessionId: string) => string
  readonly home: string
  readonly now: () => number
}

const NOTHING: Use = { costUsd: 0, tokens: 0, toolCalls: 0, wallMs: 0 }
const MAX_KNOWN = 5_000 // of each kind in memory; the database has the others
const MAX_PENDING = 500

/** A session before its first event is applied. */
interface NewSession extends Pick<Session, 'key' | 'agent' | 'id'> {
  readonly cwd: string | undefined
}

export interface Standing {
  readonly key: string
  readonly place: UseKey
  readonly own: Use
  /** The part of it that the sums lack. */
  readonly fresh: Use
}

interface Pending {
  readonly key: string
  readonly place: UseKey
  readonly delta: Use
  /** The session's figures, of which the delta is the new part. */
  readonly use: Use
}

export class Ledger {
  readonly #parts: LedgerParts
  /** How much of each session is in the sums, pending parts included. */
  readonly #counted = new BoundedMap<string, Use>(MAX_KNOWN)
  /** Cost and tokens of each session by its transcript. */
  readonly #spent = new BoundedMap<string, { readonly costUsd: number; readonly tokens: number }>(MAX_KNOWN)
  /** By budget and scope. */
  readonly #sums = new BoundedMap<string, Use>(MAX_KNOWN)
  #pending: Pending[] = []

  constructor(parts: LedgerParts) {
    this.#parts = parts
  }

  /** Adds what a session used since the last look. False if nobody knows yet where it belongs. */
  look(session: Session, budgets: readonly Budget[]): boolean {
    const project = this.#parts.projectOf(session.cwd)
    if (project === undefined) return false
    const here = this.#placeOf(session, project)
    const known = this.#countedOf(session.key)
    const use = this.useOf(session)
    const delta = minus(use, known ?? NOTHING)
    if (isNothing(delta)) return true
    // What a session did before there were budgets counts for the day it began.
    const place = known ? here : { ...here, day: dayOf(session.startedAt) }
    for (const budget of budgets) {
      const scope = applies(budget, place, this.#parts.home) ? scopeOf(budget, session.key, place) : undefined
      const id = `${budget.id}\n${scope}`
      const sum = this.#sums.get(id)
      if (scope !== undefined && sum) this.#sums.set(id, plus(sum, delta))
    }
    this.#counted.set(session.key, use)
    this.#pending.push({ key: session.key, place, delta, use })
    if (this.#pending.length >= MAX_PENDING) this.write()
    return true
  }

  /** All that a session used until now. What its agent or its transcript said once stays, also after a resume. */
  useOf(session: Session): Use {
    const { agent, id, key, turn, workedMs = 0, toolCalls = 0, lastActivity } = session
    const spent =
      this.#spent.get(key) ?? remember(this.#spent, key, this.#parts.store.turnUsage.costOf(agent, id))
    const known = this.#countedOf(key) ?? NOTHING
    const open = turn.open && turn.startedAt !== undefined ? Math.max(0, lastActivity - turn.startedAt) : 0
    return {
      costUsd: Math.max(session.usage.costUsd ?? 0, spent.costUsd, known.costUsd),
      tokens: Math.max(spent.tokens, known.tokens),
      toolCalls,
      wallMs: workedMs + open,
    }
  }

  /** Where a session stands. Until its repository was looked at, its folder is its project. */
  standingOf(session: Session | NewSession): Standing {
    const place = this.#placeOf(session, this.#parts.projectOf(session.cwd) ?? session.cwd ?? '')
    const own = 'usage' in session ? this.useOf(session) : NOTHING
    return { key: session.key, place, own, fresh: minus(own, this.#countedOf(session.key) ?? own) }
  }

  /** What counts for a budget: of this session, or of all that share its effort, project or day. */
  usedOf(budget: Budget, scope: string, standing: Standing | undefined): Use {
    if (budget.per === 'session') return standing?.own ?? NOTHING
    const sum = this.#sumOf(budget, budget.per, scope)
    return standing ? plus(sum, standing.fresh) : sum
  }

  /** The session, effort, project or day that a budget caps; undefined if it does not concern this session. */
  scopeOf(budget: Budget, { key, place }: Standing): string | undefined {
    return applies(budget, place, this.#parts.home) ? scopeOf(budget, key, place) : undefined
  }

  #placeOf({ agent, id }: Session | NewSession, project: string): UseKey {
    const { effortOf, now } = this.#parts
    return { day: dayOf(now()), agent, project, effort: effortOf(agent, id) }
  }

  /** Its transcript was read on. */
  spent(agent: string, sessionId: string): void {
    this.#spent.delete(keyOf({ agent, sessionId }))
  }

  /** The budgets are others now: their sums are read again. */
  forgetSums(): void {
    this.#sums.clear()
  }

  /** A failure keeps everything for the next time; after a kill, the rest is counted again from the sessions. */
  write(): void {
    const { store, now } = this.#parts
    if (this.#pending.length === 0) return
    store.journal.relaxed(() => {
      for (const { key, place, delta, use } of this.#pending) {
        store.budgets.add(place, delta)
        store.budgets.setCounted(key, use, now())
      }
    })
    this.#pending = []
  }

  #countedOf(key: string): Use | undefined {
    const known = this.#counted.get(key)
    if (known) return known
    const pending = this.#pending.findLast((one) => one.key === key)?.use
    const stored = pending ?? this.#parts.store.budgets.counted(key)
    return stored && remember(this.#counted, key, stored)
  }

  /** Read once from an index, then kept up to date. */
  #sumOf(budget: Budget, by: 'day' | 'project' | 'effort', scope: string): Use {
    const id = `${budget.id}\n${scope}`
    const known = this.#sums.get(id)
    if (known) return known
    const { store, home } = this.#parts
    let sum = NOTHING
    for (const row of store.budgets.sums(by, scope)) if (applies(budget, row, home)) sum = plus(sum, row)
    for (const { key, place, delta } of this.#pending)
      if (applies(budget, place, home) && scopeOf(budget, key, place) === scope) sum = plus(sum, delta)
    return remember(this.#sums, id, sum)
  }
}

function applies({ agent, project }: Budget, place: Omit<UseKey, 'day'>, home: string): boolean {
  if (agent !== undefined && agent !== place.agent) return false
  if (project === undefined) return true
  return isInside(place.project, expandHome(project, home).replace(/(?<=.)\/+$/, ''))
}

/** Undefined for a session without an effort. */
function scopeOf({ per }: Budget, key: string, place: UseKey): string | undefined {
  if (per === 'session') return key
  return place[per] || undefined
}

function plus(a: Use, b: Use): Use {
  return {
    costUsd: a.costUsd + b.costUsd,
    tokens: a.tokens + b.tokens,
    toolCalls: a.toolCalls + b.toolCalls,
    wallMs: a.wallMs + b.wallMs,
  }
}

function minus(a: Use, { costUsd, tokens, toolCalls, wallMs }: Use): Use {
  return plus(a, { costUsd: -costUsd, tokens: -tokens, toolCalls: -toolCalls, wallMs: -wallMs })
}

function isNothing({ costUsd, tokens, toolCalls, wallMs }: Use): boolean {
  return costUsd === 0 && tokens === 0 && toolCalls === 0 && wallMs === 0
}

function remember<T>(map: Map<string, T>, key: string, value: T): T {
  map.set(key, value)
  return value
}
