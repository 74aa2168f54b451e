/**
 * Applies one event to one session. Pure: the same journal gives the same state, live and in a rebuild. A hidden event, or
 * one from before this generation, only shows that the session lives.
 */
import { asksPermission, factsOf, pidIn } from '../../agents/facts.ts'
import type { HookEvent } from '../../events/index.ts'
import { active, isAfterthought, without } from './activity.ts'
import { HOOKLESS } from './gantry-agent.ts'
import { answerElicitation, askElicitation, askPermission, notify, resolvePermission } from './permissions.ts'
import type { Session } from './session.ts'
import { beginChild, keepChild, restTeammate, stopChild } from './subagents.ts'
import { withTodos } from './todos.ts'
import { beginTool, denyTool, endBatch, endTool } from './tool-calls.ts'
import {
  breakTurn,
  closeTurn,
  denyTurn,
  endSession,
  failTurn,
  keepTurn,
  observeTurn,
  openTurn,
  startSession,
} from './turns.ts'

export function reduce(session: Session, event: HookEvent): Session {
  const known = withFacts(session, event)
  if (event.hidden !== undefined || isLate(session, event)) return known
  const alive = revived(known, event)
  // Claude sends a StopFailure while it exits, after the end of its session.
  return alive.endedAt !== undefined && event.type !== 'SessionStart'
    ? alive
    : withWork(alive, apply(alive, event), event)
}

/** Adds the time of a turn that this event ended. */
function withWork({ turn: { open, startedAt } }: Session, next: Session, { at }: HookEvent): Session {
  const isSame = next.turn.open && next.turn.startedAt === startedAt
  if (!open || startedAt === undefined || isSame || at <= startedAt) return next
  return { ...next, workedMs: (next.workedMs ?? 0) + at - startedAt }
}

function apply(session: Session, event: HookEvent): Session {
  switch (event.type) {
    case 'SessionStart': {
      const started = startSession(session, event)
      // Copilot starts with its first prompt, whose own hook comes up to half a second later.
      return event.prompt ? openTurn(started, event) : started
    }
    case 'UserPromptSubmit':
      return event.agentId === undefined ? openTurn(session, event) : session
    case 'UserPromptDenied':
      return denyTurn(session, event)
    case 'PreToolUse':
      return beginTool(session, event)
    case 'PermissionRequest':
      return askPermission(session, event)
    case 'PostToolUse':
      return endTool(withTodos(session, event), event, undefined)
    case 'PostToolUseFailure':
      return endTool(session, event, { tool: event.tool?.name ?? '', message: event.tool?.error ?? '' })
    case 'PostToolBatch':
      return endBatch(session, event)
    case 'PermissionResolved':
    case 'PermissionReplied':
      return resolvePermission(session, event)
    case 'Elicitation':
      return askElicitation(session, event)
    case 'ElicitationResult':
      return answerElicitation(session, event)
    case 'PermissionDenied':
      return denyTool(session, event)
    case 'Stop':
      return event.agentId === undefined ? closeTurn(session, event) : session
    case 'StopBlocked':
      return event.agentId === undefined ? keepTurn(session, event) : keepChild(session, event)
    case 'StopFailure':
      return event.agentId === undefined ? failTurn(session, event) : session
    case 'TurnObserved':
      return observeTurn(session, event)
    case 'Interrupt':
      return breakTurn(session, event)
    case 'Notification':
      return notify(session, event)
    case 'SubagentStart':
      return beginChild(session, event)
    case 'SubagentStop':
      return stopChild(session, event)
    case 'TeammateIdle':
      return restTeammate(session, event)
    case 'PreCompact':
      return { ...active(session), compacting: true, detail: 'Compacting' }
    case 'PostCompact':
      return without({ ...session, compacting: false }, 'detail')
    case 'Setup':
      return { ...active(session), turn: { ...session.turn, open: true }, detail: 'Setup' }
    case 'SessionEnd':
      return endSession(session, event)
    case 'PreModelRequest':
    case 'PostModelRequest':
      return event.agentId === undefined && session.turn.open ? requested(session, event) : session
    default:
      return session // unknown events keep a session alive, never change what it does
  }
}

/** A failed request is retried: the end of a turn has its own event. */
function requested(session: Session, { error }: HookEvent): Session {
  return error === undefined ? active(session) : { ...active(session), detail: 'Retrying' }
}

/** Facts that any event may carry, whatever else it means. */
function withFacts(session: Session, event: HookEvent): Session {
  const next: { -readonly [K in keyof Session]: Session[K] } = {
    ...session,
    lastActivity: Math.max(session.lastActivity, event.at),
  }
  if (event.agentVersion !== undefined) next.agentVersion = event.agentVersion
  if (event.cwd !== undefined && event.agentId === undefined) next.cwd = event.cwd
  if (event.permissionMode !== undefined) next.permissionMode = event.permissionMode
  if (event.model !== undefined && event.agentId === undefined) next.model = event.model
  if (event.transport === 'healer' && (event.reason ?? event.fields?.reason) === HOOKLESS)
    next.hookless = true
  else if (next.hookless && HOOKED.has(event.transport)) delete next.hookless
  if (event.transport !== 'replay' && event.at >= session.generationAt) takeWhereabouts(next, event)
  if (event.usage !== undefined) takeUsage(next, event)
  if (event.hidden !== undefined) return next // its messages were not shown to anybody
  // The end of a turn with a missed prompt carries the prompt, too: Gemini's AfterAgent, Codex's notify.
  const tellsPrompt = event.type === 'UserPromptSubmit' || (event.type === 'Stop' && !session.turn.open)
  if (
    event.prompt !== undefined &&
    tellsPrompt &&
    !event.promptInjected &&
    event.agentId === undefined &&
    !(isAfterthought(event) && event.at < (session.lastPromptAt ?? 0))
  ) {
    next.firstPrompt ??= event.prompt.slice(0, 500)
    next.lastPrompt = event.prompt.slice(0, 2000)
    next.lastPromptAt = event.at
  }
  if (event.message !== undefined && event.agentId === undefined)
    next.lastMessage = event.message.slice(0, 4000)
  return next
}

