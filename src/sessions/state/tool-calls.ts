/** Tool calls: a session's state while one runs, and after it. */
import type { HookEvent } from '../../events/index.ts'
import { active, isAfterthought, without } from './activity.ts'
import { endInCalls, sendOff, startInCall, wokenIn } from './children.ts'
import { isToldAlready, withDenial } from './denial.ts'
import { attentionOf, questionIn } from './permissions.ts'
import { isHard } from './phase.ts'
import type { Session } from './session.ts'
import { closeTool, openTool, withAttention } from './tools.ts'

export function beginTool(session: Session, event: HookEvent): Session {
  const name = event.tool?.name ?? ''
  const isOver = event.agentId === undefined && event.at < (session.turn.stoppedAt ?? 0)
  if (isOver && isAfterthought(event)) return session
  const opened = { ...active(session), ...openTool(session, event) }
  if (opened.openTools === session.openTools) return session // it ended before it started
  const toolCalls = (session.toolCalls ?? 0) + 1
  const turn =
    event.agentId === undefined && !session.turn.open ? { open: true, startedAt: event.at } : session.turn
  const kind = questionIn(name)
  const compacting = event.agentId === undefined ? false : session.compacting // PostCompact may never come
  // Copilot reports errors from which it recovers: a turn that continues has none, and waits for no prompt.
  const attention = turn === session.turn ? opened.attention : opened.attention.filter(isHard)
  const last = opened.openTools.at(-1)
  const runs = event.tool?.agent
  const children =
    runs !== undefined && last ? startInCall(session, runs, last) : wokenIn(session, event.agentId)
  const working = without(
    { ...opened, turn, compacting, attention, children, toolCalls, detail: runs ?? name },
    'denied',
  )
  if (kind === undefined) return working
  const bond = last && { call: last.call }
  return { ...working, ...withAttention(working, attentionOf(kind, name, event, bond)) }
}

export function endTool(
  session: Session,
  event: HookEvent,
  failure: { tool: string; message: string } | undefined,
): Session {
  const next = afterCall({ ...active(session), ...closeCall(session, event) }, event)
  const { agentId } = event
  if (failure) return { ...next, error: { ...failure, ...(agentId === undefined ? {} : { agentId }) } }
  // A sub-agent's success does not clear a failure elsewhere.
  return agentId === undefined || next.error?.agentId === agentId ? without(next, 'error') : next
}

/** The call was refused. */
export function denyTool(session: Session, event: HookEvent): Session {
  const told = isToldAlready(session, event) ? session : withDenial(session, event)
  const closed = closeCall(session, event)
  const refused = session.openTools.length - closed.openTools.length
  const toolCalls = Math.max(0, (session.toolCalls ?? 0) - refused)
  return afterCall({ ...told, ...closed, ...(refused === 0 ? {} : { toolCalls }) }, event)
}

/** Nothing else reports a refusal in a sub-agent's dialog: its turn continues. */
export function endBatch(session: Session, { endedCalls = [] }: HookEvent): Session {
  const isIn = ({ call }: { readonly call?: string }) => call !== undefined && endedCalls.includes(call)
  if (!session.openTools.some(isIn) && !session.attention.some(isIn)) return session
  const openTools = session.openTools.filter((tool) => !isIn(tool))
  const attention = session.attention.filter((one) => !isIn(one))
  return { ...session, openTools, attention, detail: openTools.at(-1)?.name ?? 'Thinking' }
}

function closeCall(
  session: Session,
  event: HookEvent,
): Pick<Session, 'openTools' | 'closedCalls' | 'attention' | 'children'> {
  const { openTools, closedCalls, attention } = closeTool(session, event)
  const children = endInCalls(sendOff(session, event), openTools, event.at)
  return { openTools, closedCalls, attention, children }
}

/** One of several parallel calls ended: the others become the detail. */
function afterCall(session: Session, { agentId }: HookEvent): Session {
  if (!session.turn.open && agentId === undefined) return session
  return { ...session, detail: session.openTools.at(-1)?.name ?? 'Thinking' }
}
