/**
 * Parses Factory droid's payloads. On the hook path. The list is whole, of 0.215.0: a call that fails has no event after
 * it, no event has a call's id, and `droid exec` sends no UserPromptSubmit.
 */
import { claudeFormat } from '../claude/like/format.ts'

export const format = claudeFormat({
  since: '0.215.0',
  common: 'message_id',
  events: {
    SessionStart: 'source CLAUDE_ENV_FILE',
    SessionEnd: 'reason session_duration_ms message_count',
    UserPromptSubmit: 'prompt',
    PreToolUse: 'tool_name tool_input',
    PostToolUse: 'tool_name tool_input tool_response',
    Notification: 'message',
    Stop: 'stop_hook_active tool_execution_count elapsed_time',
    SubagentStop: 'stop_hook_active tool_execution_count elapsed_time',
    PreCompact: 'trigger custom_instructions',
  },
})

export const { read } = format
