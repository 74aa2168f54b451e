/**
 * Prompts that name a skill, as `/implement the search` does: they begin an effort of that skill, or go on with the active
 * one. Only the skills of the user's own list count (`[work.skills.<name>]`), which is empty without one: an effort counts
 * and denies tool calls, and nobody is to meet that who never wrote such a list.
 */
import { isAbsolute } from 'node:path'
import { GantryError } from '../core/errors.ts'
import type { EffortRow } from '../store/index.ts'
import { effortOf, sessionKey, type WorkContext } from './context.ts'
import { makeTaskDir, startEffort } from './efforts.ts'
import type { HookBase } from './hook-input.ts'
import type { Skills, WorkConfig } from './settings.ts'

/** A command of Claude Code, Gemini CLI and others, also of a plug-in (`/engine:fix`); Codex mentions skills with `$`. */
const COMMAND = /^\s{0,20}[/$](?:[\w.-]{1,64}:){0,3}([A-Za-z0-9][\w-]{0,63})(?=\s|$)(?:\s{1,20}(\S{1,64}))?/

export interface Invoked {
  readonly skill: string
  readonly mode: string | undefined
}

export function skillIn(prompt: unknown, skills: Skills | undefined): Invoked | undefined {
  if (typeof prompt !== 'string' || skills === undefined) return undefined
  const [, skill = '', word] = COMMAND.exec(prompt) ?? []
  const config = Object.hasOwn(skills, skill) ? skills[skill] : undefined
  if (!config) return undefined
  return { skill, mode: config.modes.find((mode) => mode === word) }
}

/** Inside a transaction. Whether an effort began with this prompt. */
export function enterSkill(context: WorkContext, input: HookBase & { readonly prompt?: unknown }): boolean {
  const invoked = skillIn(input.prompt, context.settings.skills)
  const { cwd } = input
  if (!invoked || (input.agentId ?? '') !== '' || cwd === undefined || !isAbsolute(cwd)) return false
  const active = activeOf(context, input, invoked.skill)
  leaveOther(context, input, active)
  if (active) {
    goOn(context, active, input, invoked.mode)
    return false
  }
  const { now, signal, settings } = context
  const { skill, mode } = invoked
  const phase = settings.skills?.[skill]?.phases[0]
  const agentId = context.env.AGENT_ID || undefined
  const metadata = { invokedBy: [sessionKey(context, input)] }
  const effort = startEffort(context, { cwd, skill, mode, phase, agentId, metadata }, context.tasks)
  try {
    makeTaskDir(effort)
  } catch {
    // The first log says what is wrong with it; a prompt goes through.
  }
  signal({ kind: 'WORK', about: `effort ${effort.id}`, detail: skill, effort: effort.id, at: now })
  return true
}

/** The one that the session works on, else the one of its folder and agent. */
function activeOf(context: WorkContext, input: HookBase, skill: string): EffortRow | undefined {
  const current = effortOf(context, input)
  const window = context.rows.sessionOf(context.agent, input.sessionId, '')
  if (current?.skill === skill && window?.effortId === current.id) return current
  const project = context.projectOf(input.cwd ?? '')
  const active = project ? context.rows.activeIn(project.id) : []
  return active.find((one) => one.skill === skill && one.agentId === (context.env.AGENT_ID || null))
}

/** What the session asked for before is not its own any more. */
function leaveOther(context: WorkContext, input: HookBase, active: EffortRow | undefined): void {
  const { rows, agent } = context
  const window = rows.sessionOf(agent, input.sessionId, '')
  const last = window && rows.effort(window.effortId)
  if (!last || last.id === active?.id) return
  const invokedBy = othersOf(last, sessionKey(context, input))
  rows.updateEffort(last.id, { metadata: { ...last.metadata, invokedBy } })
}

function othersOf({ metadata: { invokedBy } }: EffortRow, session: string): unknown[] {
  return Array.isArray(invokedBy) ? invokedBy.filter((one) => one !== session) : []
}

const MAX_SESSIONS = 50 // that are remembered to have asked for an effort; the oldest go first

/** The session stays with it from here on, and it is the folder's again. */
function goOn(context: WorkContext, effort: EffortRow, input: HookBase, mode: string | undefined): void {
  const { rows, now } = context
  const session = sessionKey(context, input)
  const metadata = {
    ...effort.metadata,
    invokedBy: [...othersOf(effort, session), session].slice(-MAX_SESSIONS),
    continuedAt: now,
  }
  rows.updateEffort(effort.id, { metadata, ...(mode === undefined ? {} : { mode }) })
}

/** Where a skill has a list of modes or phases, one that is not in it is a mistake. */
export function checkSkill(
  { skills }: WorkConfig,
  {
    skill,
    mode,
    phase,
  }: { readonly skill: string; readonly mode?: string | undefined; readonly phase?: string | undefined },
): void {
  const config = skills !== undefined && Object.hasOwn(skills, skill) ? skills[skill] : undefined
  refuse(skill, 'mode', mode, config?.modes)
  refuse(skill, 'phase', phase, config?.phases)
}

function refuse(
  skill: string,
  what: 'mode' | 'phase',
  given: string | undefined,
  known: readonly string[] = [],
): void {
  if (given === undefined || known.length === 0 || known.includes(given)) return
  throw new GantryError(
    'VALIDATION_ERROR',
    `The skill ${skill} has no ${what} "${given}". It has: ${known.join(', ')} ([work.skills.${skill}] in gantry.toml).`,
  )
}
