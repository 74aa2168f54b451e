/** The key of a session: the name of its agent, which has no colon, and the id that the agent gave it. */
import type { HookEvent } from './hook-event.ts'
import { OWN_AGENT } from './own.ts'

type Whose = Pick<HookEvent, 'agent' | 'sessionId'>

export function keyOf({ agent, sessionId }: Whose): string {
  return `${agent}:${sessionId}`
}

/** The session that an event is about; gantry's own events name it in a field. Empty if it is about none. */
export function sessionKeyOf(event: Whose & Pick<HookEvent, 'fields'>): string {
  if (event.agent === OWN_AGENT) return String(event.fields?.session_key ?? '')
  return event.sessionId === '' ? '' : keyOf(event)
}

export function partsOfKey(key: string): Whose {
  const colon = key.indexOf(':')
  return { agent: key.slice(0, Math.max(0, colon)), sessionId: key.slice(colon + 1) }
}
