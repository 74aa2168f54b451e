/**
 * Which context window follows which. /clear ends one session and starts another, each with its own hook process, so either
 * may arrive first. No agent names the other session: it is the one of the same process, else of the same location.
 */
import type { HookEvent } from '../../events/index.ts'
import { isResting, phaseOf } from './phase.ts'
import { pidOf } from './reduce.ts'
import type { Session } from './session.ts'

const LINK_MS = 30_000 // usually a moment; more if an agent waits for the hooks of the end

/** The window that a new session continues; `none` if several qualify. */
export function sessionBefore(sessions: Iterable<Session>, event: HookEvent): Session | 'none' | undefined {
  const pid = event.transport === 'replay' ? undefined : pidOf(event)
  const others = [...sessions].filter((one) => one.agent === event.agent && one.id !== event.sessionId)
  const followed = new Set(others.map((one) => one.prevSessionId))
  const free = others.filter((one) => !followed.has(one.id))
  const own = free.filter((one) => pid !== undefined && one.pid === pid && isJustOver(one, event.at))
  if (own.length > 0) return own.reduce((a, b) => (b.lastActivity > a.lastActivity ? b : a))
  const place = { agent: event.agent, cwd: event.cwd, pane: event.client.pane, pid }
  const near = free.filter(
    (one) => one.endedAt !== undefined && isJustOver(one, event.at) && wasCleared(one) && isThere(one, place),
  )
  return near.length > 1 ? 'none' : near[0]
}

/** The session that /clear started before the end of this one arrived. */
export function sessionAfter(sessions: Iterable<Session>, ended: Session): Session | undefined {
  const { endedAt } = ended
  if (endedAt === undefined || ended.endReason !== 'clear') return undefined
  const others = [...sessions].filter((one) => one.key !== ended.key)
  if (others.some((one) => one.agent === ended.agent && one.prevSessionId === ended.id)) return undefined
  const waiting = others.filter(
    (one) => one.awaitsPrev === true && Math.abs(one.startedAt - endedAt) <= LINK_MS && isThere(one, ended),
  )
  return waiting.length === 1 ? waiting[0] : undefined
}

/** It rests, and another starts in its process: nothing is cut off. */
export function isReplaced(one: Session, by: Session): boolean {
  if (one.key === by.key || one.agent !== by.agent) return false
  return isResting(phaseOf(one))
}

export function linked(session: Session, before: Session): Session {
  const { awaitsPrev: _, ...next } = session
  return { ...next, prevSessionId: before.id, conversationId: before.conversationId ?? before.id }
}

function isJustOver({ endedAt }: Session, at: number): boolean {
  return endedAt === undefined || Math.abs(at - endedAt) <= LINK_MS
}

/** Not every agent gives a reason. */
function wasCleared({ endReason }: Session): boolean {
  return endReason === undefined || endReason === 'clear'
}

interface Origin {
  readonly agent: string
  readonly cwd?: string | undefined
  readonly pane?: string | undefined
  readonly pid?: number | undefined
}

function isThere(one: Session, { agent, cwd, pane, pid }: Origin): boolean {
  if (one.agent !== agent || one.cwd !== cwd || one.pane !== pane) return false
  return one.pid === undefined || pid === undefined || one.pid === pid
}
