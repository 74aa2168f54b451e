/**
 * Determines the event of a payload. Most camelCase payloads do not name it, but the hook's command line does. An http hook
 * has no command line, so its fields decide.
 */
import type { RawEvent } from '../../events/index.ts'
import { isPayload, type Payload } from '../payload.ts'
import { CAMEL_NAME } from './events.ts'

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

/** Adds the event's name to the raw event if it can be determined. */
export function named(payload: unknown, from: RawEvent): RawEvent {
  if (!isPayload(payload) || isText(payload.hook_event_name)) return from
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
