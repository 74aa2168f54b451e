/**
 * Prompts that name a skill, such as `/implement the search`: they start an effort of that skill, or continue the
 * active one. Only skills in the user's own list (`[work.skills.<name>]`, empty by default) count, because an effort
 * denies tool calls and nobody should meet that without having asked for it.
 */
import { isAbsolute } from 'node:path'
import { GantryError } from '../../core/errors.ts'
import { keyOf } from '../../events/index.ts'
import type { EffortRow } from '../../store/index.ts'
import type { Skills, WorkConfig } from '../config.ts'
import { effortOf, type WorkContext } from '../context.ts'
import type { HookBase } from '../hook-input.ts'
import { startEffort } from './efforts.ts'

/**
 * A command of Claude Code, Gemini CLI and others, also of a plug-in (`/engine:fix`); Codex mentions skills with `$`.
 */
const COMMAND = /^\s{0,20}[/$](?:[\w.-]{1,64}:){0,3}([A-Za-z0-9][\w-]{0,63})(?=\s|$)(?:\s{1,20}(\S{1,64}))?/

interface Invoked {
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

/** Before the commit: the effort that an event is about, or that its prompt will continue. */
export function effortAhead(
  context: WorkContext,
  input: HookBase & { readonly prompt?: unknown },
): EffortRow | null {
  const invoked = skillIn(input.prompt, context.settings.skills)
  return invoked ? (activeOf(context, input, invoked.skill) ?? null) : effortOf(context, input)
}

/** Runs inside a transaction. True if this prompt started an effort. */
export function enterSkill(context: WorkContext, input: HookBase & { readonly prompt?: unknown }): boolean {
  const invoked = skillIn(input.prompt, context.settings.skills)
  const { cwd } = input
  if (!invoked || (input.agentId ?? '') !== '' || cwd === undefined || !isAbsolute(cwd)) return false
  const active = activeOf(context, input, invoked.skill)
  leaveLast(context, input, active)
  if (active) {
    continueEffort(context, active, input, invoked.mode)
    return false
  }
  const { now, signal, settings } = context
  const { skill, mode } = invoked
  const phase = settings.skills?.[skill]?.phases[0]
  const agentId = context.env.AGENT_ID || undefined
  const metadata = { invokedBy: [keyOf({ agent: context.agent, sessionId: input.sessionId })] }
  const effort = startEffort(context, { cwd, skill, mode, phase, agentId, metadata })
  signal({ kind: 'WORK', about: `effort ${effort.id}`, detail: skill, effort: effort.id, at: now })
  return true
}

/** The effort of the session, else the one of its folder and agent. */
function activeOf(context: WorkContext, input: HookBase, skill: string): EffortRow | undefined {
  const current = effortOf(context, input)
  const window = context.rows.sessionOf(context.agent, input.sessionId, '')
  if (current?.skill === skill && window?.effortId === current.id) return current
  const project = context.projectOf(input.cwd ?? '')
  const active = project ? context.rows.activeIn(project.id) : []
  return active.find((one) => one.skill === skill && one.agentId === (context.env.AGENT_ID || null))
}

/** Removes the session from the effort that it named before. */
function leaveLast(context: WorkContext, input: HookBase, active: EffortRow | undefined): void {
  const { rows, agent } = context
  const window = rows.sessionOf(agent, input.sessionId, '')
  const last = window && rows.effort(window.effortId)
  if (!last || last.id === active?.id) return
  const invokedBy = othersOf(last, keyOf({ agent: context.agent, sessionId: input.sessionId }))
  rows.updateEffort(last.id, { metadata: { ...last.metadata, invokedBy } })
}

function othersOf({ metadata: { invokedBy } }: EffortRow, session: string): unknown[] {
  return Array.isArray(invokedBy) ? invokedBy.filter((one) => one !== session) : []
}

const MAX_SESSIONS = 50 // sessions remembered per effort; the oldest are dropped first

/** Ties the session to this effort, and makes it the folder's latest again. */
function continueEffort(
  context: WorkContext,
  effort: EffortRow,
  input: HookBase,
  mode: string | undefined,
): void {
  const { rows, now } = context
  const session = keyOf({ agent: context.agent, sessionId: input.sessionId })
  const metadata = {
    ...effort.metadata,
    invokedBy: [...othersOf(effort, session), session].slice(-MAX_SESSIONS),
    continuedAt: now,
  }
  rows.updateEffort(effort.id, { metadata, ...(mode === undefined ? {} : { mode }) })
}

/** If a skill lists its modes or phases, any other is an error. */
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
