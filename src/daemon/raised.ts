/** Events that gantry itself raises. They are in the journal like any other, from the agent "gantry". */
import { type Arrival, type HookEvent, newId } from '../events/index.ts'

export function stopLoopArrival(event: HookEvent, rule: string, now: number): Arrival {
  const payload = {
    hook_event_name: 'StopLoopDetected',
    session_id: event.sessionId,
    ...(event.agentId === undefined ? {} : { agent_id: event.agentId }),
    cwd: event.cwd,
    message: `rule ${rule} kept the turn going too often; the agent may stop now`,
    rule,
    cause: event.id,
  }
  return {
    id: newId(),
    at: now,
    receivedAt: now,
    agent: 'gantry',
    client: { env: {} },
    transport: 'emit',
    raw: JSON.stringify(payload),
  }
}
