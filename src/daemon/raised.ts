/** Events that gantry itself raises. They are in the journal like any other, from the agent "gantry". */
import { type Arrival, type HookEvent, newId } from '../events/index.ts'
import { OWN_AGENT } from '../sessions/index.ts'

export function stopLoopArrival(event: HookEvent, rule: string, now: number): Arrival {
  return raised('StopLoopDetected', now, {
    session_id: event.sessionId,
    ...(event.agentId === undefined ? {} : { agent_id: event.agentId }),
    ...(event.cwd === undefined ? {} : { cwd: event.cwd }),
    message: `rule ${rule} kept the turn going too often; the agent may stop now`,
    rule,
    cause: event.id,
  })
}

/** What a person said about a session: in the journal, so that a rebuild knows it, too. */
export function renamedArrival(key: string, name: string, now: number): Arrival {
  return raised('SessionRenamed', now, { session_key: key, name })
}

export function seenArrival(key: string, now: number): Arrival {
  return raised('SessionSeen', now, { session_key: key })
}

function raised(name: string, now: number, payload: Record<string, unknown>): Arrival {
  return {
    id: newId(),
    at: now,
    receivedAt: now,
    agent: OWN_AGENT,
    client: { env: {} },
    transport: 'emit',
    raw: JSON.stringify({ hook_event_name: name, ...payload }),
  }
}
