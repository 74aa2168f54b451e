/** What a hook of the work engine has at hand, wherever it was called from; and the way from a folder to an effort. */
import type { EffortRow, ProjectRow, WorkRows, WorkSessionRow } from '../store/index.ts'
import type { HookBase } from './hook-input.ts'
import type { RootsOf } from './projects.ts'
import { familyOf } from './run-id.ts'
import type { WorkConfig } from './settings.ts'
import type { Signal } from './signals.ts'

/**
 * Who hears the answer: a client that made the call itself and gives the agent what is in it; an agent, through the
 * daemon's own answer to its hook; nobody, because the event came late or by a road on which nobody waits.
 */
export type Caller = 'client' | 'agent' | 'nobody'

export interface WorkContext {
  readonly rows: WorkRows
  readonly settings: WorkConfig
  /** The folder of gantry, where it is not the usual one: commands that an agent is told name it. */
  readonly home?: string | undefined
  /** Where tasks live that have no folder of their own. */
  readonly tasks: string
  readonly now: number
  readonly caller: Caller
  /** The agent program: claude, codex, … */
  readonly agent: string
  /** Of the caller: AGENT_ID, GANTRY_RUN_ID and the ids of the agents' own sessions. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly projectOf: (cwd: string) => ProjectRow | null
  /** Folders a project may be registered under: the repository around `cwd`, and the one it is a worktree of. */
  readonly rootsOf: RootsOf
  /** Share of the context that is used, 0 to 1, as far as anyone knows. */
  readonly usageOf: (agent: string, sessionId: string) => number | undefined
  /** Whoever is behind this caller starts the agent again when it is ended. */
  readonly startsAgain: (sessionId: string) => boolean
  /** Wakes a coordinator, once what is done here is stored. */
  readonly signal: (signal: Signal) => void
  /** How the turn ended, as the transcript says; only where somebody asked for it. */
  readonly ending?: Ending | undefined
}

/** An error that ended a turn. */
export interface Ending {
  readonly error: string
  readonly message?: string | undefined
}

/** The chain from a folder to the engine's ids; null from the first link on that is missing. */
export interface Place {
  readonly project: ProjectRow | null
  readonly effort: EffortRow | null
}

export function placeOf(context: WorkContext, cwd: string | undefined): Place {
  const project = cwd === undefined ? null : context.projectOf(cwd)
  if (!project) return { project: null, effort: null }
  const active = context.rows.activeIn(project.id)
  const agentId = context.env.AGENT_ID
  // The agent's own effort where it has a name; else the latest, and rather one that is nobody's own.
  const own = active.find((one) => one.agentId === (agentId || null))
  return { project, effort: own ?? (agentId ? undefined : active[0]) ?? null }
}

/**
 * The effort that an event is about. A sub-agent works on what its parent works on. A session on a named agent's effort
 * stays there when an event does not bear the name, such as one that was found in a transcript; and one that worked on
 * nobody's own is not moved to a named agent's.
 */
export function effortOf(context: WorkContext, input: HookBase): EffortRow | null {
  const { effort } = placeOf(context, input.cwd)
  const isChild = (input.agentId ?? '') !== ''
  if (!isChild && context.env.AGENT_ID) return effort
  const window = context.rows.sessionOf(context.agent, input.sessionId, '')
  if (!window || window.effortId === effort?.id) return effort
  const own = context.rows.effort(window.effortId)
  if (own?.lifecycle === 'active' && hasAskedFor(own, sessionKey(context, input))) return own
  const isOpen = window.endedAt === null && own?.lifecycle === 'active'
  const isMoved = !isChild && own?.agentId === null && effort !== null && effort.agentId !== null
  if (isOpen && (isChild || isMoved || own.agentId !== null)) return own
  return isMoved ? null : effort
}

/** A session that named the skill of an effort in a prompt works on that one, whatever else begins in its folder. */
function hasAskedFor({ metadata: { invokedBy } }: EffortRow, session: string): boolean {
  return Array.isArray(invokedBy) && invokedBy.includes(session)
}

export function sessionKey({ agent }: WorkContext, { sessionId }: HookBase): string {
  return `${agent}:${sessionId}`
}

/** The context window that an event belongs to. One that nobody announced begins here. */
export function windowOf(context: WorkContext, effort: EffortRow, input: HookBase): WorkSessionRow {
  const known = context.rows.sessionOf(context.agent, input.sessionId, input.agentId ?? '')
  if (known && known.effortId === effort.id && known.endedAt === null) return known
  return newWindow(context, effort, input)
}

/** For what comes at the end of something: it belongs to the window it began in, even if that one is over by now. */
export function lastWindowOf(context: WorkContext, effort: EffortRow, input: HookBase): WorkSessionRow {
  const known = context.rows.sessionOf(context.agent, input.sessionId, input.agentId ?? '')
  return known ?? newWindow(context, effort, input)
}

export function newWindow(context: WorkContext, effort: EffortRow, input: HookBase): WorkSessionRow {
  const { rows, agent, now } = context
  const { sessionId: nativeId, agentId = '' } = input
  const own = rows.sessionOf(agent, nativeId, agentId)
  if (own?.endedAt === null) rows.endSessions({ agent, nativeId, agentId }, now, 'superseded')
  const runId = context.env.GANTRY_RUN_ID || null
  const of = { effortId: effort.id, agent, nativeId, agentId, runId }
  if (agentId !== '')
    return rows.addSession({ ...of, prevSessionId: rows.sessionOf(agent, nativeId, '')?.id ?? null }, now)
  // The same conversation with its context cleared: the words that cleared it were what it left.
  if (own?.effortId === effort.id && own.endReason === CLEARED)
    return rows.addSession({ ...of, prevSessionId: own.id, recoveredFrom: own.id }, now)
  const before = rows.sessionBefore({ effortId: effort.id, agent, family: runId && familyOf(runId) })
  return rows.addSession({ ...of, prevSessionId: before?.id ?? null }, now)
}

/** How a window ended whose agent forgets its conversation and goes on in it. */
export const CLEARED = 'dehydrated'
