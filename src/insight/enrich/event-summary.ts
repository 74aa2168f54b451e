/**
 * An event without its payload. Events wait for a moment before they are looked at; thousands of payloads that live for that
 * long would be moved about by the garbage collector, which all hooks would feel.
 */
import type { HookEvent } from '../../events/index.ts'

export type Brief = Pick<
  HookEvent,
  | 'id'
  | 'seq'
  | 'at'
  | 'agent'
  | 'type'
  | 'sessionId'
  | 'agentId'
  | 'turnId'
  | 'cwd'
  | 'source'
  | 'hidden'
  | 'transport'
  | 'client'
>

export function briefOf(event: HookEvent): Brief {
  const { id, seq, at, agent, type, sessionId, transport, client } = event
  const { agentId, turnId, cwd, source, hidden } = event
  return {
    id,
    seq,
    at,
    agent,
    type,
    sessionId,
    transport,
    client,
    ...(agentId === undefined ? {} : { agentId }),
    ...(turnId === undefined ? {} : { turnId }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(source === undefined ? {} : { source }),
    ...(hidden === undefined ? {} : { hidden }),
  }
}
