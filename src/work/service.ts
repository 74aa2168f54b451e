/** The work engine in its place: what it may ask of the daemon, and what it takes part in. */
import { DEFAULT_AGENT, factsOf } from '../agents/facts.ts'
import { agentFor } from '../agents/index.ts'
import { lazy } from '../core/lazy.ts'
import { type HookEvent, isPast, NO_VERDICT, OWN_AGENT, type Verdict } from '../events/index.ts'
import type { Git } from '../git/index.ts'
import type { Pipeline } from '../ingest/index.ts'
import { raisedEvent, usageEvent } from '../journal/index.ts'
import type { SessionTracker } from '../sessions/index.ts'
import { keyOf } from '../sessions/state/index.ts'
import type { EffortRow, Store } from '../store/index.ts'
import type { Directives, Signal, Signals, WorkConfig, WorkContext, WorkEngine } from './index.ts'
import { endingOf } from './transcript-end.ts'

export interface WorkParts {
  readonly store: Store
  readonly tracker: SessionTracker
  readonly git: Git
  readonly pipeline: Pick<Pipeline, 'take'>
  readonly settings: () => WorkConfig
  readonly tasks: string
  readonly home: string | undefined
  /** The supervisor of a run listens. */
  readonly attends: (run: string) => boolean
}

interface Opened {
  readonly engine: WorkEngine
  readonly signals: Signals
  readonly directives: Directives
}

const DIRECTIVES_SHARE = 0.5 // of what one answer may carry: there are other things to say
const UNKNOWN_LIMIT_CHARS = 10_000
const engineParts = lazy(() => require('./index.ts') as typeof import('./index.ts'))

export class Work {
  readonly #parts: WorkParts
  #opened: Opened | undefined

  constructor(parts: WorkParts) {
    this.#parts = parts
    if (parts.store.work.countActive() > 0) this.#catchUp()
  }

  get engine(): WorkEngine {
    return this.#open().engine
  }

  get signals(): Signals {
    return this.#open().signals
  }

