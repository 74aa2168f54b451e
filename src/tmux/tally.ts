/**
 * Incremental totals for tmux: how many sessions are in which state, which need a person, and the state of each pane.
 * The cost of a change does not depend on the number of sessions.
 *
 *   const tally = new Tally(fleet.all())
 *   tally.put(session)
 *   tally.summary(settings, Date.now())
 */

import { paneOf, type Server } from '../core/tmux.ts'
import {
  type EngineStatus,
  engineOfTurn,
  lookOf,
  type Session,
  STALE_MS,
  viewOf,
} from '../sessions/state/index.ts'
import type { TmuxSettings } from './config.ts'
import { moreUrgent } from './paint.ts'
import { type Summarized, summaryOf } from './summary.ts'

interface Entry extends Summarized {
  readonly lastActivity: number
  /** The statuses of all sessions in its pane. */
  readonly pane: Map<string, EngineStatus> | undefined
  readonly isCounted: boolean
}

const SWEEP_MS = 10_000 // sessions become stale without an event; checking all is one comparison each

export class Tally {
  readonly #entries = new Map<string, Entry>()
  readonly #counts = new Map<EngineStatus, number>()
  readonly #needing = new Map<string, Entry>()
  /** Server → pane → session → status. */
  readonly #panes = new Map<string, Map<string, Map<string, EngineStatus>>>()
  #sweptAt: number

  constructor(sessions: Iterable<Session>, now = Date.now()) {
    this.#sweptAt = now
    for (const session of sessions) this.put(session, now)
  }

  /** Adds or updates a session. */
  put(session: Session, now = Date.now()): void {
    this.#remove(session.key)
    if (session.endedAt !== undefined) return
    const status = statusOf(session)
    const pane = this.#paneFor(session)
    pane?.set(session.key, status)
    this.#add(session.key, {
      name: session.name,
      status,
      ...needOf(session, now),
      lastActivity: session.lastActivity,
      pane,
      isCounted: now - session.lastActivity <= STALE_MS,
    })
  }

  summary(settings: TmuxSettings, now = Date.now()): string {
    if (Math.abs(now - this.#sweptAt) >= SWEEP_MS) this.#sweep(now)
    return summaryOf({ counts: this.#counts, needing: this.#needing.values() }, settings)
  }

  /** Pane → the most urgent status of its sessions. */
  panesOn(server: Server): Map<string, EngineStatus> {
    const shown = new Map<string, EngineStatus>()
    for (const [pane, statuses] of this.#panes.get(serverKey(server)) ?? []) {
      let most: EngineStatus | undefined
      for (const status of statuses.values()) most = moreUrgent(most, status)
      if (most !== undefined) shown.set(pane, most)
    }
    return shown
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    if (!entry.isCounted) return
    this.#counts.set(entry.status, (this.#counts.get(entry.status) ?? 0) + 1)
    if (entry.need) this.#needing.set(key, entry)
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#needing.delete(key)
    entry.pane?.delete(key)
    if (entry.isCounted) this.#counts.set(entry.status, (this.#counts.get(entry.status) ?? 0) - 1)
  }

  #sweep(now: number): void {
    this.#sweptAt = now
    for (const [key, entry] of [...this.#entries]) {
      const isCounted = now - entry.lastActivity <= STALE_MS
      if (isCounted === entry.isCounted) continue
      this.#remove(key)
      entry.pane?.set(key, entry.status)
      this.#add(key, { ...entry, isCounted })
    }
    for (const panes of this.#panes.values())
      for (const [pane, statuses] of panes) if (statuses.size === 0) panes.delete(pane)
  }

  #paneFor(session: Session): Map<string, EngineStatus> | undefined {
    const at = paneOf(session)
    if (!at) return undefined
    const panes = entryOf(this.#panes, serverKey(at))
    return entryOf(panes, at.pane)
  }
}

export function serverKey({ socket, pid }: Server): string {
  return `${socket},${pid}`
}

/** A session that has only started needs nothing, like one that is done. */
function statusOf(session: Session): EngineStatus {
  return engineOfTurn(session) ?? 'done'
}

function needOf(session: Session, now: number): Pick<Summarized, 'need'> {
  const view = viewOf(session, now)
  const { text, since, rank } = lookOf(view)
  if (view.needsYou) return { need: { reason: text, since, rank } }
  // After those that need a person comes the newest denial: its agent is looking for another way now.
  const { denied, phase } = view
  return denied && phase === 'working' ? { need: { reason: text, since: -denied.at, rank } } : {}
}

function entryOf<Value>(map: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const known = map.get(key)
  if (known) return known
  const made = new Map<string, Value>()
  map.set(key, made)
  return made
}
