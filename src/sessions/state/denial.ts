/**
 * A refused tool call or prompt: which one, who refused it, and why. A session shows the last one until it begins
 * something else, because no agent does.
 */
import { subjectOf } from '../../core/text/subject.ts'
import { clean } from '../../core/text/text.ts'
import type { HookEvent } from '../../events/index.ts'
import { refusalIn } from './look.ts'
import type { Denial, Session } from './session.ts'
import { callOf, printOf } from './tools.ts'

const MAX_CHARS = 200 // a line on a screen; the event has all of it

export function withDenial(session: Session, event: HookEvent): Session {
  const { tool, agentId, at } = event
  const { by, reason } = refusalIn(event.reason)
  const line = clean(subjectOf(tool?.input), MAX_CHARS)
  const denied: Denial = {
    at,
    ...(tool ? { tool: tool.name.slice(0, MAX_CHARS) } : {}),
    ...(line === '' ? {} : { line }),
    ...(by === undefined ? {} : { by: by.slice(0, MAX_CHARS) }),
    ...(reason ? { reason: reason.slice(0, 2 * MAX_CHARS) } : {}),
    ...(agentId === undefined ? {} : { agentId }),
  }
  return { ...session, denied, denials: (session.denials ?? 0) + 1 }
}

/** Two events may tell of one refusal: gantry's, and the agent's own or its transcript's. */
export function isToldAlready(session: Session, event: HookEvent): boolean {
  const print = printOf(event)
  const call = callOf(event, print)
  const isIt = (one: { readonly call: string; readonly print: string }) =>
    one.call === call || one.print === print
  return !session.openTools.some(isIt) && session.closedCalls.some(isIt)
}
