/**
 * What the page knows of the daemon: the connection, every session, other hosts. The first change is told in the next frame,
 * those after it together, so that a thousand updates a second cost a dozen renders; while the page is hidden nothing is
 * rendered.
 *
 *   const sessions = useLive((state) => state.sessions)
 */
import { useSyncExternalStore } from 'react'
import type { FleetHost, FleetSession, SessionView } from '../../client/index.ts'
import { dropOldEnded } from '../../sessions/state/look.ts'

type Link =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  /** The daemon does not answer; the page tries again by itself. */
  | { readonly state: 'away'; readonly since: number }
  /** The cookie is not valid (any more): only a new link helps. */
  | { readonly state: 'signed-out' }

export interface Hello {
  /** Differs with each start of the daemon. */
  readonly daemon: string
  readonly version: string
  readonly host: string
}

/** Another host of the fleet, as far as NATS knows. */
export interface OtherHost extends Pick<FleetHost, 'host' | 'state' | 'version'> {
  /** Its last sign, if it gives none now. */
  readonly heardAt?: number
  readonly sessions: readonly FleetSession[]
}

export interface LiveState {
  readonly link: Link
  readonly hello: Hello | undefined
  /** By key, of this host. Each flush that changes one makes a new map. */
  readonly sessions: ReadonlyMap<string, SessionView>
  /** False until the first snapshot: an empty list means nothing before. */
  readonly known: boolean
  /** All but this one. */
  readonly hosts: readonly OtherHost[]
  /** Why other hosts are not known. */
  readonly fleetProblem: string | undefined
}

type Change = Partial<Omit<LiveState, 'sessions'>>

const HIDDEN_MS = 1_000 // how often the title follows while the page is hidden
const RESTS = 6 // times as long as the last render took: a slow machine keeps time for input
const MIN_REST_MS = 60 // the first change is shown at once; nobody reads more than a dozen in a second
const MAX_REST_MS = 250

type Listener = () => void

class LiveStore {
  #state: LiveState = {
    link: { state: 'connecting' },
    hello: undefined,
    sessions: new Map(),
    known: false,
    hosts: [],
    fleetProblem: undefined,
  }
  readonly #listeners = new Set<Listener>()
  /** Told of every applied change, hidden or not: title and favicon. */
  readonly #watchers = new Set<Listener>()
  #pending = new Map<string, SessionView>()
  #change: Change = {}
  #replace = false
  #due = false
  #untold = false
  #restUntil = 0

  readonly get = (): LiveState => this.#state

  readonly subscribe = (listener: Listener): Listener => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  watch(watcher: Listener): Listener {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** A snapshot replaces everything, and whatever was waiting. */
  snapshot(sessions: readonly SessionView[]): void {
    this.#pending = new Map(sessions.map((session) => [session.key, session]))
    this.#replace = true
    this.#change = { ...this.#change, known: true }
    this.#plan()
  }

  session(session: SessionView): void {
    this.#pending.set(session.key, session)
    this.#plan()
  }

  set(change: Change): void {
    this.#change = { ...this.#change, ...change }
    this.#plan()
  }

  /** The page was hidden and is seen again. */
  shown(): void {
    if (this.#untold) this.#tell()
    this.#plan()
  }

  #plan(): void {
    if (this.#due) return
    this.#due = true
    if (isHidden()) setTimeout(this.#flush, HIDDEN_MS)
    else {
      const rest = this.#restUntil - performance.now()
      if (rest > 4) setTimeout(() => requestAnimationFrame(this.#flush), rest)
      else requestAnimationFrame(this.#flush)
    }
  }

  readonly #flush = (): void => {
    this.#due = false
    this.#apply()
    for (const watcher of this.#watchers) watcher()
    if (isHidden()) this.#untold = true
    else this.#tell()
  }

  #apply(): void {
    const changed = this.#pending.size > 0 || this.#replace
    if (changed) {
      const sessions = new Map([...(this.#replace ? [] : this.#state.sessions), ...this.#pending])
      dropOldEnded(sessions)
      this.#state = { ...this.#state, sessions }
    }
    this.#state = { ...this.#state, ...this.#change }
    this.#pending = new Map()
    this.#change = {}
    this.#replace = false
  }

  #tell(): void {
    this.#untold = false
    const began = performance.now()
    for (const listener of this.#listeners) listener()
    const now = performance.now()
    this.#restUntil = now + Math.max(MIN_REST_MS, Math.min(MAX_REST_MS, RESTS * (now - began)))
  }
}

function isHidden(): boolean {
  return document.visibilityState === 'hidden'
}

export const live = new LiveStore()

/** `select` must give the same value for the same state: a part of it, not a new object. */
export function useLive<Part>(select: (state: LiveState) => Part): Part {
  return useSyncExternalStore(live.subscribe, () => select(live.get()))
}

export function useSession(key: string): SessionView | undefined {
  return useLive(({ sessions }) => sessions.get(key))
}
