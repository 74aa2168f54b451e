/**
 * The work engine in the daemon. On the hook path it runs inside the event's transaction, so its counters are as durable
 * as the event. If no effort is active it does nothing.
 *
 *   engine.decide(event)                                   // a verdict, or nothing
 *   const asked = engine.asked('preToolUse', { session_id: … })
 *   engine.expect(id, asked)                               // the event with this id is a client's call:
 *   engine.resultOf(id)                                    // what its hook found, once the event is stored
 */
import { DEFAULT_AGENT } from '../agents/facts.ts'
import { GantryError } from '../core/errors.ts'
import { RecentMap } from '../core/recent-map.ts'
import { checked } from '../core/text/issue-words.ts'
import { type HookEvent, type HookTool, NO_VERDICT, type RaisedType, type Verdict } from '../events/index.ts'
import type { Session } from '../sessions/state/index.ts'
import type { EffortRow, WorkRows } from '../store/index.ts'
import { Answers } from './answers.ts'
import { settingsOf, type WorkConfig, type WorkSettings } from './config.ts'
import { type Caller, type Ending, effortOf, knownWindow, type WorkContext } from './context.ts'
import { ContextUsages } from './context-usages.ts'
import type { Signal } from './coordination/signals.ts'
import { type Shown, Statuses } from './coordination/statuses.ts'
import type { Directives } from './directives/directives.ts'
import { pendingPreloads } from './directives/preloads.ts'
import { touchedFolders } from './directives/touched.ts'
import { projectFinder, type RootsOf } from './efforts/projects.ts'
import { type EffortFiles, mayRecover, readFiles } from './efforts/recovery.ts'
import { effortAhead, skillIn } from './efforts/skills.ts'
import { type HookBase, hookNameOf, inputOf, transformKeys } from './hook-input.ts'
import { WORK_HOOKS, type WorkHook } from './hooks/index.ts'

export interface EngineParts {
  readonly rows: WorkRows
  readonly settings: () => WorkConfig
  /** See WorkContext. */
  readonly home?: string | undefined
  readonly tasks: string
  readonly rootsOf: RootsOf
  readonly usageOf: WorkContext['usageOf']
  /** The working folder of a session, for events that lack it. */
  readonly cwdOf?: (agent: string, sessionId: string) => string | undefined
  /** How a transcript ends; for clients that make the call themselves. */
  readonly endingOf?: (agent: string, path: string, env: WorkContext['env']) => Ending | undefined
  /** Runs in a transaction that may be lost: its rows can be derived again from stored events. */
  readonly relaxed: (work: () => void) => void
  /** Appends an internal event to the journal. */
  readonly raise: (name: RaisedType, payload: Readonly<Record<string, unknown>>) => void
  /** Signals a coordinator, inside the current transaction. */
  readonly signal: (signal: Signal) => void
  /** True if a run's supervisor is connected and this session is the agent it runs. */
  readonly attends?: (agent: string, sessionId: string, run: string) => boolean
  readonly directives?: Pick<Directives, 'touch' | 'prepare' | 'preloads'>
  readonly now?: () => number
}

/** A client's call after validation. */
export interface AskedHook {
  readonly hook: WorkHook
  /** The event type that the call stands for. */
  readonly type: string
  readonly agent: string
  readonly input: HookBase & Readonly<Record<string, unknown>>
  /** The error that ended the turn. */
  readonly ending?: Ending | undefined
}

type Result = Readonly<Record<string, unknown>>

const MIN_RESULTS = 500

/** Their answers may carry what earlier windows left. */
const CARRIERS: ReadonlySet<string> = new Set([
  'SessionStart',
  'UserPromptSubmit',
  'PostToolUse',
  'PostToolUseFailure',
])

/** These end a window, whatever folder the agent is in. */
const ENDINGS: ReadonlySet<string> = new Set(['SessionEnd', 'SubagentStop'])

