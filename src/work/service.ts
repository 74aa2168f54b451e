/** Builds the work engine in the daemon and connects it to the events. */
import { DEFAULT_AGENT, factsOf } from '../agents/facts.ts'
import { agentFor, type TranscriptFact } from '../agents/index.ts'
import { readTail } from '../core/files/lines.ts'
import { homeOf } from '../core/files/paths.ts'
import { lazy } from '../core/lazy.ts'
import {
  type HookEvent,
  isPast,
  keyOf,
  NO_VERDICT,
  type RaisedType,
  sessionKeyOf,
  type Verdict,
} from '../events/index.ts'
import type { Git } from '../git/index.ts'
import type { Pipeline } from '../ingest/index.ts'
import { raisedEvent, usageEvent } from '../journal/index.ts'
import type { SessionTracker } from '../sessions/index.ts'
import type { EffortRow, Store } from '../store/index.ts'
import type { Directives, Ending, Signal, Signals, WorkConfig, WorkContext, WorkEngine } from './index.ts'

interface WorkParts {
  readonly store: Store
  readonly tracker: SessionTracker
  readonly git: Git
  readonly pipeline: Pick<Pipeline, 'take'>
  readonly settings: () => WorkConfig
  readonly tasks: string
  readonly home: string | undefined
  /** True if the run's supervisor is connected. */
  readonly attends: (run: string) => boolean
}

interface Opened {
  readonly engine: WorkEngine
  readonly signals: Signals
  readonly directives: Directives
}

