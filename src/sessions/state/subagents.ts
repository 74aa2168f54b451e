/** Start and end of sub-agents, and their effect on the session. */
import type { HookEvent } from '../../events/index.ts'
import { active, ended, isBeforeTurn, without } from './activity.ts'
import { busyChildren, endChild, hasEnded, rememberStop, restIn, startChild } from './children.ts'
import type { Session } from './session.ts'
import { withoutTurn } from './turns.ts'

export function beginChild(session: Session, event: HookEvent): Session {
  const { agentId, at } = event
  if (agentId === undefined || hasEnded(session, agentId, at)) return session
  // Claude 2.0.77 warms up three sub-agents before any prompt.
  if (!session.prompted && !session.turn.open && session.starting) return session
  const runsOn =
    session.background.some(({ id }) => id === agentId) ||
    session.children.some((one) => one.agentId === agentId && one.teammate) ||
    session.closedCalls.some(({ spawned }) => spawned?.agentId === agentId)
  if (!session.turn.open && !runsOn && isBeforeTurn(session, at)) return session
  return { ...active(session), children: startChild(session, event), detail: event.agentType ?? '' }
}

export function stopChild(session: Session, event: HookEvent): Session {
  const { agentId } = event
  // A compaction ends a nameless sub-agent that never started (Claude 2.1.325).
  if (agentId === undefined) return session
  const child = session.children.find((one) => one.agentId === agentId)
  if (!child) return { ...session, stoppedChildren: rememberStop(session, agentId, event.at) }
  // A teammate stops after each task, and reports a moment later that it rests.
  if (child.teammate) return restTeammate(session, event)
  // Claude 2.1.325 is busy until the notice starts a turn, up to a second on a busy machine.
  const background = session.turn.open
    ? session.background.filter(({ id }) => id !== agentId)
    : session.background.map((one) => (one.id === agentId ? ended(one, event.at) : one))
  const next = { ...atRest(session, agentId), children: endChild(session, agentId, event.at), background }
  if (session.turn.open) return { ...next, detail: 'Thinking' }
  const counted = withoutTurn(next)
  if (counted.detail !== undefined) return counted
  if (background.length > 0) return { ...counted, detail: 'Thinking' }
  return busyChildren(next).length > 0 ? next : counted
}

/** Its end was blocked: it goes on. */
export function keepChild(session: Session, { agentId, at }: HookEvent): Session {
  const children = session.children.map((child) => {
    if (child.agentId !== agentId || child.endedAt !== at) return child
    const { endedAt: _, ...running } = child
    return running
  })
  return { ...session, children }
}

export function restTeammate(session: Session, event: HookEvent): Session {
  const children = restIn(session, event)
  const next = children
    .filter((one) => one.idle)
    .reduce((rested, { agentId }) => atRest(rested, agentId), { ...session, children })
  return session.turn.open ? next : withoutTurn(next)
}

/** Ends its calls and its requests. */
function atRest(session: Session, agentId: string): Session {
  return {
    ...(session.error?.agentId === agentId ? without(session, 'error') : session),
    openTools: session.openTools.filter((tool) => tool.agentId !== agentId),
    attention: session.attention.filter((one) => one.agentId !== agentId),
  }
}
