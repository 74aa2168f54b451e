/**
 * One event changes one session. Pure: the same journal gives the same state, live and in a rebuild. An event from
 * before this generation, or one that is recognised and never counted, only shows that the session lives.
 */
import type { HookEvent } from '../events/index.ts'
import { endChild, openChildren, startChild } from './children.ts'
import type { Attention, Session } from './session.ts'
import { callForPermission, closeTool, openTool, withAttention } from './tools.ts'

export const GRACE_MS = 60_000 // a gap between tool calls can look like the end of a turn

const QUESTIONS: Readonly<Record<string, Attention['kind']>> = {
  AskUserQuestion: 'question',
  ask_user: 'question',
  EnterPlanMode: 'plan',
  ExitPlanMode: 'plan',
  enter_plan_mode: 'plan',
  exit_plan_mode: 'plan',
}

export function reduce(session: Session, event: HookEvent): Session {
  const known = withFacts(session, event)
  if (event.hidden !== undefined || isLate(session, event)) return known
  const alive = revived(known, event)
  // Claude sends a StopFailure while it exits, after the end of its session.
  return alive.endedAt !== undefined && event.type !== 'SessionStart' ? alive : apply(alive, event)
}

function apply(session: Session, event: HookEvent): Session {
  switch (event.type) {
    case 'SessionStart':
      return startSession(session, event)
    case 'UserPromptSubmit':
      return event.agentId === undefined ? openTurn(session, event) : session
    case 'PreToolUse':
      return beginTool(session, event)
    case 'PermissionRequest':
      return askPermission(session, event)
    case 'PostToolUse':
      return endTool(session, event, undefined)
    case 'PostToolUseFailure':
      return endTool(session, event, { tool: event.tool?.name ?? '', message: event.tool?.error ?? '' })
    case 'PermissionResolved':
    case 'PermissionReplied':
      return resolvePermission(session, event)
    case 'PermissionDenied':
      return { ...session, ...closeTool(session, event), detail: 'Thinking' }
    case 'Stop':
      return event.agentId === undefined ? closeTurn(session, event) : session
    case 'StopFailure':
      return event.agentId === undefined ? failTurn(session, event) : session
    case 'Interrupt':
      return {
        ...settled(session, event),
        background: [],
        children: session.children.map((c) => ended(c, event.at)),
      }
    case 'Notification':
      return notify(session, event)
    case 'SubagentStart':
      return beginChild(session, event)
    case 'SubagentStop':
      return stopChild(session, event)
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
      return event.agentId === undefined && session.turn.open ? active(session) : session
    default:
      return session // unknown events keep a session alive, never change what it does
  }
}

/** What any event may tell, whatever else it means. */
function withFacts(session: Session, event: HookEvent): Session {
  const next: { -readonly [K in keyof Session]: Session[K] } = {
    ...session,
    lastActivity: Math.max(session.lastActivity, event.at),
  }
  if (event.agentVersion !== undefined) next.agentVersion = event.agentVersion
  if (event.cwd !== undefined && event.agentId === undefined) next.cwd = event.cwd
  if (event.transcriptPath !== undefined) next.transcriptPath = event.transcriptPath
  if (event.permissionMode !== undefined) next.permissionMode = event.permissionMode
  if (event.model !== undefined && event.agentId === undefined) next.model = event.model
  if (event.client.pane !== undefined) next.pane = event.client.pane
  if (event.client.tmux !== undefined) next.tmux = event.client.tmux
  const pid = pidOf(event)
  if (pid !== undefined) next.pid = pid
  if (event.usage !== undefined) next.usage = usageOf(session, event)
  if (
    event.prompt !== undefined &&
    event.type === 'UserPromptSubmit' &&
    !event.promptInjected &&
    event.agentId === undefined
  ) {
    next.lastPrompt = event.prompt.slice(0, 2000)
  }
  if (event.message !== undefined && event.agentId === undefined)
    next.lastMessage = event.message.slice(0, 4000)
  return next
}

function startSession(session: Session, event: HookEvent): Session {
  const compacted = event.source === 'compact'
  const base = without(
    { ...session, attention: [], starting: true, seen: false },
    'error',
    'detail',
    'endedAt',
  )
  if (compacted) return { ...base, starting: session.starting, compacting: session.compacting }
  return {
    ...base,
    generation: session.generation + (session.cause === undefined ? 0 : 1),
    generationAt: event.at,
    compacting: false,
    prompted: false,
    turn: { open: false },
    openTools: [],
    closedCalls: [],
    background: [],
    children: session.children.map((child) => ended(child, event.at)),
  }
}

function openTurn(session: Session, event: HookEvent): Session {
  const next = without(
    { ...active(session), prompted: true, attention: [], seen: false, compacting: false },
    'error',
    'detail',
  )
  return { ...next, turn: { open: true, startedAt: event.at } }
}

