/** Sub-agents of a session, keyed by their agent id. */
import type { HookEvent } from '../events/index.ts'
import type { Child, Session } from './session.ts'

const MAX_CHILDREN = 200 // the oldest that ended go first
const STARTERS = new Set(['Agent', 'Task', 'spawn_agent', 'invoke_agent', 'task'])
const CLAIM_MS = 10_000 // Claude closes the Agent call before its sub-agent starts; a moment later at most

export function startChild(session: Session, event: HookEvent): readonly Child[] {
  const agentId = event.agentId ?? ''
  if (session.children.some((child) => child.agentId === agentId && child.endedAt === undefined))
    return session.children
  const starter = starterOf(session, event)
  const child: Child = {
    agentId,
    type: event.agentType ?? '',
    startedAt: event.at,
    ...(starter?.agentId === undefined ? {} : { parentId: starter.agentId }),
    ...(starter === undefined ? {} : { call: starter.call }),
    inferred: starter !== undefined,
  }
  return bounded([...session.children.filter((one) => one.agentId !== agentId), child])
}

export function endChild(session: Session, agentId: string, at: number): readonly Child[] {
  return session.children.map((child) =>
    child.agentId === agentId && child.endedAt === undefined ? { ...child, endedAt: at } : child,
  )
}

export function openChildren(session: Session): readonly Child[] {
  return session.children.filter((child) => child.endedAt === undefined)
}

/** The call that started it: an open Agent call, or one that closed just before, that no other child has claimed. */
function starterOf(session: Session, event: HookEvent): { call: string; agentId?: string } | undefined {
  const claimed = new Set(session.children.map((child) => child.call))
  const open = session.openTools.find((tool) => STARTERS.has(tool.name) && !claimed.has(tool.call))
  if (open) return open
  return session.closedCalls.findLast(
    (call) => STARTERS.has(call.name) && !claimed.has(call.call) && Math.abs(event.at - call.at) < CLAIM_MS,
  )
}

function bounded(children: Child[]): Child[] {
  while (children.length > MAX_CHILDREN) {
    const oldest = children.findIndex((child) => child.endedAt !== undefined)
    children.splice(Math.max(0, oldest), 1)
  }
  return children
}
