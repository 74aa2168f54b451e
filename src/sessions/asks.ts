/** What a session waits for a person for: permissions, questions, plans, input for MCP servers. */
import type { HookEvent } from '../events/index.ts'
import { active } from './facts.ts'
import type { Attention, Session } from './session.ts'
import { callForPermission, withAttention } from './tools.ts'
import { settled } from './turns.ts'

/** Tools that ask by being called. */
export const QUESTIONS: Readonly<Record<string, Attention['kind']>> = {
  AskUserQuestion: 'question',
  ask_user: 'question',
  EnterPlanMode: 'plan',
  ExitPlanMode: 'plan',
  enter_plan_mode: 'plan',
  exit_plan_mode: 'plan',
}

export function askPermission(session: Session, event: HookEvent): Session {
  const name = event.tool?.name ?? ''
  const call = callForPermission(session, event)
  if (call === undefined) return session
  const kind = QUESTIONS[name]
  if (kind !== undefined)
    return { ...active(session), ...withAttention(session, attentionOf(kind, name, event, call)) }
  return {
    ...active(session),
    ...withAttention(session, attentionOf('permission', `Permission for ${name}`, event, call)),
  }
}

/** Seen from outside (the command runs) or said by opencode; without a call it is the only one there is. */
export function resolvePermission(session: Session, event: HookEvent): Session {
  const call = event.tool?.useId
  const answered = (one: Attention) => one.kind === 'permission' && (call === undefined || one.call === call)
  return { ...session, attention: session.attention.filter((one) => !answered(one)) }
}

export function notify(session: Session, event: HookEvent): Session {
  switch (event.notification?.type) {
    case 'permission_prompt':
      return notedPermission(session, event)
    case 'elicitation_dialog':
    case 'elicitation_url_dialog':
      return {
        ...active(session),
        ...withAttention(session, attentionOf('elicitation', 'MCP input', event, undefined)),
      }
    case 'elicitation_complete':
    case 'elicitation_response':
      return { ...session, attention: session.attention.filter((one) => one.kind !== 'elicitation') }
    case 'idle_prompt': {
      const { graceUntil: _, ...turn } = settled(session, event).turn
      const idle: Attention = { kind: 'idle', reason: 'Waiting for you', since: event.at }
      const errors = session.attention.filter((one) => one.kind === 'error')
      return {
        ...settled(session, event),
        turn,
        background: session.background,
        attention: [...errors, idle],
      }
    }
    default:
      return session
  }
}

/** Claude sends it six seconds after the dialog; by then the request itself has usually said more. */
function notedPermission(session: Session, event: HookEvent): Session {
  const asked = session.attention.some(
    ({ kind }) => kind === 'permission' || kind === 'question' || kind === 'plan',
  )
  if (asked) return session
  const only = session.openTools.length === 1 ? session.openTools[0] : undefined
  const reason = only ? `Permission for ${only.name}` : 'Permission'
  return {
    ...active(session),
    ...withAttention(session, attentionOf('permission', reason, event, only?.call)),
  }
}

export function attentionOf(
  kind: Attention['kind'],
  reason: string,
  event: HookEvent,
  call: string | undefined,
): Attention {
  return {
    kind,
    reason,
    since: event.at,
    ...(event.tool?.name ? { tool: event.tool.name } : {}),
    ...(call === undefined ? {} : { call }),
    ...(event.agentId === undefined ? {} : { agentId: event.agentId }),
  }
}
