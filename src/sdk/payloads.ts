/**
 * The agent's own payload of an event, typed. The types were recorded from one version of each agent. Other versions may
 * send more, so payloads are not validated: only agent, event and tool are compared.
 *
 *   payloadOf(event, 'claude', 'PreToolUse', 'Bash')?.tool_input.command
 */
import { objectIn } from '../core/json.ts'
import type { Payloads, ToolPayloads } from './generated/payloads.ts'

export type { Payloads, ToolPayloads }

export type AgentName = keyof Payloads

/** The part of an event that identifies its payload; events of subscriptions and handlers have it. */
export interface Sent {
  readonly agent: string
  readonly native: string
  readonly tool?: { readonly name: string } | undefined
  readonly raw?: string | Uint8Array | undefined
}

/** Undefined for another agent, event or tool, or if the payload is not a JSON object. */
export function payloadOf(event: Sent): Record<string, unknown> | undefined
export function payloadOf<A extends AgentName, E extends keyof Payloads[A]>(
  event: Sent,
  agent: A,
  native: E,
): Payloads[A][E] | undefined
export function payloadOf<
  A extends AgentName,
  E extends keyof ToolPayloads[A],
  T extends keyof ToolPayloads[A][E],
>(event: Sent, agent: A, native: E, tool: T): ToolPayloads[A][E][T] | undefined
export function payloadOf(event: Sent, agent?: string, native?: PropertyKey, tool?: PropertyKey): unknown {
  if (agent !== undefined && event.agent !== agent) return undefined
  if (native !== undefined && event.native !== native) return undefined
  if (tool !== undefined && event.tool?.name !== tool) return undefined
  return typeof event.raw === 'string' ? objectIn(event.raw) : undefined
}
