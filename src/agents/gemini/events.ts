/**
 * Every hook event of Gemini CLI 0.61.0 with its own fields. All were seen live, and the list matches the bundle. No event
 * has a tool-call id, a turn, a permission mode, or tells whether a sub-agent sent it.
 */
import {
  COMMON_FIELDS,
  type FieldMappers,
  flag,
  keep,
  notificationText,
  TOOL_FIELDS,
  text,
} from '../fields.ts'
import type { EventSpec } from '../payload.ts'
import { compressTrigger, llmRequest, llmResponse, mcpContext, toolResult } from './nested.ts'
import { confirmation } from './permission.ts'

export const GEMINI_COMMON: FieldMappers = {
  session_id: COMMON_FIELDS.session_id,
  transcript_path: COMMON_FIELDS.transcript_path,
  cwd: COMMON_FIELDS.cwd,
  hook_event_name: COMMON_FIELDS.hook_event_name,
  timestamp: keep,
}

const TOOL: FieldMappers = {
  tool_name: TOOL_FIELDS.tool_name,
  tool_input: TOOL_FIELDS.tool_input,
  mcp_context: mcpContext,
  original_request_name: keep,
}

export const GEMINI_EVENTS: Readonly<Record<string, EventSpec>> = {
  SessionStart: event('SessionStart', { source: text('source') }),
  // Comes two or three times when the TUI ends; once headless, and once on /clear.
  SessionEnd: event('SessionEnd', { reason: text('reason') }),
  // Comes again after a blocked AfterAgent, with the reason as the prompt.
  BeforeAgent: event('UserPromptSubmit', { prompt: text('prompt') }),
  AfterAgent: event('Stop', {
    prompt: text('prompt'),
    // Never used as the message. An answer streamed as "one ", "two ", "three." arrives as "one two three. two  three.".
    // After a blocked stop all answers are concatenated. Nothing distinguishes an intact text from a garbled one.
    prompt_response: keep,
    stop_hook_active: flag('stopHookActive'),
  }),
  BeforeModel: event('PreModelRequest', { llm_request: llmRequest }),
  BeforeToolSelection: event('PreToolSelection', { llm_request: llmRequest }),
  // Comes for each chunk of the stream, with the whole conversation.
  AfterModel: event('PostModelRequest', { llm_request: llmRequest, llm_response: llmResponse }),
  BeforeTool: event('PreToolUse', TOOL),
  // With an error in the response it becomes a PostToolUseFailure.
  AfterTool: event('PostToolUse', { ...TOOL, tool_response: toolResult }),
  PreCompress: event('PreCompact', { trigger: compressTrigger }),
  // Its only type so far, ToolPermission, corresponds to a PermissionRequest.
  Notification: event('Notification', {
    notification_type: notificationText('type'),
    message: notificationText('message'),
    details: confirmation,
  }),
}

function event(type: string, fields: FieldMappers): EventSpec {
  return { type, since: '0.61.0', fields }
}
