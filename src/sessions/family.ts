/** Sub-agents that begin and end, and what that means for the session above them. */
import type { HookEvent } from '../events/index.ts'
import { busyChildren, endChild, hasEnded, rememberStop, restIn, startChild } from './children.ts'
import { active, ended, isBeforeTurn, without } from './facts.ts'
import type { Session } from './session.ts'

export function beginChild(session: Session, event: HookEvent): Session {
  const { agentId, at } = event
  if (agentId === undefined || hasEnded(session, agentId, at)) return session
  // Claude 2.0.77 warms up three sub-agents before anybody asked for anything.
  if (!session.prompted && !session.turn.open && session.starting) return session
  const runsOn = session.background.some(({ id }) => id === agentId)
  if (!session.turn.open && !runsOn && isBeforeTurn(session, at)) return session
  return { ...active(session), children: startChild(session, event), detail: event.agentType ?? '' }
}

export function stopChild(session: Session, event: HookEvent): Session {
  const { agentId } = event
  // Compaction ends a sub-agent without a name that never began (Claude 2.1.325).
  if (agentId === undefined) return session
  if (!session.children.some((child) => child.agentId === agentId))
    return { ...session, stoppedChildren: rememberStop(session, agentId, event.at) }
  // Claude 2.1.325 is busy until the notice of it begins a turn, up to a second on a busy machine.
  const background = session.turn.open
    ? session.background.filter(({ id }) => id !== agentId)
    : session.background.map((one) => (one.id === agentId ? ended(one, event.at) : one))
  const next = {
    ...(session.error?.agentId === agentId ? without(session, 'error') : session),
    children: endChild(session, agentId, event.at),
    openTools: session.openTools.filter((tool) => tool.agentId !== agentId),
    attention: session.attention.filter((one) => one.agentId !== agentId),
    background,
  }
  if (session.turn.open) return { ...next, detail: 'Thinking' }
  const running = background.filter((one) => one.endedAt === undefined).length
  if (running > 0) return { ...next, detail: `background: ${running}` }
  if (background.length > 0) return { ...next, detail: 'Thinking' }
  return busyChildren(next).length > 0 ? next : without(next, 'detail')
}

/** Its calls are over; what it asked is not asked any more. */
export function restTeammate(session: Session, event: HookEvent): Session {
  const children = restIn(session, event)
  const resting = new Set(children.filter((one) => one.idle).map((one) => one.agentId))
  const isOver = ({ agentId }: { readonly agentId?: string }) => agentId !== undefined && resting.has(agentId)
  return {
    ...session,
    children,
    openTools: session.openTools.filter((tool) => !isOver(tool)),
    attention: session.attention.filter((one) => !isOver(one)),
  }
}
