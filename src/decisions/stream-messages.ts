/** What goes on the streams besides the events themselves: changes of sessions, decisions, and who is asked for one. */
import { type HookEvent, OWN_AGENT, type Verdict } from '../events/index.ts'
import { type Change, CLOCK_SET_BACK, coop, glanceOf } from '../sessions/state/index.ts'
import type { StoredMessage } from '../store/index.ts'
import type { Approval, Ending } from './approvals/index.ts'

type Message = Omit<StoredMessage, 'seq'>

/** A stream has changes of state, and what gantry itself or a person says of a session; the rest is in the session. */
export function isTold({ agent, type }: HookEvent, { level }: Change): boolean {
  return level === 'state' || (agent === OWN_AGENT && type !== CLOCK_SET_BACK)
}

/** `sessions.<phase>`: what a person would notice about the session now, and the event that did it. */
export function sessionMessage(event: HookEvent, { session }: Change): Message {
  const { key, name, cwd, pane, detail, error, denied, generation, cause } = session
  const { phase, needsYou, attention, usage, title, summary } = glanceOf(session)
  return {
    ...commonOf(event),
    agent: session.agent,
    sessionId: session.id,
    type: phase,
    data: JSON.stringify({
      session_id: session.id,
      key,
      name,
      agent: session.agent,
      phase,
      coop: coop(session, event.receivedAt),
      detail,
      needsYou,
      attention,
      error,
      denied,
      generation,
      usage,
      cwd,
      pane,
      title,
      summary,
      cause: cause ?? { seq: event.seq, id: event.id, type: event.type, at: event.at },
    }),
  }
}

/** `decisions.<decision>`: what was answered, and which rule said so. Some answers take longer than others. */
export function decisionMessage(event: HookEvent, verdict: Verdict, now: number): Message {
  return {
    ...commonOf(event),
    at: now,
    type: verdict.decision,
    data: JSON.stringify({
      event_id: event.id,
      event_type: event.type,
      session_id: event.sessionId,
      agent: event.agent,
      tool: event.tool?.name,
      ...verdict,
    }),
  }
}

/** `decisions.Approval…`: a person is asked, has answered, or need not answer any more. */
export function approvalMessage(approval: Approval, ending: Ending | undefined): Message {
  const { eventId, native, key: _, nonce: __, since, until, sessionId, agent, input, ...rest } = approval
  const type = ending === undefined ? 'ApprovalAsked' : APPROVAL_ENDS[ending.how]
  return {
    id: `${eventId}.${type}`,
    at: ending?.at ?? since,
    ...{ agent, native, sessionId, type },
    data: JSON.stringify({
      event_id: eventId,
      session_id: sessionId,
      agent,
      ...rest,
      since,
      until,
      ...(ending === undefined ? { input: rest.isLarge ? null : input } : ending),
      ...(ending?.how === 'allowed'
        ? { decision: 'allow' }
        : ending?.how === 'denied'
          ? { decision: 'deny' }
          : {}),
    }),
  }
}

const APPROVAL_ENDS = {
  allowed: 'ApprovalAnswered',
  denied: 'ApprovalAnswered',
  expired: 'ApprovalExpired',
  withdrawn: 'ApprovalWithdrawn',
} as const

function commonOf(event: HookEvent): Pick<Message, 'id' | 'at' | 'agent' | 'native' | 'sessionId'> {
  const { id, receivedAt, agent, native, sessionId } = event
  return { id, at: receivedAt, agent, native, sessionId }
}