export class WorkEngine {
  readonly #parts: EngineParts
  readonly #projectOf: WorkContext['projectOf']
  readonly #answers: Answers
  /** By event: callbacks to run after it is stored. */
  readonly #after = new Map<string, (() => void)[]>()
  /** Read before the commit. */
  readonly #files = new WeakMap<HookEvent, EffortFiles>()
  /** By event: clients' calls that are not stored yet, and their results. */
  readonly #asked = new Map<string, AskedHook & { result?: Result }>()
  /** The last result of each hook in a session, for a client's call that repeats a hook. */
  readonly #results = new RecentMap<string, Result>(MIN_RESULTS)
  readonly #statuses: Statuses
  readonly #usages: ContextUsages
  #active = 0

  constructor(parts: EngineParts) {
    this.#parts = parts
    const { rows, rootsOf, now = Date.now } = parts
    this.#projectOf = projectFinder(() => rows.projects(), rootsOf, now)
    this.#statuses = new Statuses({ ...parts, now })
    this.#usages = new ContextUsages(parts)
    this.#answers = new Answers({
      preloads: (paths, agent) => parts.directives?.preloads(paths, agent),
      isSupervised: (agent, sessionId, run) => this.isSupervised(agent, sessionId, run),
    })
    this.refresh()
  }

  /** True if no effort is active, so hooks need not ask the engine. */
  get idle(): boolean {
    return this.#active === 0
  }

  /** Call after efforts were started or finished. */
  refresh(): void {
    this.#active = this.#parts.rows.countActive()
    this.#statuses.forget()
  }

  /** Validates a client's call; throws with the reason if it is invalid. */
  asked(name: string, args: unknown): AskedHook {
    const [type, hook] = HOOKS_BY_NAME.get(name) ?? []
    if (!hook || type === undefined)
      throw new GantryError('UNKNOWN_COMMAND', `There is no call "hooks.${name}".`)
    const input = checked(hook.schema(), args, `hooks.${name}`) as AskedHook['input']
    const agent = String((transformKeys(args) as { agent?: unknown }).agent ?? DEFAULT_AGENT)
    return { hook, type, agent, input }
  }

  /** The error that ended the turn, from the call or the transcript. */
  endingOf({ hook, agent, input }: AskedHook, env: WorkContext['env']): Ending | undefined {
    if (hook.name !== 'stop') return undefined
    const said = typeof input.lastAssistantMessage === 'string' ? input.lastAssistantMessage : undefined
    if (typeof input.error === 'string') return { error: input.error, message: said }
    const { transcriptPath } = input
    return transcriptPath === undefined ? undefined : this.#parts.endingOf?.(agent, transcriptPath, env)
  }

  /** Declares that the event with this id is a client's call, so its hook runs with the event. */
  expect(id: string, asked: AskedHook): void {
    this.#asked.set(id, { ...asked })
  }

  /** The call's result; undefined if the event was never stored. */
  resultOf(id: string): Result | undefined {
    const result = this.#asked.get(id)?.result
    this.#asked.delete(id)
    return result
  }

  /** Who is affected by an effort: its project, which of these sessions work on it, and when they are denied. */
  reachOf(
    effort: EffortRow,
    sessions: Iterable<Session>,
  ): { project: string; sessionsHere: string[]; settings: WorkSettings } {
    const { rows, settings } = this.#parts
    const { projectId } = rows.task(effort.taskId) ?? {}
    // Which sessions carry an agent's name is only known from their hooks.
    const anybody = effort.agentId === null ? [...sessions] : []
    const isHere = ({ agent, id: sessionId, cwd, endedAt, parentSessionId }: Session) =>
      endedAt === undefined &&
      parentSessionId === undefined &&
      effortOf(this.context(agent, {}), { sessionId, cwd })?.id === effort.id
    return {
      project: rows.projects().find(({ id }) => id === projectId)?.path ?? '',
      sessionsHere: anybody.filter(isHere).map(({ name }) => name),
      settings: settingsOf(effort, settings()),
    }
  }

  /** True if a supervisor restarts this agent when it ends. */
  isSupervised(agent: string, sessionId: string, run: string | null | undefined): boolean {
    return Boolean(run) && this.#parts.attends?.(agent, sessionId, run ?? '') === true
  }

  /** Before the commit of an event whose agent waits: reads the files that its answer may carry. */
  lookAhead(event: HookEvent): void {
    const { type, sessionId, agentId = '' } = event
    if (!CARRIERS.has(type) || sessionId === '' || agentId !== '' || !this.#concerns(event)) return
    try {
      const context = this.#contextOf(event, 'agent')
      const effort = effortAhead(context, this.#inputOf(event))
      if (effort && (type === 'SessionStart' || mayRecover(context, effort, sessionId)))
        this.#files.set(event, readFiles(effort))
    } catch {
      // The rows cannot be read: the commit fails, too, and says why.
    }
  }

  /** Runs inside the commit of an event whose agent waits. */
  decide(event: HookEvent): Verdict {
    const asked = this.#asked.size === 0 ? undefined : this.#asked.get(event.id)
    if (asked) {
      asked.result = this.#callOf(event, asked)
      if (this.#mayBegin(event)) this.refresh()
      return NO_VERDICT
    }
    return this.#concerns(event) ? this.#take(event, 'agent') : NO_VERDICT
  }

  /** Runs inside the commit of an event that nobody waits for: it is counted, and queued messages stay queued. */
  observe(event: HookEvent): void {
    if (this.#concerns(event)) this.#take(event, 'nobody')
  }

  /** Called after the commit. */
  committed(events: readonly HookEvent[], sessionOf: (event: HookEvent) => Session | undefined): void {
    if (this.#active === 0) return
    const due = events.flatMap(({ id }) => this.#after.get(id) ?? [])
    this.#after.clear() // the rest belongs to events that could not be stored
    for (const act of due) act()
    this.show(events.map((event) => ({ session: sessionOf(event), env: event.client.env })))
    for (const event of events) {
      const input = event.tool || event.type === 'SessionStart' ? this.#inputOf(event) : undefined
      if (input && event.hidden === undefined)
        this.#lookAround(this.#contextOf(event, 'nobody'), input, event.tool)
    }
  }

  /** Updates agent statuses from what the sessions show now. */
  show(changed: readonly Shown[]): void {
    this.#statuses.show(changed)
  }

  /**
   * Stores the context usage of these sessions. The usage of a turn's last request often arrives after its last tool
   * call.
   */
  showUsages(changed: readonly (Session | undefined)[]): void {
    if (this.#active > 0) this.#usages.show(changed)
  }

  context(agent: string, env: WorkContext['env'], caller: Caller = 'client'): WorkContext {
    const { rows, settings, home, tasks, rootsOf, usageOf, signal, now = Date.now } = this.#parts
    return {
      ...{ rows, home, tasks, rootsOf, usageOf, signal, caller, agent, env },
      settings: settings(),
      now: now(),
      projectOf: this.#projectOf,
      startsAgain: (sessionId) => this.#startsAgain(caller, agent, sessionId, env),
      // The commit of a call is synchronous, so a microtask comes after it.
      later: queueMicrotask,
    }
  }

  #take(event: HookEvent, caller: Caller): Verdict {
    // Sequence 0 marks a duplicate that arrived over another transport.
    if (event.seq === 0 || event.sessionId === '' || event.hidden !== undefined) return NO_VERDICT
    const hook = WORK_HOOKS.get(hookNameOf(event))
    if (!hook) return NO_VERDICT
    const context = this.#contextOf(event, caller)
    const input = this.#inputOf(event)
    const begins = this.#mayBegin(event)
    const known = effortOf(context, input)
    if (!known && !begins && !ENDINGS.has(event.type)) return NO_VERDICT
    const result = hook.run(context, input)
    this.#remember(event, hook, result)
    if (begins) this.refresh()
    const effort = begins ? effortOf(context, input) : known
    if (!effort) return NO_VERDICT
    const window = knownWindow(context, input)
    if (!window || caller === 'nobody') return NO_VERDICT
    if (event.type === 'PreCompact' && result.kill === true)
      context.later(() =>
        this.#parts.raise('RestartRequested', {
          session_id: event.sessionId,
          effort_id: effort.id,
          run_id: context.env.GANTRY_RUN_ID ?? null,
          reason: 'compaction',
        }),
      )
    return this.#answers.verdict({ event, context, effort, window, result }) ?? NO_VERDICT
  }

  #concerns(event: HookEvent): boolean {
    return this.#active > 0 || this.#mayBegin(event)
  }

  /** A prompt that names a skill may start an effort. */
  #mayBegin({ type, prompt }: HookEvent): boolean {
    return type === 'UserPromptSubmit' && skillIn(prompt, this.#parts.settings().skills) !== undefined
  }

  /** The client passes the result to its agent, so the agent gets no other answer. */
  #callOf(event: HookEvent, { hook, input, ending }: AskedHook): Result {
    const before = event.seq === 0 ? this.#results.get(resultKey(event, hook)) : undefined
    // The agent's own hook already delivered this: count it once, and repeat no queued message.
    if (before && hook.name !== 'sessionStart') return { ...before, ...alreadySaid(before) }
    const context = { ...this.#contextOf(event, 'client'), ending }
    const known = before ? { ...input, source: 'compact' } : input
    const result = hook.run(context, { ...known, cwd: input.cwd ?? this.#inputOf(event).cwd })
    this.#remember(event, hook, result)
    return result
  }

  #remember(event: HookEvent, hook: WorkHook, result: Result): void {
    this.#results.set(resultKey(event, hook), result)
  }

  #contextOf(event: HookEvent, caller: Caller): WorkContext {
    // When it happened: an event may have been spooled.
    const now = Math.min(event.at, event.receivedAt)
    const later = (act: () => void) => this.#later(event, act)
    const files = this.#files.get(event)
    return { ...this.context(event.agent, event.client.env, caller), now, later, files }
  }

  /** A client that makes the call itself restarts its agent itself. */
  #startsAgain(caller: Caller, agent: string, sessionId: string, env: WorkContext['env']): boolean {
    if (caller !== 'agent') return caller === 'client'
    return this.isSupervised(agent, sessionId, env.GANTRY_RUN_ID)
  }

  #later(event: HookEvent, act: () => void): void {
    this.#after.set(event.id, [...(this.#after.get(event.id) ?? []), act])
  }

  #inputOf(event: HookEvent): ReturnType<typeof inputOf> {
    const input = inputOf(event)
    return input.cwd === undefined
      ? { ...input, cwd: this.#parts.cwdOf?.(event.agent, event.sessionId) }
      : input
  }

  /** Searches directives near what was touched, and loads those that are due. */
  #lookAround(context: WorkContext, input: HookBase, tool: HookTool | undefined): void {
    const { directives } = this.#parts
    const { cwd } = input
    if (!directives || cwd === undefined) return
    const effort = effortOf(context, input)
    const project = effort && context.projectOf(cwd)
    if (!project) return
    const { agent } = context
    const folders = tool ? touchedFolders(tool, cwd) : []
    if (folders.length > 0) {
      const patterns = settingsOf(effort, context.settings).directives
      directives.touch({ effort, project, agent, cwd, patterns }, folders)
    }
    const window = knownWindow(context, input)
    if (window) directives.prepare(effort, project, pendingPreloads(effort, window))
  }
}

function resultKey({ agent, sessionId, agentId = '' }: HookEvent, { name }: WorkHook): string {
  return `${agent}\n${sessionId}\n${agentId}\n${name}`
}

/** Empties the lists of queued messages. */
function alreadySaid(result: Result): Result {
  const lists = ['pendingInjections', 'pendingPreloads'].filter((name) => name in result)
  return Object.fromEntries(lists.map((name) => [name, []]))
}

const HOOKS_BY_NAME: ReadonlyMap<string, readonly [type: string, hook: WorkHook]> = new Map(
  [...WORK_HOOKS].flatMap(([type, hook]) =>
    [hook.name, ...(hook.aliases ?? [])].map((name) => [name, [type, hook]] as const),
  ),
)
