/** Operations on efforts: start, log, change phase, dehydrate, finish. */
import { accessSync, closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { GantryError, messageOf } from '../../core/errors.ts'
import { isInside } from '../../core/files/paths.ts'
import type { EffortRow, ProjectRow, WorkRows, WorkSessionRow } from '../../store/index.ts'
import { type WorkContext, workIn } from '../context.ts'
import { writeStatus } from '../coordination/agents.ts'
import { note } from './messages.ts'
import { DEHYDRATION_LIMIT_BYTES, type Dehydration } from './recovery.ts'

export interface NewEffort {
  readonly cwd: string
  readonly skill: string
  readonly mode?: string | undefined
  readonly phase?: string | undefined
  readonly agentId?: string | undefined
  readonly title?: string | undefined
  readonly keywords?: readonly string[] | undefined
  /** Folder of the task; defaults to the project's common task. */
  readonly taskDir?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

const MAX_KEYWORDS = 20

/** Runs inside a transaction, like all functions here but `makeTaskDir` and `appendLog`. */
export function startEffort(context: WorkContext, wanted: NewEffort): EffortRow {
  const { rows, now, later, tasks } = context
  const project = projectFor(context, resolve(wanted.cwd))
  const dirPath = wanted.taskDir === undefined ? undefined : resolve(wanted.taskDir)
  const taskDir = dirPath ?? join(tasks, `${project.id}-${slug(wanted.title ?? project.name)}`)
  const known = rows.task(taskDir)
  rows.putTask(
    {
      dirPath: taskDir,
      projectId: known?.projectId ?? project.id,
      // An existing task keeps its title, because people know it by that.
      title: known?.title ?? wanted.title ?? project.name,
      keywords: [...new Set([...(known?.keywords ?? []), ...(wanted.keywords ?? [])])].slice(0, MAX_KEYWORDS),
    },
    now,
  )
  const effort = rows.addEffort({
    taskId: taskDir,
    agentId: wanted.agentId ?? null,
    skill: wanted.skill,
    mode: wanted.mode ?? null,
    currentPhase: wanted.phase ?? null,
    discoveredDirectives: [],
    metadata: wanted.metadata ?? {},
    createdAt: now,
  })
  if (wanted.phase !== undefined) rows.addPhase(effort.id, wanted.phase, now)
  later(() => {
    try {
      makeTaskDir(taskDir)
    } catch {
      // The first log makes the folder, or reports why it cannot.
    }
  })
  return effort
}

/** Creates the folder of a task. Called before an effort begins, it fails then rather than at the first log. */
export function makeTaskDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
    accessSync(path, constants.W_OK)
  } catch (cause) {
    throw new GantryError(
      'VALIDATION_ERROR',
      `The folder of the task, ${path}, cannot be made or written: ${messageOf(cause)}. Name another with --task.`,
      { cause },
    )
  }
}

/** Resets the heartbeat of every open window: one log counts for the whole effort. */
export function logEffort(context: WorkContext, effort: EffortRow, text: string): void {
  const { rows } = context
  const open = rows.sessions(effort.id).filter(({ endedAt }) => endedAt === null)
  for (const { id } of open) rows.updateSession(id, { heartbeatCounter: 0 })
  const own = ownWindow(context, effort)
  const last = own ?? open.at(-1) ?? rows.lastSession(effort.id)
  if (last) note(context, last.id, 'log', text)
}

/** Appends to the effort's log file, which the next window and people read. */
export function appendLog(effort: EffortRow, text: string, now: number): string {
  const name = `${effort.ordinal}_${effort.skill.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_LOG.md`
  const path = join(effort.taskId, name)
  mkdirSync(effort.taskId, { recursive: true })
  // A task may be a folder of a repository, and a link in it must not redirect the log.
  const file = openSync(path, APPEND, 0o600)
  try {
    writeSync(file, `- ${new Date(now).toISOString()} ${text.replace(/\n/g, '\n  ')}\n`)
  } finally {
    closeSync(file)
  }
  return path
}

const APPEND =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK

export function movePhase(context: WorkContext, effort: EffortRow, phase: string): void {
  context.rows.updateEffort(effort.id, { currentPhase: phase })
  context.rows.addPhase(effort.id, phase, context.now)
}

export function finishEffort(context: WorkContext, effort: EffortRow): void {
  const { rows, now } = context
  rows.updateEffort(effort.id, { lifecycle: 'finished', finishedAt: now })
  rows.endEffortSessions(effort.id, now, 'effort finished')
  for (const { id, effortId } of rows.agents())
    if (effortId === effort.id) writeStatus(context, effort, id, 'done')
}

/** Stores the payload with the window that wrote it, for the next window. Returns that window. */
export function dehydrate(
  context: WorkContext,
  effort: EffortRow,
  payload: Dehydration,
): { sessionId: number; agent: string; nativeId: string; runId: string | null } {
  const text = JSON.stringify(payload)
  const bytes = Buffer.byteLength(text)
  if (bytes > DEHYDRATION_LIMIT_BYTES) {
    const message = `That is ${bytes} bytes; at most ${DEHYDRATION_LIMIT_BYTES} are kept. Name files instead of quoting them.`
    throw new GantryError('VALIDATION_ERROR', message)
  }
  const last = ownWindow(context, effort) ?? context.rows.lastSession(effort.id)
  if (!last) {
    throw new GantryError(
      'VALIDATION_ERROR',
      `Effort ${effort.id} has no session yet, so there is nothing to carry over.`,
    )
  }
  context.rows.updateSession(last.id, { dehydrationPayload: text })
  return { sessionId: last.id, agent: last.agent, nativeId: last.nativeId, runId: last.runId }
}

/**
 * The caller's window if it can be identified, since two agents may work on one effort. An agent started by a tool call
 * shares the run of its parent; its window has ended by now unless it is the caller.
 */
function ownWindow({ rows, env }: WorkContext, effort: EffortRow): WorkSessionRow | undefined {
  const { GANTRY_RUN_ID: run } = env
  if (!run) return undefined
  const own = rows.sessions(effort.id).filter(({ agentId, runId }) => agentId === '' && runId === run)
  return own.findLast(({ endedAt }) => endedAt === null) ?? own.at(-1)
}

/** Prefers the repository's project, so a project around many repositories does not mix their efforts. */
function projectFor(context: WorkContext, cwd: string): ProjectRow {
  const root = context.rootsOf(cwd).at(-1)
  const { project } = workIn(context, cwd)
  if (project && (root === undefined || isInside(project.path, root))) return project
  const path = root ?? cwd
  return context.rows.addProject(path, basename(path), context.now)
}

/** The effort that a command means: by id, or the active one of the folder and the agent. */
export function effortFor(context: WorkContext, id: number | undefined, cwd: string | undefined): EffortRow {
  if (id !== undefined) return effortWith(id, context.rows)
  const { effort } = workIn(context, cwd)
  if (effort) return effort
  const { AGENT_ID: agentId } = context.env
  throw new GantryError(
    'VALIDATION_ERROR',
    `No effort${agentId ? ` of agent "${agentId}"` : ''} is active here. Begin one with: gantry effort start <skill>`,
  )
}

export function effortWith(id: number, rows: WorkRows): EffortRow {
  const effort = rows.effort(id)
  if (effort) return effort
  throw new GantryError('VALIDATION_ERROR', `There is no effort ${id}. See: gantry effort list --all`)
}

export function taskTitle(rows: WorkRows, effort: EffortRow): string {
  return rows.task(effort.taskId)?.title ?? basename(effort.taskId)
}

function slug(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 40) || 'task'
  )
}
