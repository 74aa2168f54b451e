/**
 * One event that asks for a permission: whether a yes or no is all it needs, whether its session still waits for it, and
 * what the answer of a person makes of its verdict. Pure.
 */
import { agentFor, agents } from '../../agents/index.ts'
import type { HookEvent, Verdict } from '../../events/index.ts'
import { type Attention, isWaitedFor, questionIn, type Session } from '../../sessions/state/index.ts'

/**
 * Questions and plans need more than a yes, and are answered in their terminal. Over HTTP nobody can be held, and what was
 * cut says too little to decide on.
 */
export function isAboutTool(event: HookEvent): boolean {
  const { transport, agent, sessionId, tool, hidden, cutFrom } = event
  const isHidden = hidden !== undefined && !isUnasked(event)
  if (transport !== 'socket' || isHidden || cutFrom !== undefined) return false
  const name = tool?.name ?? ''
  return sessionId !== '' && name !== '' && questionIn(name) === undefined && agents.has(agent)
}

/** It comes before the agent's own rules, and nobody is asked yet: whoever holds it asks. */
export function isUnasked({ type, hidden }: HookEvent): boolean {
  return type === 'PermissionRequest' && hidden === 'before-rules'
}

/** Nobody has decided it; or somebody wants a person asked, and the agent has no words for that. */
export function isLeftToPerson(event: HookEvent, verdict: Verdict): boolean {
  if (event.type === 'PermissionRequest') return verdict.decision === 'none' || verdict.decision === 'ask'
  if (verdict.decision !== 'ask') return false
  return agentFor(event.agent).answer(event, verdict).degraded?.includes('ask') === true
}

/** What the person sees while it is decided, by its session as it was before the event. */
export function dialogFor(
  event: HookEvent,
  session: Session | undefined,
): 'concurrent' | 'after-hook' | undefined {
  const { agent, agentId } = event
  return agentFor(agent).permissionPrompt?.(
    event,
    agentId === undefined || (!!session && isWaitedFor(session, agentId)),
  )
}

/** What a session waits for because of this event. `print` is how its tool call is known: see sessions. */
export function attentionFor(session: Session, event: HookEvent, print: string): Attention | undefined {
  const isItsCall = (call: string | undefined) =>
    call === `=${print}` || session.openTools.some((open) => open.call === call && open.print === print)
  return session.attention.find(
    (one) =>
      one.kind === 'permission' &&
      one.since === event.at &&
      one.tool === event.tool?.name &&
      one.agentId === event.agentId &&
      (one.print === print || isItsCall(one.call)),
  )
}

export function isAsking(session: Session, event: HookEvent, print: string): boolean {
  if (session.endedAt !== undefined) return false
  if (event.type === 'PermissionRequest') return attentionFor(session, event, print) !== undefined
  return session.openTools.some((open) => open.since === event.at && open.print === print)
}

/** A denial drops the new input. Before a tool, a yes leaves the decision to the agent's own permissions. */
export function verdictOf(
  { type }: HookEvent,
  verdict: Verdict,
  { said, id, message }: { said: 'allow' | 'deny'; id: string; message: string | undefined },
): Verdict {
  const by = `${BY_PERSON}${id}`
  const reason = message?.trim()
  const { reason: _, ...rest } = verdict
  if (said === 'deny') {
    const { input: __, ...unchanged } = rest
    return { ...unchanged, decision: 'deny', by, reason: reason || DENIED }
  }
  return {
    ...rest,
    decision: type === 'PermissionRequest' ? 'allow' : 'none',
    by,
    ...(reason ? { reason } : {}),
  }
}

const BY_PERSON = 'approval:'
const DENIED = 'A person was asked, and said no.'

/** A person was asked, and this is the answer. */
export function isByPerson({ by }: Verdict): boolean {
  return by?.startsWith(BY_PERSON) === true
}
