/** Sub-agents that begin and end, and what that means for the session above them. */
import type { HookEvent } from '../events/index.ts'
import { endChild, openChildren, startChild } from './children.ts'
import { active, without } from './facts.ts'
import type { Session } from './session.ts'

export function beginChild(session: Session, event: HookEvent): Session {
  // Claude 2.0.77 warms up three sub-agents before anybody asked for anything.
  if (!session.prompted || event.agentId === undefined) return session
  return { ...active(session), children: startChild(session, event), detail: event.agentType ?? '' }
}

export function stopChild(session: Session, event: HookEvent): Session {
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
