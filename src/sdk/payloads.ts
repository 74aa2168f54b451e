/**
 * The agent's own payload of an event, with its type. The types were recorded from one version of each agent; another
 * version may send more, so nothing here checks a payload: it says whose it is, and TypeScript knows the rest.
 *
 *   payloadOf(event, 'claude', 'PreToolUse', 'Bash')?.tool_input.command
 */
import type { Payloads, ToolPayloads } from './generated/payloads.ts'

export type { Payloads, ToolPayloads }

export type AgentName = keyof Payloads

/** As much of an event as is needed to find its payload: those of subscriptions and of handlers have it. */
export interface Sent {
  readonly agent: string
  readonly native: string
  readonly tool?: { readonly name: string } | undefined
  readonly raw?: string | Uint8Array | undefined
}

/** Undefined when it is of another agent, event or tool, or no JSON object. */
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
  if (typeof event.raw !== 'string') return undefined
  try {
    const payload: unknown = JSON.parse(event.raw)
    return typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? payload : undefined
  } catch {
    return undefined
  }
}
