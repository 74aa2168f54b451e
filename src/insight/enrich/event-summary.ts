/**
 * An event without its payload. Events wait a moment before they are enriched; if thousands of payloads lived that
 * long, the garbage collector would move them around and delay all hooks.
 */
import type { HookEvent } from '../../events/index.ts'

export type EventSummary = Pick<
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

export function summaryOf(event: HookEvent): EventSummary {
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
