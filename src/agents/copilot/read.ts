/** Copilot CLI's payloads, as events. On the hook path. */
import type { Arrival, HookEvent } from '../../events/index.ts'
import { makeDialect, readPayload } from '../payload.ts'
import { type Draft, UNAMBIGUOUS_FIELDS } from '../slots.ts'
import { COPILOT_COMMON, COPILOT_EVENTS } from './events.ts'
import { named } from './name.ts'

const dialect = makeDialect(COPILOT_EVENTS, { ...UNAMBIGUOUS_FIELDS, ...COPILOT_COMMON })

export function read(payload: unknown, from: Arrival): HookEvent {
  const draft = readPayload(dialect, payload, named(payload, from))
  const version = from.client.env.COPILOT_CLI_BINARY_VERSION
  if (version) draft.agentVersion = version
  if (draft.prompt?.startsWith('<system_notification>')) draft.promptInjected = true
  if (draft.agentId !== undefined) settleSubagent(draft)
  // It comes before the permission rules, also with --allow-all and for a command that then runs for an hour;
  // nobody may ever be asked. When somebody is, a notification of type permission_prompt tells (1.0.102).
  if (draft.type === 'PermissionRequest') draft.hidden = 'before-rules'
  return draft
}

/**
 * What happens inside a subagent comes under the child's own session id, but its start, its end and its
 * permission requests under the parent's. A child is keyed by its parent's session everywhere else, so it is
 * here.
 */
function settleSubagent(draft: Draft): void {
  const parent = draft.fields?.parentAgentId ?? draft.fields?.parent_agent_id
  if (draft.sessionId === draft.agentId && typeof parent === 'string' && parent !== '')
    draft.sessionId = parent
  // agentStop fires for a subagent, too, right before its subagentStop.
  if (draft.type === 'Stop') draft.hidden = 'subagent-turn'
  // The parent's model wrote it.
  if (draft.prompt !== undefined) draft.promptInjected = true
}