const MAX_DIRECTIVES_PART = 0.5 // of one answer; it has to carry other things, too
const UNKNOWN_LIMIT_CHARS = 10_000
const engineModule = lazy(() => require('./index.ts') as typeof import('./index.ts'))

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

  /** Opens the engine on first use, so that users without efforts do not pay for it. Every call passes through here. */
  #open(): Opened {
    this.#opened ??= this.#made(engineModule())
    return this.#opened
  }

  /** A prompt may start an effort, too. */
  #engineFor(event: HookEvent): WorkEngine | undefined {
    return this.#opened || this.#mayNameSkill(event) ? this.engine : undefined
  }

  #mayNameSkill({ type, prompt }: HookEvent): boolean {
    if (type !== 'UserPromptSubmit' || prompt === undefined || !/^\s*[/$]/.test(prompt)) return false
    return Object.keys(this.#parts.settings().skills ?? {}).length > 0
  }

  #made({ Signals, Directives, WorkEngine }: ReturnType<typeof engineModule>): Opened {
    const parts = this.#parts
    const { journal, work: rows } = parts.store
    const signals = new Signals(parts.store.signals, (work) => journal.relaxed(work))
    const directives = new Directives({
      rows,
      commit: (work) => journal.relaxed(work),
      rootsOf: async (cwd) => {
        await parts.git.see([cwd])
        return parts.git.rootsOf(cwd)
      },
      budgetOf: (agent) =>
        Math.floor((agentFor(agent).contextLimit ?? UNKNOWN_LIMIT_CHARS) * MAX_DIRECTIVES_PART),
    })
    const engine = new WorkEngine({
      rows,
      settings: parts.settings,
      home: parts.home,
      tasks: parts.tasks,
      rootsOf: (cwd) => parts.git.rootsOf(cwd),
      usageOf: (agent, sessionId) => this.#usage(agent, sessionId),
      cwdOf: (agent, sessionId) => parts.tracker.sessions.get(keyOf({ agent, sessionId }))?.cwd,
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
   * Before the commit: a folder's project may depend on its repository. On a local disk the repository is read first;
   * on any other, the event does not wait for it. Then the files that its answer may carry are read.
   */
  lookAhead(event: HookEvent, isHeard: boolean): void {
    if ((!this.#opened || this.#opened.engine.idle) && !this.#mayNameSkill(event)) return
    this.#parts.git.locationOf(event.cwd ?? this.#parts.tracker.sessions.get(keyOf(event))?.cwd)
    if (isHeard) this.engine.lookAhead(event)
  }

  /** Called before a call that names a folder. */
  see(cwd: string | undefined): Promise<void> {
    return this.#parts.git.see([cwd])
  }

  /** Runs inside the commit of an event whose agent waits. */
  decide(event: HookEvent): Verdict {
    const verdict = this.#engineFor(event)?.decide(event) ?? NO_VERDICT
    // The same session continues with an empty context, so its measured usage is obsolete.
    if (verdict.clearContext)
      this.#parts.pipeline.take(usageEvent(keyOf(event), { tokens: 0, contextPct: 0 }, Date.now()), () => {})
    return verdict
  }

  /**
   * Runs inside the commit of an event that nobody waits for. An event relayed by another tool may come again with the
   * agent's own hook; then that one counts and is answered.
   */
  observe(event: HookEvent): void {
    if (isLive(event) && event.transport !== 'relay') this.#engineFor(event)?.observe(event)
  }

  /** Runs when a failed commit is retried. */
  repeat(event: HookEvent, isHeard: boolean): void {
    if (isHeard) this.#engineFor(event)?.decide(event)
    else this.observe(event)
  }

  /** After the commit. */
  committed(events: readonly HookEvent[]): void {
    if (!this.#opened) return
    const live = events.every(isLive) ? events : events.filter(isLive)
    const { sessions } = this.#parts.tracker
    this.#opened.engine.committed(live, (event) => sessions.get(keyOf(event)))
    this.#opened.engine.showUsages(live.map((event) => sessions.get(sessionKeyOf(event))))
  }

  close(): void {
    this.#opened?.directives.close()
  }

  context(env: WorkContext['env']): WorkContext {
    return this.engine.context(DEFAULT_AGENT, env)
  }

  /** Who is affected by a new effort. */
  reachOf(effort: EffortRow): ReturnType<WorkEngine['reachOf']> {
    return this.engine.reachOf(effort, this.#parts.tracker.sessions.all())
  }

  raise(name: RaisedType, payload: Readonly<Record<string, unknown>>): void {
    this.#parts.pipeline.take(raisedEvent(name, payload, Date.now()), () => {})
  }

  /** Runs inside the transaction of the change that it signals. */
  send(signal: Signal): void {
    this.signals.send(signal)
  }

  /** A killed daemon may not have shown the last events. */
  #catchUp(): void {
    const alive = [...this.#parts.tracker.sessions.all()].filter(({ endedAt }) => endedAt === undefined)
    this.engine.show(alive.map((session) => ({ session, env: {} })))
    this.engine.showUsages(alive)
  }

  /**
   * False for an agent that clears its own context, because it is not restarted; and for an agent started by a tool
   * call, because it only inherits the supervised agent's environment.
   */
  #attends(agent: string, sessionId: string, run: string): boolean {
    const { attends, tracker } = this.#parts
    if (factsOf(agent).clearsContext || !attends(run)) return false
    return tracker.sessions.get(keyOf({ agent, sessionId }))?.parentSessionId === undefined
  }

  #usage(agent: string, sessionId: string): number | undefined {
    const pct = this.#parts.tracker.sessions.get(keyOf({ agent, sessionId }))?.usage.contextPct
    return pct === undefined ? undefined : pct / 100
  }
}

/** False for replayed events: they happened at another time. */
function isLive(event: HookEvent): boolean {
  return !isPast(event)
}

const TAIL_BYTES = 64 * 1024

/** After one of these the turn continued, or another one started. */
const GOES_ON: ReadonlySet<TranscriptFact['kind']> = new Set(['prompt', 'tool-start', 'tool-end', 'answer'])

/**
 * The error that ended the last turn, for clients that ask whether a limit ended it; undefined if it ended well or nobody
 * knows. Reads only the last lines. The path comes from a payload, so it must be inside the agent's own folder.
 */
function endingOf(
  agent: string,
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): Ending | undefined {
  const reader = agentFor(agent).transcript
  if (!reader) return undefined
  let ending: Ending | undefined
  try {
    readTail(path, reader.roots(env, homeOf(env)), TAIL_BYTES, (line) => {
      for (const fact of reader.read(line)) {
        if (fact.kind === 'turn-error') ending = { error: fact.error, message: fact.message }
        else if (GOES_ON.has(fact.kind)) ending = undefined
      }
    })
    return ending
  } catch {
    return undefined
  }
}