  /** Who works on no effort does not pay for it: efforts begin with a call, and that comes by here. */
  #open(): Opened {
    this.#opened ??= this.#made(engineParts())
    return this.#opened
  }

  /** An effort may begin with a prompt, too. */
  #engineFor(event: HookEvent): WorkEngine | undefined {
    return this.#opened || this.#mayNameSkill(event) ? this.engine : undefined
  }

  #mayNameSkill({ type, prompt }: HookEvent): boolean {
    if (type !== 'UserPromptSubmit' || prompt === undefined || !/^\s*[/$]/.test(prompt)) return false
    return Object.keys(this.#parts.settings().skills ?? {}).length > 0
  }

  #made(room: ReturnType<typeof engineParts>): Opened {
    const parts = this.#parts
    const { journal, work: rows } = parts.store
    const signals = new room.Signals(parts.store.signals, (work) => journal.relaxed(work))
    const directives = new room.Directives({
      rows,
      commit: (work) => journal.relaxed(work),
      rootsOf: async (cwd) => {
        await parts.git.see([cwd])
        return parts.git.rootsOf(cwd)
      },
      budgetOf: (agent) =>
        Math.floor((agentFor(agent).contextLimit ?? UNKNOWN_LIMIT_CHARS) * DIRECTIVES_SHARE),
    })
    const engine = new room.WorkEngine({
      rows,
      settings: parts.settings,
      home: parts.home,
      tasks: parts.tasks,
      rootsOf: (cwd) => parts.git.rootsOf(cwd),
      usageOf: (agent, sessionId) => this.#usage(agent, sessionId),
      cwdOf: (agent, sessionId) => parts.tracker.fleet.get(`${agent}:${sessionId}`)?.cwd,
      endingOf,
      relaxed: (work) => journal.relaxed(work),
      raise: (name, payload) => this.raise(name, payload),
      signal: (signal) => signals.send(signal),
      attends: (agent, sessionId, run) => this.#attends(agent, sessionId, run),
      directives,
    })
    return { engine, signals, directives }
  }

  /**
   * Before the commit: which project a folder belongs to may hang on its repository. On a disk of this machine that is
   * looked at before anything else happens; elsewhere, the event does not wait for it.
   */
  lookAhead(event: HookEvent): void {
    const { agent, sessionId, cwd } = event
    if ((this.#opened && !this.#opened.engine.idle) || this.#mayNameSkill(event))
      this.#parts.git.placeOf(cwd ?? this.#parts.tracker.fleet.get(`${agent}:${sessionId}`)?.cwd)
  }

  /** Before a call that names a folder. */
  see(cwd: string | undefined): Promise<void> {
    return this.#parts.git.see([cwd])
  }

  /** Inside the commit of an event whose agent waits. */
  decide(event: HookEvent): Verdict {
    const verdict = this.#engineFor(event)?.decide(event) ?? NO_VERDICT
    // The same session goes on with nothing in its context; what was measured before says nothing of it.
    if (verdict.clearContext)
      this.#parts.pipeline.take(usageEvent(keyOf(event), { tokens: 0, contextPct: 0 }, Date.now()), () => {})
    return verdict
  }

  /**
   * Inside the commit of an event that nobody waits for. What another tool passes on may come again with the agent's own
   * hook, which then is the one that counts and is answered.
   */
  observe(event: HookEvent): void {
    if (isLive(event) && event.transport !== 'relay') this.#engineFor(event)?.observe(event)
  }

  /** Inside a later try of a commit whose first one failed. */
  repeat(event: HookEvent, isHeard: boolean): void {
    if (isHeard) this.#engineFor(event)?.decide(event)
    else this.observe(event)
  }

  /** After the commit. */
  committed(events: readonly HookEvent[]): void {
    if (!this.#opened) return
    const live = events.every(isLive) ? events : events.filter(isLive)
    const { fleet } = this.#parts.tracker
    this.#opened.engine.committed(live, (event) => fleet.get(keyOf(event)))
    this.#opened.engine.showShares(live.map((event) => fleet.get(subjectOf(event))))
  }

  close(): void {
    this.#opened?.directives.close()
  }

  context(env: WorkContext['env'], agent = DEFAULT_AGENT): WorkContext {
    return this.engine.context(agent, env)
  }

  /** Whom a new effort is about. */
  reachOf(effort: EffortRow): ReturnType<WorkEngine['reachOf']> {
    return this.engine.reachOf(effort, this.#parts.tracker.fleet.all())
  }

  raise(name: string, payload: Readonly<Record<string, unknown>>): void {
    this.#parts.pipeline.take(raisedEvent(name, payload, Date.now()), () => {})
  }

  /** Inside the transaction of what it tells of. */
  send(signal: Signal): void {
    this.signals.send(signal)
  }

  /** A daemon that was killed may have had no time to show the last events. */
  #catchUp(): void {
    const alive = [...this.#parts.tracker.fleet.all()].filter(({ endedAt }) => endedAt === undefined)
    this.engine.show(alive.map((session) => ({ session, env: {} })))
    this.engine.showShares(alive)
  }

  /**
   * An agent that clears its context itself is not restarted. One that runs in a tool call of another has the other's
   * environment, and is not the one that is supervised.
   */
  #attends(agent: string, sessionId: string, run: string): boolean {
    const { attends, tracker } = this.#parts
    if (factsOf(agent).clearsContext || !attends(run)) return false
    return tracker.fleet.get(`${agent}:${sessionId}`)?.parentSessionId === undefined
  }

  #usage(agent: string, sessionId: string): number | undefined {
    const pct = this.#parts.tracker.fleet.get(`${agent}:${sessionId}`)?.usage.contextPct
    return pct === undefined ? undefined : pct / 100
  }
}

/** The session that it is about; what gantry itself observed names it. */
function subjectOf(event: HookEvent): string {
  return event.agent === OWN_AGENT ? String(event.fields?.session_key ?? '') : keyOf(event)
}

/** What is played back happened at another time, and to nobody who works here now. */
function isLive(event: HookEvent): boolean {
  return !isPast(event)
}
