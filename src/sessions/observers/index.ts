/** Outside evidence about sessions, turned into events: transcripts, processes, answered dialogs, silence. */
import type { HookEvent } from '../../events/index.ts'
import { type Change, keyOf, type Session } from '../state/index.ts'
import { ApprovalObserver } from './approvals.ts'
import { BackgroundObserver } from './background.ts'
import { retireSilent } from './expire.ts'
import { lastEnv } from './last-env.ts'
import { PaneObserver } from './panes.ts'
import { PresenceObserver } from './presence.ts'
import { ProcessObserver } from './processes.ts'
import { type Emptied, Recovery, type RecoveryParts } from './recovery.ts'
import { ReplacedObserver } from './replaced.ts'
import { StatusObserver } from './statuses.ts'
import { ToldTurns } from './told-turns.ts'
import { TranscriptObserver } from './transcripts.ts'

const LOOK_AGAIN_MS = 100 // an agent writes its files a moment after its first hook

export class Observers {
  readonly #recovery: Recovery
  readonly #transcripts: TranscriptObserver
  readonly #processes: ProcessObserver
  readonly #approvals: ApprovalObserver
  readonly #statuses: StatusObserver
  readonly #panes: PaneObserver
  readonly #presence: PresenceObserver
  readonly #background: BackgroundObserver
  readonly #replaced: ReplacedObserver
  readonly #toldTurns: ToldTurns
  readonly #parts: RecoveryParts
  readonly #looked = new Map<string, { facts: string; timer: ReturnType<typeof setTimeout> | undefined }>()
  /** What an agent's hooks said of its folders. */
  readonly #envs = new Map<string, HookEvent['client']['env']>()

  constructor(parts: RecoveryParts) {
    this.#parts = parts
    this.#recovery = new Recovery(parts)
    this.#transcripts = new TranscriptObserver(parts, this.#recovery)
    this.#processes = new ProcessObserver(parts)
    this.#approvals = new ApprovalObserver(parts, (key) => this.#processes.pidOf(key))
    this.#statuses = new StatusObserver(parts)
    this.#panes = new PaneObserver(parts, (key) => this.knowsProcessOf(key))
    this.#background = new BackgroundObserver(parts)
    this.#replaced = new ReplacedObserver(parts, this.#processes)
    this.#presence = new PresenceObserver(parts)
    this.#toldTurns = new ToldTurns(parts)
  }

  /** Before an event is taken; what is raised here comes before it. */
  ahead(event: HookEvent): void {
    this.#toldTurns.ahead(event)
  }

  /** After the answers have left. */
  committed(events: readonly HookEvent[], changes: readonly Change[]): void {
    for (const { client, ...event } of events) {
      const key = keyOf(event)
      if (!this.#envs.has(key) && hasAny(client.env)) this.#envs.set(key, client.env)
    }
    for (const { session } of changes) this.#follow(session)
    for (const event of events) {
      this.#approvals.see(event)
      this.#replaced.see(event)
    }
  }

  /** Its process is known, so that nobody has to look for it. */
  knowsProcessOf(key: string): boolean {
    return this.#processes.pidOf(key) !== undefined
  }

  /** Sessions that were alive when the daemon was last there. */
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
      this.#recovery.expect(session, env)
      this.#processes.resume(session)
      this.#follow(session)
      this.#approvals.resume(session)
    }
    // Also where all of an agent's sessions have ended: one of them may be resumed.
    for (const session of last.values()) this.#presence.follow(session, lastEnv(session, this.#parts.store))
  }

  /** The door is open: what was said before that, to nobody, is looked for. */
  async recover(spool: Emptied): Promise<void> {
    await this.#recovery.run(spool, Date.now())
    this.#processes.resumed()
  }

  /**
   * Looking is system calls, and hooks come by the hundred: a session is looked at when what is known of it is new, and
   * otherwise once in a while, since its files may not have been there yet.
   */
  #follow(session: Session): void {
    if (session.replayed) return
    this.#background.follow(session)
    const { key } = session
    const facts = `${session.pid}|${session.generation}|${session.pane}|${session.transcriptPath}|${session.endedAt}`
    const last = this.#looked.get(key)
    if (last?.facts === facts) this.#lookLater(key)
    else this.#look(session, facts)
  }

  #lookLater(key: string): void {
    const last = this.#looked.get(key)
    if (last) last.timer ??= setTimeout(() => this.#again(key), LOOK_AGAIN_MS)
  }

  #again(key: string): void {
    const session = this.#parts.session(key)
    const last = this.#looked.get(key)
    if (session && last) this.#look(session, last.facts)
  }

  #look(session: Session, facts: string): void {
    const env = this.#envs.get(session.key) ?? {}
    clearTimeout(this.#looked.get(session.key)?.timer)
    this.#looked.set(session.key, { facts, timer: undefined })
    this.#processes.follow(session)
    this.#transcripts.follow(session, env)
    this.#statuses.follow(session, env)
    this.#presence.follow(session, env)
    this.#panes.follow(session)
    if (this.#transcripts.awaits(session)) this.#lookLater(session.key)
    if (session.endedAt === undefined) return
    this.#looked.delete(session.key)
    this.#envs.delete(session.key)
  }

  /** Now and then. */
  tidy(sessions: Iterable<Session>, now: number): void {
    retireSilent(
      sessions,
      (key) => this.knowsProcessOf(key),
      now,
      (rawEvent) => this.#parts.raise(rawEvent),
    )
  }

  close(): void {
    for (const { timer } of this.#looked.values()) clearTimeout(timer)
    this.#recovery.close()
    this.#transcripts.close()
    this.#processes.close()
    this.#approvals.close()
    this.#statuses.close()
    this.#panes.close()
    this.#background.close()
    this.#presence.close()
  }
}

function hasAny(env: HookEvent['client']['env']): boolean {
  for (const _ in env) return true
  return false
}
