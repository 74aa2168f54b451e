/** How a new context window learns what the one before knew. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { EffortRow, WorkSessionRow } from '../store/index.ts'

export const DEHYDRATION_LIMIT_BYTES = 64 * 1024 // it is meant to fit into a fresh context many times over

/** What an agent writes down before its context is closed. */
export const dehydrationSchema = z.strictObject({
  task: z.string().min(1).max(4_000),
  decisions: z.array(z.string().max(2_000)).max(100).default([]),
  files: z.array(z.string().max(1_000)).max(200).default([]),
  nextSteps: z.array(z.string().max(2_000)).min(1).max(100),
  notes: z.string().max(20_000).optional(),
})

export type Dehydration = z.infer<typeof dehydrationSchema>

/** What the window before left: its own words, else the files of the effort. */
export function recoveryFor(
  effort: EffortRow,
  before: Pick<WorkSessionRow, 'dehydrationPayload'>,
): string | null {
  if (before.dehydrationPayload !== null) return recoveryBlock(effort, before.dehydrationPayload)
  const artifacts = artifactsOf(effort)
  return artifacts.length === 0 ? null : artifactBlock(effort, artifacts)
}

export function recoveryBlock(effort: EffortRow, payload: string): string {
  const known = dehydrationSchema.safeParse(parsed(payload))
  const head = `You go on with effort ${effort.id} (${effort.skill}${effort.currentPhase ? `, phase ${effort.currentPhase}` : ''}) after its context was full. What the last window wrote down:`
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

export interface Artifact {
  readonly name: string
  readonly path: string
}

const MAX_ARTIFACTS = 50
const ARTIFACT_BYTES = 12_000 // of each, its end: logs grow at the end
const ALL_ARTIFACTS_CHARS = 40_000 // they are read while an agent waits, and are to leave it room

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
  const head = `You go on with effort ${effort.id} (${effort.skill}). Its last window left nothing but these files:`
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

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `- ${line}`)]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
