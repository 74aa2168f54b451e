/** Parses Qwen Code's payloads, seen on 0.24.4. On the hook path. */
import { claudeFormat } from '../claude/like/format.ts'
import { keep, toolText } from '../fields.ts'

const CALL = 'tool_name tool_input tool_use_id tool_call_id'
const STOP = 'stop_hook_active last_assistant_message background_tasks crons'

export const format = claudeFormat({
  since: '0.24.4',
  common: 'timestamp',
  // PostToolBatch knows a call only by the model's id.
  own: { tool_use_id: keep, tool_call_id: toolText('useId') },
  same: 'SessionEnd PermissionDenied StopFailure SubagentStart PreCompact PostCompact InstructionsLoaded',
  events: {
    SessionStart: 'source model agent_type',
    UserPromptSubmit: 'prompt submitted_prompt',
    PreToolUse: CALL,
    PostToolUse: `${CALL} tool_response duration_ms`,
    PostToolUseFailure: `${CALL} error is_interrupt duration_ms`,
    PostToolBatch: 'tool_calls',
    PermissionRequest: 'tool_name tool_input permission_suggestions',
    Notification: 'message title notification_type',
    Stop: `${STOP} context_usage context_limit input_tokens`,
    SubagentStop: `agent_id agent_type agent_transcript_path ${STOP}`,
    MessageDisplay: 'message_id displayed_text is_final',
  },
  settle: (draft) => {
    if (draft.type !== 'UserPromptSubmit' || draft.prompt === undefined) return
    if (draft.prompt === '')
      draft.type = 'PreModelRequest' // tools' results go back to the model
    else if (draft.fields?.submitted_prompt === undefined) draft.promptInjected = true // a blocked stop's reason
  },
})

export const { read } = format
