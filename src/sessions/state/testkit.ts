/** Short ways to write and run events in this folder's tests. */
import type { HookEvent } from '../../events/index.ts'
import type { Session } from './session.ts'
import { SessionMap } from './session-map.ts'

let count = 0

/** An event of session s1, a second after the previous one unless `at` is given. */
export function ev(type: string, fields: Partial<HookEvent> = {}): HookEvent {
  count += 1
  return {
    id: `e${count}`,
    seq: count,
    at: count * 1000,
    receivedAt: count * 1000,
    agent: 'claude',
    type,
    native: type,
    sessionId: 's1',
    client: { env: {} },
    transport: 'socket',
    raw: '{}',
    ...fields,
  }
}

export function tool(
  name: string,
  useId?: string,
  input: unknown = { of: useId ?? name },
): Partial<HookEvent> {
  return { tool: { name, input, ...(useId === undefined ? {} : { useId }) } }
}

/** Sets times a second apart from 1000 on, in this order. */
export function inTurn(...events: HookEvent[]): HookEvent[] {
  return events.map((event, i) => ({ ...event, at: (i + 1) * 1000 }))
}

export function run(...events: HookEvent[]): Session {
  const sessions = new SessionMap()
  for (const event of events) sessions.apply(event)
  const session = sessions.find('claude:s1')
  if (!session) throw new Error('no session s1')
  return session
}

export const prompt = () => ev('UserPromptSubmit', { prompt: 'do it' })

export const start = () => ev('SessionStart', { source: 'startup' })

export const note = (type: string) => ev('Notification', { notification: { type } })

export function sessionsOf(...events: readonly HookEvent[]): SessionMap {
  const sessions = new SessionMap()
  for (const event of events) sessions.apply(event)
  return sessions
}
