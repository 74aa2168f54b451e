/** Outside evidence about sessions, turned into events: transcripts, processes, answered dialogs, silence. */
import { Timers } from '../../core/time/timers.ts'
import { doubled } from '../../core/time/waits.ts'
import { type HookEvent, keyOf } from '../../events/index.ts'
import type { Change, Session } from '../state/index.ts'
import { ApprovalObserver } from './approvals.ts'
import { BackgroundObserver } from './background.ts'
import { ExpireObserver } from './expire.ts'
import { FinishedTurnObserver } from './finished-turns.ts'
import { HooklessObserver } from './hookless.ts'
import { lastEnv } from './last-env.ts'
import type { Observer, ObserverContext, ObserverParts } from './observer.ts'
import { PaneObserver } from './panes.ts'
import { PresenceObserver } from './presence.ts'
import { ProcessObserver } from './processes.ts'
import { type Emptied, Recovery } from './recovery.ts'
import { ReplacedObserver } from './replaced.ts'
import { StatusObserver } from './statuses.ts'
import { TranscriptObserver } from './transcripts.ts'
import { UncoveredCalls } from './uncovered-calls.ts'

/** In the order in which they are asked, after the recovery and the processes, on which they rely. */
const OBSERVERS: readonly (new (context: ObserverContext) => Observer)[] = [
  FinishedTurnObserver,
  TranscriptObserver,
  StatusObserver,
  PresenceObserver,
  HooklessObserver,
  PaneObserver,
  BackgroundObserver,
  ApprovalObserver,
  ReplacedObserver,
  ExpireObserver,
]

const LOOK_AGAIN_MS = 100 // an agent writes its files a moment after its first hook
const LOOK_RARELY_MS = 6_400 // each look that finds nothing new doubles the wait for the next one

interface Looked {
  readonly facts: string
  /** How often it was looked at since that is known. */
  readonly looks: number
}

export class Observers {
  readonly #parts: ObserverParts
  readonly #recovery: Recovery
  readonly #processes: ProcessObserver
  readonly #others: readonly Observer[]
  readonly #all: readonly Observer[]
  readonly #looked = new Map<string, Looked>()
  readonly #timers = new Timers()
  readonly #resumedAgents = new Set<string>()
  /** What an agent's hooks said of its folders. */
  readonly #envs = new Map<string, HookEvent['client']['env']>()

  constructor(parts: ObserverParts) {
    this.#parts = parts
    const recovery = new Recovery(parts)
    const processes = new ProcessObserver(parts)
    const calls = new UncoveredCalls(parts)
    const context: ObserverContext = {
      ...parts,
      look: (key) => this.#again(key),
      written: (key, fact) => calls.take(key, fact),
      pidOf: (key) => processes.pidOf(key),
      isTaken: (pid) => processes.has(pid),
      besides: (key) => processes.besides(key),
      isRecovered: (key, at) => recovery.isRecovered(key, at),
    }
    this.#recovery = recovery
    this.#processes = processes
    this.#others = OBSERVERS.map((Kind) => new Kind(context))
    this.#all = [recovery, processes, calls, ...this.#others]
  }

  /** Before an event is taken; what is raised here comes before it. */
  ahead(event: HookEvent): void {
    for (const observer of this.#all) observer.ahead?.(event)
  }

  /** After the answers have left. */
  committed(events: readonly HookEvent[], changes: readonly Change[]): void {
    for (const event of events) {
      const { env } = event.client
      const key = keyOf(event)
      if (!this.#envs.has(key) && hasAny(env)) this.#envs.set(key, env)
    }
    for (const { session } of changes) this.#follow(session)
    for (const event of events) for (const observer of this.#all) observer.see?.(event)
  }

  /** Its process is known, so that nobody has to look for it. */
  knowsProcessOf(key: string): boolean {
    return this.#processes.pidOf(key) !== undefined
  }

  /** Sessions that were alive when the daemon was last there. In several calls, the last active ones come first. */
  resume(keys: Iterable<string>): void {
    const last = new Map<string, Session>()
    for (const key of keys) {
      const session = this.#parts.session(key)
      if (!session || session.replayed) continue
      if (session.lastActivity >= (last.get(session.agent)?.lastActivity ?? 0))
        last.set(session.agent, session)
      if (session.endedAt !== undefined) continue
      const env = lastEnv(session, this.#parts.store)
      if (hasAny(env)) this.#envs.set(key, env)
      this.#recovery.resume(session, env)
      this.#processes.resume(session)
      this.#follow(session)
      for (const observer of this.#others) observer.resume?.(session, env)
    }
    for (const session of last.values()) {
      if (this.#resumedAgents.has(session.agent)) continue
      this.#resumedAgents.add(session.agent)
      const env = lastEnv(session, this.#parts.store)
      for (const observer of this.#all) observer.resumeAgent?.(session, env)
    }
  }

  /** The door is open: what was said before that, to nobody, is looked for. */
  async recover(spool: Emptied, openedAt: number): Promise<void> {
    await this.#recovery.run(spool, openedAt)
    for (const observer of this.#all) observer.resumed?.()
  }

  /**
   * Looking is system calls, and hooks come by the hundred: a session is looked at when what is known of it is new, and
   * otherwise once in a while, since its files may not have been there yet.
   */
  #follow(session: Session): void {
    if (session.replayed) return
    for (const observer of this.#all) observer.changed?.(session)
    const { key } = session
    const facts = `${session.pid}|${session.generation}|${session.pane}|${session.transcriptPath}|${session.endedAt}`
    const last = this.#looked.get(key)
    if (last?.facts === facts) this.#lookLater(key)
    else this.#look(session, facts)
  }

  #lookLater(key: string): void {
    const last = this.#looked.get(key)
    if (!last || this.#timers.has(key)) return
    this.#timers.set(key, doubled(last.looks, LOOK_RARELY_MS, LOOK_AGAIN_MS), () => this.#again(key))
  }

  #again(key: string): void {
    const session = this.#parts.session(key)
    const last = this.#looked.get(key)
    if (session && last) this.#look(session, last.facts)
  }

  #look(session: Session, facts: string): void {
    const env = this.#envs.get(session.key) ?? {}
    const last = this.#looked.get(session.key)
    this.#timers.clear(session.key)
    this.#looked.set(session.key, { facts, looks: last?.facts === facts ? last.looks + 1 : 1 })
    for (const observer of this.#all) observer.follow?.(session, env)
    if (this.#all.some((observer) => observer.awaits?.(session))) {
      this.#looked.set(session.key, { facts, looks: 1 })
      this.#lookLater(session.key)
    }
    if (session.endedAt === undefined) return
    this.#looked.delete(session.key)
    this.#envs.delete(session.key)
  }

  /** Now and then. */
  tidy(sessions: readonly Session[], now: number): void {
    for (const observer of this.#all) observer.tidy?.(sessions, now)
  }

  close(): void {
    this.#timers.close()
    for (const observer of this.#all) observer.close?.()
  }
}

function hasAny(env: HookEvent['client']['env']): boolean {
  for (const _ in env) return true
  return false
}
