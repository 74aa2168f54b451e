/** What a session needs a person for: permissions, questions, plans, input for MCP servers. */
import { asksPermission, toolsThat } from '../../agents/facts.ts'
import { isMcpTool, isOfServer } from '../../agents/tools/mcp-name.ts'
import type { HookEvent } from '../../events/index.ts'
import { active, isBeforeTurn, isPastAsking } from './activity.ts'
import { STARTERS } from './children.ts'
import type { Attention, OpenTool, Session } from './session.ts'
import { type Bond, bondOf, withAttention } from './tools.ts'
import { runningOn, settled } from './turns.ts'

const QUESTIONS = toolsThat('question')
const PLANS = toolsThat('plan')

/** For a tool whose call is itself the question. */
export function questionIn(tool: string): Attention['kind'] | undefined {
  if (QUESTIONS.has(tool)) return 'question'
  return PLANS.has(tool) ? 'plan' : undefined
}

export function askPermission(session: Session, event: HookEvent): Session {
  const name = event.tool?.name ?? ''
  if (isPastAsking(session, event)) return session
  const bond = bondOf(session, event)
  if (bond === undefined) return session
  const kind = questionIn(name)
  if (kind === undefined)
    return noted(session, attentionOf('permission', `Permission for ${name}`, event, bond))
  // For such a tool the dialog belongs to the call, also if hooks have changed the input.
  const only = onlyOne(
    session.openTools.filter((tool) => tool.name === name && tool.agentId === event.agentId),
  )
  return noted(session, attentionOf(kind, name, event, bondTo(only) ?? bond))
}

/** Observed from outside (the command runs) or reported by opencode; without a call id it is the only one. */
export function resolvePermission(session: Session, event: HookEvent): Session {
  const call = event.tool?.useId
  const answered = (one: Attention) => one.kind === 'permission' && (call === undefined || one.call === call)
  return { ...session, attention: session.attention.filter((one) => !answered(one)) }
}

export function notify(session: Session, event: HookEvent): Session {
  if (asksPermission(event)) return askPermission(session, event)
  switch (event.notification?.type) {
    case 'permission_prompt':
      return notedPermission(session, event)
    case 'elicitation_dialog':
    case 'elicitation_url_dialog':
      return notedElicitation(session, event)
    case 'elicitation_complete':
    case 'elicitation_response':
      return answerElicitation(session, event)
    case 'idle_prompt':
      return isBeforeTurn(session, event.at) ? session : notedIdle(session, event)
    default:
      return session
  }
}

/** It waits for a prompt, whatever runs in the background: a running server must not hide that. */
function notedIdle(session: Session, event: HookEvent): Session {
  const { turn, ...next } = settled({ ...session, background: runningOn(session) }, event)
  const { graceUntil: _, ...over } = turn
  const idle: Attention = { kind: 'idle', reason: 'Waiting for you', since: event.at }
  const errors = session.attention.filter((one) => one.kind === 'error')
  return { ...next, turn: over, attention: [...next.attention, ...errors, idle] }
}

/** Claude sends it six seconds after the dialog; by then the request itself has usually arrived. */
function notedPermission(session: Session, event: HookEvent): Session {
  if (isPastAsking(session, event)) return session
  const asked = session.attention.some(
    ({ kind }) => kind === 'permission' || kind === 'question' || kind === 'plan',
  )
  if (asked) return session
  // A call that started a sub-agent only waits for it.
  const doing = session.openTools.filter((tool) => !STARTERS.has(tool.name))
  const only = onlyOne(doing.length > 0 ? doing : session.openTools)
  const reason = only ? `Permission for ${only.name}` : 'Permission'
  return noted(session, attentionOf('permission', reason, event, bondTo(only)), only)
}

/** Claude sends it six seconds after the dialog; by then the Elicitation has arrived. */
function notedElicitation(session: Session, event: HookEvent): Session {
  const asked = session.attention.some(({ kind }) => kind === 'elicitation')
  return asked ? session : askElicitation(session, event)
}

/** The asking server runs in a call of one of its tools. */
export function askElicitation(session: Session, event: HookEvent): Session {
  if (isPastAsking(session, event)) return session
  const { agentId } = event
  const only = onlyOne(
    session.openTools.filter(
      (tool) => isAbout(tool, event) && (agentId === undefined || tool.agentId === agentId),
    ),
  )
  return noted(session, attentionOf('elicitation', 'MCP input', event, bondTo(only)), only)
}

/** Any answer counts; another server's request stays. */
export function answerElicitation(session: Session, event: HookEvent): Session {
  const isOthers = ({ call }: Attention) =>
    event.fields?.mcp_server_name !== undefined &&
    session.openTools.some((tool) => tool.call === call && !isAbout(tool, event))
  return {
    ...session,
    attention: session.attention.filter((one) => one.kind !== 'elicitation' || isOthers(one)),
  }
}

function isAbout({ name }: OpenTool, { fields }: HookEvent): boolean {
  const server = fields?.mcp_server_name
  return typeof server === 'string' ? isOfServer(name, server) : isMcpTool(name)
}

/** A notification names no sub-agent, but its call does. */
function noted(session: Session, attention: Attention, { agentId }: Partial<OpenTool> = {}): Session {
  const whose = agentId === undefined ? attention : { ...attention, agentId }
  return { ...active(session), ...withAttention(session, whose) }
}

function bondTo(tool: OpenTool | undefined): Bond | undefined {
  return tool && { call: tool.call }
}

function onlyOne(tools: readonly OpenTool[]): OpenTool | undefined {
  return tools.length === 1 ? tools[0] : undefined
}

export function attentionOf(
  kind: Attention['kind'],
  reason: string,
  event: HookEvent,
  bond: Bond | undefined,
): Attention {
  return {
    kind,
    reason,
    since: event.at,
    ...(event.tool?.name ? { tool: event.tool.name } : {}),
    ...(bond?.call === undefined ? {} : { call: bond.call }),
    ...(bond?.print === undefined ? {} : { print: bond.print }),
    ...(event.agentId === undefined ? {} : { agentId: event.agentId }),
  }
}
