/** Sub-agents of a session, keyed by agent id. */
import { toolsThat } from '../../agents/facts.ts'
import type { HookEvent } from '../../events/index.ts'
import type { Child, OpenTool, Session } from './session.ts'

const MAX_CHILDREN = 200 // the oldest ended ones are dropped first
const MAX_STOPPED = 16
export const STARTERS = toolsThat('subagent')
const CLAIM_MS = 10_000 // Claude closes the Agent call before its sub-agent starts; a moment later at most

export function startChild(session: Session, event: HookEvent): readonly Child[] {
  const agentId = event.agentId ?? ''
  if (session.children.some((child) => child.agentId === agentId && child.endedAt === undefined))
    return wokenIn(session, agentId)
  const told = session.closedCalls.findLast(({ spawned }) => spawned?.agentId === agentId)
  const starter = told ?? starterOf(session, event)
  // A sub-agent that ended and is asked again keeps its kind.
  const before = session.children.find((one) => one.agentId === agentId)
  const child: Child = {
    agentId,
    type: event.agentType ?? '',
    startedAt: event.at,
    ...(told || before?.background ? { background: true } : {}),
    ...(told?.spawned?.teammate || before?.teammate ? { teammate: true } : {}),
    ...(starter?.agentId === undefined ? {} : { parentId: starter.agentId }),
    ...(starter === undefined ? {} : { call: starter.call }),
    inferred: starter !== undefined && told === undefined,
  }
  return bounded([...session.children.filter((one) => one.agentId !== agentId), child])
}

/** A sub-agent that exists only as the call that runs it; two at once have separate calls. */
export function startInCall(session: Session, type: string, open: OpenTool): readonly Child[] {
  // The time makes it unique: the same input may come again later.
  const agentId = `${open.print.slice(open.print.lastIndexOf(':') + 1)}-${open.since.toString(36)}`
  const child: Child = {
    agentId,
    type,
    startedAt: open.since,
    call: open.call,
    inCall: true,
    inferred: false,
  }
  return bounded([...session.children.filter((one) => one.agentId !== agentId), child])
}

/** Ends those whose calls are no longer open. */
export function endInCalls(
  children: readonly Child[],
  openTools: Session['openTools'],
  at: number,
): readonly Child[] {
  const isOver = ({ inCall, call, endedAt }: Child) =>
    inCall === true && endedAt === undefined && !openTools.some((open) => open.call === call)
  return children.some(isOver)
    ? children.map((child) => (isOver(child) ? { ...child, endedAt: at } : child))
    : children
}

export function endChild(session: Session, agentId: string, at: number): readonly Child[] {
  return session.children.map((child) =>
    child.agentId === agentId && child.endedAt === undefined ? { ...child, endedAt: at } : child,
  )
}

/** An ended call names the background sub-agent that it started. */
export function sendOff({ children }: Session, { spawned, tool }: HookEvent): readonly Child[] {
  const call = tool?.useId
  if (spawned === undefined || call === undefined) return children
  return children.map((child) => {
    if (child.agentId !== spawned.agentId) return child
    const teammate = spawned.teammate ? { teammate: true as const } : {}
    return { ...child, call, background: true, ...teammate, inferred: false }
  })
}

/** It ended before it started, as hooks of two processes may. */
export function rememberStop(
  { stoppedChildren = [] }: Session,
  agentId: string,
  at: number,
): NonNullable<Session['stoppedChildren']> {
  return [...stoppedChildren.filter((one) => one.agentId !== agentId), { agentId, at }].slice(-MAX_STOPPED)
}

/** An agent that is asked again restarts under its id, later than it ended. */
export function hasEnded({ children, stoppedChildren }: Session, agentId: string, at: number): boolean {
  if (children.some((one) => one.agentId === agentId && one.endedAt !== undefined && one.endedAt >= at))
    return true
  return stoppedChildren?.some((one) => one.agentId === agentId && one.at >= at) === true
}

/** The turn is over: ends all except those that continue and their descendants. */
export function endOthers(
  { children }: Session,
  goesOn: (child: Child) => boolean,
  at: number,
): readonly Child[] {
  const running = new Set<string>()
  return children.map((child) => {
    if (child.endedAt !== undefined) return child
    const isBelow = child.parentId !== undefined && running.has(child.parentId)
    if (!isBelow && child.startedAt <= at && !goesOn(child)) return { ...child, endedAt: at }
    running.add(child.agentId)
    return child
  })
}

/** Known to work, or listed in the background. */
export function isRunning({ children, background }: Session, agentId: string): boolean {
  if (background.some(({ id, endedAt }) => id === agentId && endedAt === undefined)) return true
  return children.some((one) => one.agentId === agentId && one.endedAt === undefined)
}

const MAX_DEPTH = 16 // parents are inferred and could form a cycle

/** The main thread waits until this one has ended: its call is open, and so are those above it. */
export function isWaitedFor({ children, openTools }: Session, agentId: string | undefined): boolean {
  let at = agentId
  for (let depth = 0; at !== undefined && depth < MAX_DEPTH; depth++) {
    const child = children.find((one) => one.agentId === at && one.endedAt === undefined)
    if (child?.call === undefined || !openTools.some(({ call }) => call === child.call)) return false
    at = child.parentId
  }
  return at === undefined
}

/** Marks a teammate that waits for work. */
export function restIn(session: Session, event: HookEvent): readonly Child[] {
  const isMeant = ({ agentId, type }: Child) =>
    event.agentId === undefined ? type === event.teammate?.name : agentId === event.agentId
  return session.children.map((child) =>
    child.endedAt === undefined && isMeant(child) ? { ...child, idle: true, teammate: true } : child,
  )
}

export function wokenIn({ children }: Session, agentId: string | undefined): readonly Child[] {
  return children.map((child) => {
    if (child.agentId !== agentId) return child
    const { idle: _, ...woken } = child
    return woken
  })
}

/** Children that are working. */
export function busyChildren(session: Session): readonly Child[] {
  return livingChildren(session).filter((child) => !child.idle)
}

function livingChildren(session: Session): readonly Child[] {
  return session.children.filter((child) => child.endedAt === undefined)
}

/** The call that started it: an open Agent call, or one closed just before, that no other child has claimed. */
function starterOf(session: Session, event: HookEvent): { call: string; agentId?: string } | undefined {
  const claimed = new Set(session.children.map((child) => child.call))
  const mayBe = ({ name, call, agentId }: { name: string; call: string; agentId?: string }) =>
    STARTERS.has(name) && !claimed.has(call) && agentId !== event.agentId
  const open = session.openTools.find(mayBe)
  if (open) return open
  return session.closedCalls.findLast(
    (call) => call.spawned === undefined && mayBe(call) && Math.abs(event.at - call.at) < CLAIM_MS,
  )
}

/** Drops one if there are too many. */
function bounded(children: Child[]): Child[] {
  if (children.length <= MAX_CHILDREN) return children
  const oldest = children.findIndex((child) => child.endedAt !== undefined)
  return children.toSpliced(Math.max(0, oldest), 1)
}
