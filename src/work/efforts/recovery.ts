/** How a new context window learns what the previous one knew. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { jsonIn } from '../../core/json.ts'
import { dehydrationSchema } from '../../rpc/calls/index.ts'
import type { EffortRow, WorkRows, WorkSessionRow } from '../../store/index.ts'
import type { WorkContext } from '../context.ts'

export const DEHYDRATION_LIMIT_BYTES = 64 * 1024 // small compared to a fresh context

export type Dehydration = z.infer<typeof dehydrationSchema>

/** The recovery text for a window, and the window whose payload it contains; 0 if none. */
interface Recovery {
  readonly words: string | null
  readonly from: number
}

const MAX_WINDOWS_BACK = 100 // all of them ended without any output
const LAST_MESSAGES = 10
const MESSAGE_CHARS = 500 // per message: a reminder, not a copy

/**
 * Returns once what the previous windows left, and records that it was delivered, since the daemon may be restarted in
 * between. The text is in the answer to the event of this transaction. If it needs files that were not read before, a later
 * answer carries it.
 */
export function recover(
  { rows, files }: Pick<WorkContext, 'rows' | 'files'>,
  effort: EffortRow,
  window: WorkSessionRow,
): string | null {
  if (window.prevSessionId === null || window.recoveredFrom !== null || window.agentId !== '') return null
  const before = rows.session(window.prevSessionId)
  const recovery = before ? recoveryFor(rows, effort, before, files) : NOTHING_LEFT
  if (!recovery) return null
  rows.updateSession(window.id, { recoveredFrom: recovery.from })
  return recovery.words
}

/** Whether the answer to this event may carry a recovery: its window has none yet, or is about to begin. */
export function mayRecover({ rows, agent }: WorkContext, effort: EffortRow, sessionId: string): boolean {
  const window = rows.sessionOf(agent, sessionId, '')
  if (window?.effortId !== effort.id || window.endedAt !== null)
    return rows.lastSession(effort.id) !== undefined
  return window.prevSessionId !== null && window.recoveredFrom === null
}

const NOTHING_LEFT: Recovery = { words: null, from: 0 }

/**
 * What the previous windows left: the newest payload, unless a later window wrote or logged something; else the
 * effort's files; else the last messages. Undefined if the files are needed, and were not read.
 */
export function recoveryFor(
  rows: WorkRows,
  effort: EffortRow,
  before: WorkSessionRow,
  read: EffortFiles | undefined,
): Recovery | undefined {
  const left = lastPayload(rows, before)
  const payload = left?.dehydrationPayload ? recoveryBlock(effort, left.dehydrationPayload) : undefined
  if (left && payload !== undefined && left.id === before.id) return { words: payload, from: left.id }
  if (read?.effortId !== effort.id) return undefined
  const files = read.block
  // An open window has left nothing yet: another session works on the effort, too.
  const isSilent = payload === undefined && (files !== undefined || before.endedAt === null)
  const said = isSilent ? undefined : messageBlock(rows, effort, left?.id)
  const words = [payload, files, said].filter((one) => one !== undefined)
  return { words: words.length === 0 ? null : words.join('\n'), from: left?.id ?? 0 }
}

function lastPayload(rows: WorkRows, before: WorkSessionRow): WorkSessionRow | undefined {
  let window: WorkSessionRow | undefined = before
  for (let back = 0; window && back < MAX_WINDOWS_BACK; back++) {
    if (window.dehydrationPayload !== null) return window
    if (window.prevSessionId === null || rows.hasLogged(window.id)) return undefined
    window = rows.session(window.prevSessionId)
  }
  return undefined
}

/** The state of the effort and its last messages; with `after`, only those of later windows. */
function messageBlock(rows: WorkRows, effort: EffortRow, after: number | undefined): string | undefined {
  const said = rows
    .latestMessages(effort.id, LAST_MESSAGES)
    .filter(({ sessionId }) => after === undefined || sessionId > after)
    .map(({ role, content }) => `- ${role}: ${content.slice(0, MESSAGE_CHARS)}`)
  if (after !== undefined) return said.length === 0 ? undefined : ['Messages since then:', ...said].join('\n')
  const head = `You continue ${nameOf(effort, rows.task(effort.taskId)?.title)}. Its last window left no dehydration payload.`
  return [head, ...(said.length === 0 ? [] : ['Last messages:']), ...said].join('\n')
}

export function recoveryBlock(effort: EffortRow, payload: string): string {
  const known = dehydrationSchema.safeParse(jsonIn(payload))
  const head = `You continue ${nameOf(effort)} after its context was full. What the last window wrote down:`
  if (!known.success) return `${head}\n${payload}`
  const { task, decisions, files, nextSteps, notes } = known.data
  return [
    head,
    `Task: ${task}`,
    ...section('Decisions', decisions),
    ...section('Files', files),
    ...section('Next steps', nextSteps),
    ...(notes === undefined ? [] : [`Notes: ${notes}`]),
  ].join('\n')
}

/** What the next window may need from the disk. */
export interface EffortFiles {
  readonly effortId: number
  readonly paths: readonly string[]
  readonly block: string | undefined
}

/** Called before the commit, because a slow disk must not hold up a transaction. */
export function readFiles(effort: EffortRow): EffortFiles {
  const artifacts = artifactsOf(effort)
  const block = artifacts.length === 0 ? undefined : artifactBlock(effort, artifacts)
  return { effortId: effort.id, paths: artifacts.map(({ path }) => path), block }
}

interface Artifact {
  readonly name: string
  readonly path: string
}

const MAX_ARTIFACTS = 50
const ARTIFACT_BYTES = 12_000 // per file, from its end: logs grow at the end
const ALL_ARTIFACTS_CHARS = 40_000 // they are read while an agent waits, and must leave it room

/** Files of an effort in its task's folder: `<ordinal>_<NAME>.md`. */
export function artifactsOf(effort: EffortRow): Artifact[] {
  try {
    return readdirSync(effort.taskId)
      .filter((name) => name.startsWith(`${effort.ordinal}_`))
      .sort(byNumber.compare)
      .map((name) => ({ name, path: join(effort.taskId, name) }))
      .filter(({ path }) => lstatSync(path, { throwIfNoEntry: false })?.isFile())
      .slice(0, MAX_ARTIFACTS)
  } catch {
    return [] // the folder is gone, or was never made
  }
}

export function artifactBlock(effort: EffortRow, artifacts: readonly Artifact[]): string {
  const head = `You continue effort ${effort.id} (${effort.skill}). Its last window left nothing but these files:`
  let room = ALL_ARTIFACTS_CHARS
  const shown = artifacts.map(({ name, path }) => {
    const text = room > 0 ? endOf(path) : ''
    const fits = text.length <= room
    room -= fits ? text.length : 0
    return fits && text !== '' ? `--- ${name}\n${text}` : `--- ${name}: read it at ${path}`
  })
  return [head, ...shown].join('\n')
}

const byNumber = new Intl.Collator('en', { numeric: true })

function endOf(path: string): string {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stat = fstatSync(file)
    if (!stat.isFile()) return '(cannot be read)'
    const { size } = stat
    const bytes = Buffer.alloc(Math.min(size, ARTIFACT_BYTES))
    const read = readSync(file, bytes, 0, bytes.length, size - bytes.length)
    return bytes.toString('utf8', 0, read)
  } catch {
    return '(cannot be read)'
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

export function nameOf({ id, skill, currentPhase }: EffortRow, title = ''): string {
  return `effort ${id}${title && ` "${title}"`} (${skill}${currentPhase ? `, phase ${currentPhase}` : ''})`
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `- ${line}`)]
}
