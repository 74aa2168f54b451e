/** Short ways to write events and to run them, for the tests of this room. */
import type { HookEvent } from '../../events/index.ts'
import { Fleet } from './fleet.ts'
import type { Session } from './session.ts'

let count = 0

/** An event of session s1, a second after the one before it unless `at` says otherwise. */
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

/** A second apart, the first at 1000, in this order, whenever they were written down. */
export function inTurn(...events: HookEvent[]): HookEvent[] {
  return events.map((event, i) => ({ ...event, at: (i + 1) * 1000 }))
}

export function run(...events: HookEvent[]): Session {
  const fleet = new Fleet()
  for (const event of events) fleet.apply(event)
  const session = fleet.find('claude:s1')
  if (!session) throw new Error('no session s1')
  return session
}
