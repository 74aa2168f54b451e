/**
 * Every hook event of Claude Code with its own fields: the 33 of 2.1.325, including the 12 of 2.0.77, and the status line,
 * which is not a hook but uses the same field names. All were seen live; fields known only from the bundle's schema are
 * marked.
 */
import {
  COMMON_FIELDS,
  errorText,
  type FieldMappers,
  flag,
  keep,
  modelObject,
  notificationText,
  TOOL_FIELDS,
  taskText,
  teammateText,
  text,
  toolDuration,
  toolInterrupted,
  toolText,
} from '../fields.ts'
import type { EventSpec } from '../payload.ts'
import { agentResponse, backgroundTasks, batchedCalls, contextWindow, cost, mcpServer } from './nested.ts'

/** `effort` comes with tool and stop events, and with InstructionsLoaded inside a turn. */
export const CLAUDE_COMMON: FieldMappers = { ...COMMON_FIELDS, effort: keep }

const TOOL: FieldMappers = { ...TOOL_FIELDS, mcp_server: mcpServer }
const TOOL_DONE: FieldMappers = { ...TOOL, duration_ms: toolDuration }
const STOP: FieldMappers = {
  stop_hook_active: flag('stopHookActive'),
  last_assistant_message: text('message'),
  background_tasks: backgroundTasks,
  session_crons: keep,
}
const MODEL_SWITCH: FieldMappers = {
  from_model: keep,
  to_model: keep,
  requested_model: keep,
  source: text('source'),
  context_tokens: keep,
  prompt_cache_warm: keep,
  cache_ttl: keep,
  estimated_cache_write_usd: keep,
  pricing: keep,
}
const TEAMMATE: FieldMappers = { teammate_name: teammateText('name'), team_name: teammateText('team') }
const TASK: FieldMappers = {
  task_id: taskText('id'),
  task_subject: taskText('subject'),
  task_description: taskText('description'),
  ...TEAMMATE,
}
const SUBAGENT: FieldMappers = { agent_id: text('agentId'), agent_type: text('agentType') }
const TRIGGER: FieldMappers = { trigger: text('trigger') }

const OLD = '2.0.77'
const NEW = '2.1.325'

export const CLAUDE_EVENTS: Readonly<Record<string, EventSpec>> = {
  SessionStart: event('SessionStart', OLD, {
    source: text('source'),
    model: text('model'),
    agent_type: text('agentType'), // schema
    session_title: keep, // schema
    seconds_since_last_response: keep,
    context_tokens: keep,
    prompt_cache_likely_expired: keep,
    estimated_cache_write_usd: keep,
  }),
  SessionEnd: event('SessionEnd', OLD, { reason: text('reason') }),
  Setup: event('Setup', NEW, TRIGGER),
  UserPromptSubmit: event('UserPromptSubmit', OLD, {
    prompt: text('prompt'),
    session_title: keep, // schema
    source: text('source'), // schema
  }),
  UserPromptExpansion: event('UserPromptExpansion', NEW, {
    expansion_type: keep,
    command_name: keep,
    command_args: keep,
    command_source: keep,
    prompt: text('prompt'),
  }),
  PreToolUse: event('PreToolUse', OLD, TOOL),
  PostToolUse: event('PostToolUse', OLD, { ...TOOL_DONE, tool_response: agentResponse }),
  PostToolUseFailure: event('PostToolUseFailure', OLD, {
    ...TOOL_DONE,
    error: toolText('error'),
    is_interrupt: toolInterrupted,
  }),
  PostToolBatch: event('PostToolBatch', NEW, { tool_calls: batchedCalls }),
  PermissionRequest: event('PermissionRequest', OLD, {
    tool_name: TOOL_FIELDS.tool_name,
    tool_input: TOOL_FIELDS.tool_input,
    permission_suggestions: keep,
    mcp_server: mcpServer,
  }),
  PermissionDenied: event('PermissionDenied', NEW, { ...TOOL, reason: text('reason') }),
  Notification: event('Notification', OLD, {
    message: notificationText('message'),
    title: notificationText('title'), // schema
    notification_type: notificationText('type'),
  }),
  Stop: event('Stop', OLD, STOP),
  StopFailure: event('StopFailure', NEW, {
    error: errorText('kind'),
    error_details: errorText('message'),
    last_assistant_message: text('message'),
  }),
  SubagentStart: event('SubagentStart', OLD, SUBAGENT),
  SubagentStop: event('SubagentStop', OLD, {
    ...SUBAGENT,
    ...STOP,
    agent_transcript_path: text('agentTranscriptPath'),
  }),
  PreCompact: event('PreCompact', OLD, { ...TRIGGER, custom_instructions: keep }),
  PostCompact: event('PostCompact', NEW, { ...TRIGGER, compact_summary: keep }),
  PreModelSwitch: event('PreModelSwitch', NEW, MODEL_SWITCH),
  PostModelSwitch: event('PostModelSwitch', NEW, MODEL_SWITCH),
  TeammateIdle: event('TeammateIdle', NEW, TEAMMATE),
  TaskCreated: event('TaskCreated', NEW, TASK),
  TaskCompleted: event('TaskCompleted', NEW, TASK),
  Elicitation: event('Elicitation', NEW, {
    mcp_server_name: keep,
    message: keep,
    mode: keep,
    url: keep,
    elicitation_id: keep,
    requested_schema: keep,
  }),
  ElicitationResult: event('ElicitationResult', NEW, {
    mcp_server_name: keep,
    elicitation_id: keep,
    mode: keep,
    action: keep,
    content: keep, // schema
  }),
  ConfigChange: event('ConfigChange', NEW, { source: text('source'), file_path: keep }),
  InstructionsLoaded: event('InstructionsLoaded', NEW, {
    file_path: keep,
    memory_type: keep,
    load_reason: keep,
    globs: keep,
    trigger_file_path: keep,
    parent_file_path: keep,
  }),
  WorktreeCreate: event('WorktreeCreate', NEW, { name: keep }),
  WorktreeRemove: event('WorktreeRemove', NEW, { worktree_path: keep }),
  CwdChanged: event('CwdChanged', NEW, { old_cwd: keep, new_cwd: keep }),
  FileChanged: event('FileChanged', NEW, { file_path: keep, event: keep }),
  DirectoryAdded: event('DirectoryAdded', NEW, { directory: keep, source: text('source') }),
  // Its turn_id differs from the prompt_id of the other events, so it is not used as turnId.
  MessageDisplay: event('MessageDisplay', NEW, {
    turn_id: keep,
    message_id: keep,
    index: keep,
    final: keep,
    delta: keep,
  }),
  statusLine: event('StatusLine', OLD, {
    session_name: keep, // schema
    model: modelObject,
    workspace: keep,
    version: text('agentVersion'),
    output_style: keep,
    cost,
    context_window: contextWindow,
    exceeds_200k_tokens: keep,
    fast_mode: keep,
    thinking: keep,
    prompt_cache: keep,
    rate_limits: keep, // schema, like all below
    vim: keep,
    agent: keep,
    pr: keep,
    worktree: keep,
    remote: keep,
  }),
}

function event(type: string, since: string, fields: FieldMappers): EventSpec {
  return { type, since, fields }
}
