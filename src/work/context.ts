/**
 * The context that every hook of the work engine gets, whoever called it; and the lookup from a folder to its effort.
 */
import { keyOf } from '../events/index.ts'
import type { EffortRow, ProjectRow, WorkRows, WorkSessionRow } from '../store/index.ts'
import type { WorkConfig } from './config.ts'
import type { Signal } from './coordination/signals.ts'
import type { RootsOf } from './efforts/projects.ts'
import type { EffortFiles } from './efforts/recovery.ts'
import type { HookBase } from './hook-input.ts'

/**
 * Who receives the answer. `client`: a client that made the call itself and passes the result to its agent. `agent`: an
 * agent, through the daemon's answer to its hook. `nobody`: the event came late, or over a transport where nobody
 * waits.
 */
export type Caller = 'client' | 'agent' | 'nobody'

export interface WorkContext {
  readonly rows: WorkRows
  readonly settings: WorkConfig
  /** GANTRY_HOME if it is not the default; commands shown to an agent then include it. */
  readonly home?: string | undefined
  /** The folder for tasks without a folder of their own. */
  readonly tasks: string
  readonly now: number
  readonly caller: Caller
  /** The agent program: claude, codex, … */
  readonly agent: string
  /** The caller's AGENT_ID, GANTRY_RUN_ID and native session ids. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly projectOf: (cwd: string) => ProjectRow | null
  /**
   * Folders that a project may be registered under: the repository around `cwd`, and the main repository of a worktree.
   */
  readonly rootsOf: RootsOf
  /** Used share of the context, 0 to 1; undefined if unknown. */
  readonly usageOf: (agent: string, sessionId: string) => number | undefined
  /** True if a supervisor behind this caller restarts the agent when it ends. */
  readonly startsAgain: (sessionId: string) => boolean
  /** Wakes a coordinator after the transaction is committed. */
  readonly signal: (signal: Signal) => void
  /** Runs this after the commit, because no disk may hold up a transaction. It must not throw. */
  readonly later: (act: () => void) => void
  /** The effort's files as they were before the commit, if the answer may carry them. */
  readonly files?: EffortFiles | undefined
  /** How the turn ended according to the transcript; only set if a caller asked for it. */
  readonly ending?: Ending | undefined
}

/** An error that ended a turn. */
export interface Ending {
  readonly error: string
  readonly message?: string | undefined
}

/** The project and the effort of a folder; without a project there is no effort. */
interface FolderWork {
  readonly project: ProjectRow | null
  readonly effort: EffortRow | null
}

export function workIn(context: WorkContext, cwd: string | undefined): FolderWork {
  const project = cwd === undefined ? null : context.projectOf(cwd)
  if (!project) return { project: null, effort: null }
  const active = context.rows.activeIn(project.id)
  const agentId = context.env.AGENT_ID
  // A named agent gets its own effort. Otherwise the latest effort, preferring one that belongs to no named agent.
  const own = active.find((one) => one.agentId === (agentId || null))
  return { project, effort: own ?? (agentId ? undefined : active[0]) ?? null }
}

/**
 * The effort that an event is about. A sub-agent works on its parent's effort. A session on a named agent's effort
 * stays there when an event lacks the name, for example an event read from a transcript. A session on an effort without
 * an agent's name is not moved to a named agent's effort.
 */
export function effortOf(context: WorkContext, input: HookBase): EffortRow | null {
  const { effort } = workIn(context, input.cwd)
  const isChild = (input.agentId ?? '') !== ''
  if (!isChild && context.env.AGENT_ID) return effort
  const window = context.rows.sessionOf(context.agent, input.sessionId, '')
  if (!window || window.effortId === effort?.id) return effort
  const own = context.rows.effort(window.effortId)
  if (
    own?.lifecycle === 'active' &&
    hasAskedFor(own, keyOf({ agent: context.agent, sessionId: input.sessionId }))
  )
    return own
  const isOpen = window.endedAt === null && own?.lifecycle === 'active'
  const isMoved = !isChild && own?.agentId === null && effort !== null && effort.agentId !== null
  if (isOpen && (isChild || isMoved || own.agentId !== null)) return own
  return isMoved ? null : effort
}

/** A session whose prompt named an effort's skill stays with that effort, whatever else starts in its folder. */
function hasAskedFor({ metadata: { invokedBy } }: EffortRow, session: string): boolean {
  return Array.isArray(invokedBy) && invokedBy.includes(session)
}

export function knownWindow({ rows, agent }: WorkContext, input: HookBase): WorkSessionRow | undefined {
  return rows.sessionOf(agent, input.sessionId, input.agentId ?? '')
}

/** The context window that an event belongs to. Creates the window if no start was seen. */
export function windowOf(context: WorkContext, effort: EffortRow, input: HookBase): WorkSessionRow {
  const known = knownWindow(context, input)
  if (known && known.effortId === effort.id && known.endedAt === null) return known
  return newWindow(context, effort, input)
}

/** For events that end something: they belong to the window they started in, even if that window has ended. */
export function lastWindowOf(context: WorkContext, effort: EffortRow, input: HookBase): WorkSessionRow {
  return knownWindow(context, input) ?? newWindow(context, effort, input)
}

export function newWindow(context: WorkContext, effort: EffortRow, input: HookBase): WorkSessionRow {
  const { rows, agent, now } = context
  const { sessionId: nativeId, agentId = '' } = input
  const own = knownWindow(context, input)
  if (own?.endedAt === null) rows.endSessions({ agent, nativeId, agentId }, now, 'superseded')
  const runId = context.env.GANTRY_RUN_ID || null
  const of = { effortId: effort.id, agent, nativeId, agentId, runId }
  if (agentId !== '')
    return rows.addSession({ ...of, prevSessionId: rows.sessionOf(agent, nativeId, '')?.id ?? null }, now)
  // The same conversation with a cleared context: it already got the payload as its first prompt.
  if (own?.effortId === effort.id && own.endReason === CLEARED)
    return rows.addSession({ ...of, prevSessionId: own.id, recoveredFrom: own.id }, now)
  const before = rows.sessionBefore({ effortId: effort.id, agent, family: runId && familyOf(runId) })
  return rows.addSession({ ...of, prevSessionId: before?.id ?? null }, now)
}

/** End reason of a window whose agent clears its context and continues in the same session. */
export const CLEARED = 'dehydrated'

/**
 * `GANTRY_RUN_ID`: the family that one `gantry run` starts, and a number within it. So a restarted agent's id says whom
 * it replaces, and every hook already carries it.
 */
export function runIdOf(family: string, nth: number): string {
  return `${family}.${nth}`
}

/** An id in another format is a family of its own. */
function familyOf(runId: string): string {
  return runId.replace(/\.\d+$/, '')
}
