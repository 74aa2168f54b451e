/** Copilot CLI's payloads, as events. On the hook path. */
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { type Draft, UNAMBIGUOUS_FIELDS } from '../fields.ts'
import { makeDialect, readPayload } from '../payload.ts'
import { COPILOT_COMMON, COPILOT_EVENTS } from './events.ts'
import { named } from './name.ts'
import { isInjected } from './prompt.ts'

const dialect = makeDialect(COPILOT_EVENTS, { ...UNAMBIGUOUS_FIELDS, ...COPILOT_COMMON })

export function read(payload: unknown, from: RawEvent): HookEvent {
  const draft = readPayload(dialect, payload, named(payload, from))
  const version = from.client.env.COPILOT_CLI_BINARY_VERSION
  if (version) draft.agentVersion = version
  if (draft.prompt !== undefined && isInjected(draft.prompt)) draft.promptInjected = true
  if (draft.agentId !== undefined) settleSubagent(draft)
  // It comes before the permission rules, also with --allow-all and for a command that then runs for an hour;
  // nobody may ever be asked. When somebody is, a notification of type permission_prompt tells (1.0.102).
  // What gantry raises itself is a question that a person is asked.
  if (draft.type === 'PermissionRequest' && from.transport !== 'healer') draft.hidden = 'before-rules'
  if (draft.type === 'StopFailure' && draft.fields?.recoverable === true) settleFailure(draft)
  return draft
}

/**
 * Every request that fails is told, also those that 1.0.102 tries again by itself ("Retrying…"); and when it gives up, no
 * hook tells, but `session.error` in its transcript.
 */
function settleFailure(draft: Draft): void {
  if (draft.error?.kind === 'model_call') draft.type = 'PostModelRequest'
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