/** Transports of hooks that ran on this machine. */
const HOOKED: ReadonlySet<string> = new Set(['socket', 'http', 'rpc', 'spool'])

/** Takes the session's process, pane and transcript. */
function takeWhereabouts(next: { -readonly [K in keyof Session]: Session[K] }, event: HookEvent): void {
  const { pane = paneIn(event), tmux } = event.client
  const pid = pidOf(event)
  // Codex gives a sub-agent's hooks the sub-agent's own transcript.
  if (event.transcriptPath !== undefined && event.agentId === undefined)
    next.transcriptPath = event.transcriptPath
  if (pane !== undefined) next.pane = pane
  if (tmux !== undefined) next.tmux = tmux
  if (pid !== undefined) next.pid = pid
  // After a resume, the previous process is not the one that sent this.
  else if (event.type === 'SessionStart' && event.source !== 'compact') delete next.pid
}

/** Other tools' hook scripts put it into the payload. */
function paneIn({ fields }: HookEvent): string | undefined {
  const pane = fields?.tmux_pane
  return typeof pane === 'string' && /^%\d{1,9}$/.test(pane) ? pane : undefined
}

/** An ended session that continues: resumed without a start, or with a repeated end. */
function revived(session: Session, event: HookEvent): Session {
  if (session.endedAt === undefined || event.type === 'SessionEnd' || event.type === 'SessionStart')
    return session
  if (!REVIVING.has(event.type) && !asksPermission(event)) return session
  return without(
    { ...session, generation: session.generation + 1, generationAt: event.at },
    'endedAt',
    'endReason',
  )
}

const REVIVING = new Set(['UserPromptSubmit', 'PreToolUse', 'PreCompact', 'PreModelRequest'])

/** From before this generation, or before the session's end: it does not change the current state. */
function isLate(session: Session, event: HookEvent): boolean {
  if (event.at < session.generationAt) return true
  if (event.type === 'SessionStart' || event.type === 'SessionEnd') return false
  return session.endedAt !== undefined && event.at <= session.endedAt
}

/** The context window is the main thread's; the cost is everybody's. */
function takeUsage(next: { -readonly [K in keyof Session]: Session[K] }, event: HookEvent): void {
  const { contextPct, contextTokens, contextWindow, inputTokens, outputTokens, costUsd } = event.usage ?? {}
  const { linesAdded, linesRemoved } = event.usage ?? {}
  const { costEstimated, ...known } = next.usage
  const isMain = event.agentId === undefined
  const tokens = contextTokens ?? (inputTokens === undefined ? undefined : inputTokens + (outputTokens ?? 0))
  if (costUsd !== undefined && (!isMain || next.costs !== undefined))
    next.costs = withCost(next.costs ?? { '': known.costUsd ?? 0 }, event.agentId ?? '', costUsd)
  const cost = costUsd !== undefined && next.costs ? sumOf(next.costs) : costUsd
  next.usage = {
    ...known,
    ...(contextPct === undefined || !isMain ? {} : { contextPct }),
    ...(tokens === undefined || !isMain ? {} : { tokens }),
    ...(contextWindow === undefined || !isMain ? {} : { contextWindow }),
    ...(linesAdded === undefined ? {} : { linesAdded }),
    ...(linesRemoved === undefined ? {} : { linesRemoved }),
    ...(cost === undefined ? (costEstimated ? { costEstimated } : {}) : { costUsd: cost }),
  }
}

const MAX_COSTS = 256 // threads; older ones are summed together

function withCost(
  costs: Readonly<Record<string, number>>,
  thread: string,
  cost: number,
): Record<string, number> {
  const next = { ...costs, [thread]: cost }
  const oldest = Object.keys(next).find((one) => one !== '' && one !== PAST && one !== thread)
  if (Object.keys(next).length <= MAX_COSTS || oldest === undefined) return next
  const { [oldest]: over = 0, ...rest } = next
  return { ...rest, [PAST]: (rest[PAST] ?? 0) + over }
}

const PAST = 'past'

function sumOf(costs: Readonly<Record<string, number>>): number {
  return Math.round(Object.values(costs).reduce((sum, one) => sum + one, 0) * MICRO) / MICRO
}

const MICRO = 1_000_000 // of a dollar; float sums differ beyond that

/** As the daemon saw it; else as the agent told its hooks. */
export function pidOf({ agent, client }: HookEvent): number | undefined {
  if (client.agentPid !== undefined) return isProcess(client.agentPid) ? client.agentPid : undefined
  if (factsOf(agent).inProcess) return client.pid
  // Everything an agent runs inherits its variable, so in another agent's hooks it means somebody else.
  const named = Number(pidIn(agent, client.env))
  return isProcess(named) ? named : undefined
}

function isProcess(pid: number | undefined): pid is number {
  return Number.isSafeInteger(pid) && (pid ?? 0) > 1
}
