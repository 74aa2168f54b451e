/** Parses Copilot CLI's payloads. On the hook path. */
import { isObject } from '../../core/is-object.ts'
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { type Draft, UNAMBIGUOUS_FIELDS } from '../fields.ts'
import { makeDialect, type Payload, readPayload } from '../payload.ts'
import { CAMEL_NAME, COPILOT_COMMON, COPILOT_EVENTS, isInjected } from './events.ts'

const dialect = makeDialect(COPILOT_EVENTS, { ...UNAMBIGUOUS_FIELDS, ...COPILOT_COMMON })

export function read(payload: unknown, from: RawEvent): HookEvent {
  const draft = readPayload(dialect, payload, named(payload, from))
  const version = from.client.env.COPILOT_CLI_BINARY_VERSION
  if (version) draft.agentVersion = version
  if (draft.prompt !== undefined && isInjected(draft.prompt)) draft.promptInjected = true
  if (draft.agentId !== undefined) settleSubagent(draft)
  // It comes before the permission rules, even with --allow-all and for a command that then runs for an hour, so perhaps
  // nobody is asked. If somebody is, a notification of type permission_prompt follows (1.0.102). Requests that gantry
  // itself raises are real questions to a person.
  if (draft.type === 'PermissionRequest' && from.transport !== 'healer') draft.hidden = 'before-rules'
  if (draft.type === 'StopFailure' && draft.fields?.recoverable === true) settleFailure(draft)
  return draft
}

/**
 * 1.0.102 reports every failed request, also those that it retries ("Retrying…"). When it gives up, no hook runs; only
 * `session.error` in its transcript shows it.
 */
function settleFailure(draft: Draft): void {
  if (draft.error?.kind === 'model_call') draft.type = 'PostModelRequest'
}

/**
 * Events inside a sub-agent come under the child's own session id, but its start, end and permission requests under the
 * parent's. Everywhere else a child belongs to its parent's session, so it does here.
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

/** The first field present decides; fields that several events share come last. */
const TELLTALES: readonly (readonly [field: string, event: string])[] = [
  ['transformedPrompt', 'userPromptTransformed'],
  ['prompt', 'userPromptSubmitted'],
  ['errorContext', 'errorOccurred'],
  ['toolResult', 'postToolUse'],
  ['serverName', 'preMcpToolCall'],
  ['toolInput', 'permissionRequest'],
  ['initialPrompt', 'sessionStart'],
  ['source', 'sessionStart'],
  ['customInstructions', 'preCompact'],
  ['trigger', 'preCompact'],
  ['notification_type', 'notification'],
  ['reason', 'sessionEnd'],
  ['response', 'subagentStop'],
]

/**
 * Adds the event's name. Most camelCase payloads do not have it, but the hook's command line does. An http hook has no command
 * line, so its fields decide.
 */
function named(payload: unknown, from: RawEvent): RawEvent {
  if (!isObject(payload) || isText(payload.hook_event_name)) return from
  const event = nameOf(payload, from.event)
  return event === from.event || event === undefined ? from : { ...from, event }
}

function nameOf(payload: Payload, given: string | undefined): string | undefined {
  if (isText(payload.hookName)) return payload.hookName
  if (!isText(payload.sessionId)) return given
  return given ? (CAMEL_NAME.get(given) ?? given) : nameByShape(payload)
}

function nameByShape(payload: Payload): string | undefined {
  for (const [field, event] of TELLTALES) if (payload[field] !== undefined) return event
  const isSubagent = payload.agentName !== undefined
  if (payload.stopReason !== undefined) return isSubagent ? 'subagentStop' : 'agentStop'
  if (isSubagent) return 'subagentStart'
  if (payload.toolArgs === undefined) return undefined
  return payload.error === undefined ? 'preToolUse' : 'postToolUseFailure'
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
