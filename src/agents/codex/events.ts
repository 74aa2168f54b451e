/**
 * Every hook event of Codex 0.166.0 with its own fields, and the one event of its `notify` program. All were seen live.
 * Codex uses Claude Code's names; `null` is valid where its JSON Schemas say so.
 */
import {
  COMMON_FIELDS,
  eventName,
  type FieldMappers,
  flag,
  keep,
  nullable,
  TOOL_FIELDS,
  text,
  toolResponse,
} from '../fields.ts'
import type { EventSpec } from '../payload.ts'
import { requestError, requestStatus, tokenUsage } from './model-request.ts'
import { inputMessages, TURN_COMPLETE } from './notify.ts'

/** Inside a sub-agent `session_id` is still the root session's; only `agent_id` distinguishes them. */
export const CODEX_COMMON: FieldMappers = {
  session_id: COMMON_FIELDS.session_id,
  transcript_path: nullable(COMMON_FIELDS.transcript_path), // null with --ephemeral
  cwd: COMMON_FIELDS.cwd,
  hook_event_name: COMMON_FIELDS.hook_event_name,
  turn_id: text('turnId'),
  permission_mode: COMMON_FIELDS.permission_mode,
  agent_id: COMMON_FIELDS.agent_id,
  agent_type: COMMON_FIELDS.agent_type,
  model: text('model'),
}

const STOP: FieldMappers = {
  stop_hook_active: flag('stopHookActive'),
  last_assistant_message: nullable(text('message')),
}
const SUBAGENT: FieldMappers = { agent_id: COMMON_FIELDS.agent_id, agent_type: COMMON_FIELDS.agent_type }
const TRIGGER: FieldMappers = { trigger: text('trigger') }

export const CODEX_EVENTS: Readonly<Record<string, EventSpec>> = {
  SessionStart: event('SessionStart', { source: text('source') }),
  SessionEnd: event('SessionEnd', { reason: text('reason') }),
  UserPromptSubmit: event('UserPromptSubmit', { prompt: text('prompt') }),
  PreModelRequest: event('PreModelRequest', {}),
  // A failed request is a StopFailure: 0.166.0 sends no Stop after it.
  PostModelRequest: event('PostModelRequest', {
    status: requestStatus,
    error: requestError,
    token_usage: tokenUsage,
  }),
  PreToolUse: event('PreToolUse', TOOL_FIELDS),
  // Has no tool_use_id. The model's justification is in tool_input.description.
  PermissionRequest: event('PermissionRequest', {
    tool_name: TOOL_FIELDS.tool_name,
    tool_input: TOOL_FIELDS.tool_input,
  }),
  // A failed command looks like any other: `exit 3` without output gives tool_response "".
  PostToolUse: event('PostToolUse', { ...TOOL_FIELDS, tool_response: toolResponse }),
  PreCompact: event('PreCompact', TRIGGER),
  PostCompact: event('PostCompact', TRIGGER),
  SubagentStart: event('SubagentStart', SUBAGENT),
  SubagentStop: event('SubagentStop', {
    ...SUBAGENT,
    ...STOP,
    agent_transcript_path: nullable(text('agentTranscriptPath')),
  }),
  Stop: event('Stop', STOP),
  Interrupt: event('Interrupt', {}),
  [TURN_COMPLETE]: event('Stop', {
    type: eventName,
    'thread-id': text('sessionId'),
    'turn-id': text('turnId'),
    cwd: COMMON_FIELDS.cwd,
    client: keep,
    'input-messages': inputMessages,
    'last-assistant-message': nullable(text('message')),
  }),
}

function event(type: string, fields: FieldMappers): EventSpec {
  return { type, since: '0.166.0', fields }
}