function beginTool(session: Session, event: HookEvent): Session {
  const name = event.tool?.name ?? ''
  const opened = { ...active(session), ...openTool(session, event) }
  if (opened.openTools === session.openTools) return session // it ended before it began
  const turn =
    event.agentId === undefined && !session.turn.open ? { open: true, startedAt: event.at } : session.turn
  const kind = QUESTIONS[name]
  const compacting = event.agentId === undefined ? false : session.compacting // PostCompact may never come
  // Copilot reports errors it recovers from: a turn that goes on has none.
  const attention =
    turn === session.turn ? opened.attention : opened.attention.filter(({ kind }) => kind !== 'error')
  const working = { ...opened, turn, compacting, attention, detail: name }
  if (kind === undefined) return working
  const call = working.openTools.at(-1)?.call
  return { ...working, ...withAttention(working, attentionOf(kind, name, event, call)) }
}

function askPermission(session: Session, event: HookEvent): Session {
  const name = event.tool?.name ?? ''
  const call = callForPermission(session, event)
  if (call === undefined) return session
  const kind = QUESTIONS[name]
  if (kind !== undefined)
    return { ...active(session), ...withAttention(session, attentionOf(kind, name, event, call)) }
  return {
    ...active(session),
    ...withAttention(session, attentionOf('permission', `Permission for ${name}`, event, call)),
  }
}

/** Seen from outside (the command runs) or said by opencode; without a call it is the only one there is. */
function resolvePermission(session: Session, event: HookEvent): Session {
  const call = event.tool?.useId
  const answered = (one: Attention) => one.kind === 'permission' && (call === undefined || one.call === call)
  return { ...session, attention: session.attention.filter((one) => !answered(one)) }
}

function endTool(
  session: Session,
  event: HookEvent,
  failure: { tool: string; message: string } | undefined,
): Session {
  const closed = { ...active(session), ...closeTool(session, event) }
  const next =
    closed.turn.open || event.agentId !== undefined
      ? { ...closed, detail: stillRunning(closed) ?? 'Thinking' }
      : closed
  if (failure) return { ...next, error: failure }
  return event.agentId === undefined ? without(next, 'error') : next
}

/** One of several parallel calls ended: the others are what it does now. */
function stillRunning(session: Session): string | undefined {
  return session.openTools.at(-1)?.name
}

function closeTurn(session: Session, event: HookEvent): Session {
  if (session.turn.startedAt !== undefined && event.at < session.turn.startedAt) return session
  const background = (event.backgroundTasks ?? [])
    .filter((task) => task.status === undefined || task.status === 'running' || task.status === 'pending')
    .slice(0, 64)
    .map(({ id, type, description }) => ({
      id,
      ...(type === undefined ? {} : { type }),
      ...(description === undefined ? {} : { description: description.slice(0, 200) }),
    }))
  const next = settled(session, event)
  return {
    ...next,
    turn: { ...next.turn, graceUntil: event.at + GRACE_MS },
    background,
    ...(background.length > 0 ? { detail: `background: ${background.length}` } : {}),
    openTools: session.openTools.filter(
      (tool) => tool.agentId !== undefined && background.some(({ id }) => id === tool.agentId),
    ),
  }
}

function failTurn(session: Session, event: HookEvent): Session {
  const kind = event.error?.kind || 'unknown'
  const next = settled(session, event)
  const attention: Attention = { kind: 'error', reason: kind, since: event.at }
  return {
    ...next,
    attention: [attention],
    error: { kind, message: event.error?.message ?? event.message ?? kind },
  }
}

/** The turn is over: nothing is open, nothing is asked. */
function settled(session: Session, event: HookEvent): Session {
  const { startedAt } = session.turn
  return without(
    {
      ...active(session),
      compacting: false,
      openTools: [],
      attention: [],
      turn: { open: false, ...(startedAt === undefined ? {} : { startedAt }), stoppedAt: event.at },
    },
    'detail',
  )
}

function notify(session: Session, event: HookEvent): Session {
  switch (event.notification?.type) {
    case 'permission_prompt':
      return notedPermission(session, event)
    case 'elicitation_dialog':
    case 'elicitation_url_dialog':
      return {
        ...active(session),
        ...withAttention(session, attentionOf('elicitation', 'MCP input', event, undefined)),
      }
    case 'elicitation_complete':
    case 'elicitation_response':
      return { ...session, attention: session.attention.filter((one) => one.kind !== 'elicitation') }
    case 'idle_prompt': {
      const { graceUntil: _, ...turn } = settled(session, event).turn
      const idle: Attention = { kind: 'idle', reason: 'Waiting for you', since: event.at }
      const errors = session.attention.filter((one) => one.kind === 'error')
      return {
        ...settled(session, event),
        turn,
        background: session.background,
        attention: [...errors, idle],
      }
    }
    default:
      return session
  }
}

/** Claude sends it six seconds after the dialog; by then the request itself has usually said more. */
function notedPermission(session: Session, event: HookEvent): Session {
  const asked = session.attention.some(
    ({ kind }) => kind === 'permission' || kind === 'question' || kind === 'plan',
  )
  if (asked) return session
  const only = session.openTools.length === 1 ? session.openTools[0] : undefined
  const reason = only ? `Permission for ${only.name}` : 'Permission'
  return {
    ...active(session),
    ...withAttention(session, attentionOf('permission', reason, event, only?.call)),
  }
}

function beginChild(session: Session, event: HookEvent): Session {
  // Claude 2.0.77 warms up three sub-agents before anybody asked for anything.
  if (!session.prompted || event.agentId === undefined) return session
  return { ...active(session), children: startChild(session, event), detail: event.agentType ?? '' }
}

function stopChild(session: Session, event: HookEvent): Session {
  const { agentId } = event
  // Compaction ends a sub-agent without a name that never began (Claude 2.1.325).
  if (agentId === undefined || !session.children.some((child) => child.agentId === agentId)) return session
  const background = session.background.filter(({ id }) => id !== agentId)
  const next = {
    ...session,
    children: endChild(session, agentId, event.at),
    openTools: session.openTools.filter((tool) => tool.agentId !== agentId),
    attention: session.attention.filter((one) => one.agentId !== agentId),
    background,
  }
  if (session.turn.open) return { ...next, detail: 'Thinking' }
  if (background.length > 0) return { ...next, detail: `background: ${background.length}` }
  return openChildren(next).length > 0 ? next : without(next, 'detail')
}

function endSession(session: Session, event: HookEvent): Session {
  const next = settled(session, event)
  return {
    ...next,
    starting: false,
    background: [],
    children: session.children.map((child) => ended(child, event.at)),
    endedAt: session.endedAt ?? event.at,
  }
}

/** A session that was over and goes on: resumed without a start, or its end came twice. */
function revived(session: Session, event: HookEvent): Session {
  if (session.endedAt === undefined || event.type === 'SessionEnd' || event.type === 'SessionStart')
    return session
  if (!REVIVING.has(event.type) || event.at <= session.endedAt) return session
  return without({ ...session, generation: session.generation + 1, generationAt: event.at }, 'endedAt')
}

const REVIVING = new Set([
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PreCompact',
  'PreModelRequest',
])

/** From before this generation, or after the end of the session: it lived then, it says nothing of now. */
function isLate(session: Session, event: HookEvent): boolean {
  if (event.at < session.generationAt && event.type !== 'SessionEnd') return true
  if (event.type === 'SessionEnd') return event.at < session.generationAt
  return session.endedAt !== undefined && event.at <= session.endedAt && event.type !== 'SessionStart'
}

function attentionOf(
  kind: Attention['kind'],
  reason: string,
  event: HookEvent,
  call: string | undefined,
): Attention {
  return {
    kind,
    reason,
    since: event.at,
    ...(event.tool?.name ? { tool: event.tool.name } : {}),
    ...(call === undefined ? {} : { call }),
    ...(event.agentId === undefined ? {} : { agentId: event.agentId }),
  }
}

function active(session: Session): Session {
  return session.starting ? { ...session, starting: false } : session
}

function ended<T extends { readonly endedAt?: number }>(child: T, at: number): T {
  return child.endedAt === undefined ? { ...child, endedAt: at } : child
}

function usageOf(session: Session, event: HookEvent): Session['usage'] {
  const { contextPct, contextTokens, inputTokens, outputTokens, costUsd } = event.usage ?? {}
  const tokens = contextTokens ?? (inputTokens === undefined ? undefined : inputTokens + (outputTokens ?? 0))
  return {
    ...session.usage,
    ...(contextPct === undefined ? {} : { contextPct }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  }
}

/** Claude names its process; for the others the hook's parent is the agent, or a shell between them. */
function pidOf(event: HookEvent): number | undefined {
  const named = Number(event.client.env.CLAUDE_PID)
  if (Number.isInteger(named) && named > 1) return named
  return event.agent === 'claude' || event.client.ppid === undefined || event.client.ppid <= 1
    ? undefined
    : event.client.ppid
}

/** The same without some optional keys: absent, not undefined. */
function without<K extends 'detail' | 'error' | 'endedAt'>(session: Session, ...keys: K[]): Session {
  const next: { -readonly [P in keyof Session]: Session[P] } = { ...session }
  for (const key of keys) delete next[key]
  return next
}
