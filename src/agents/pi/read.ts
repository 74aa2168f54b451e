/** Parses what the extension in pi sends. On the hook path. */
import { claudeFormat } from '../claude/like/format.ts'

const CALL = 'tool_name tool_input tool_use_id'

export const format = claudeFormat({
  since: '0.87.1',
  common: 'model mode',
  same: 'SessionEnd PreCompact PostCompact',
  events: {
    SessionStart: 'source',
    UserPromptSubmit: 'prompt source',
    PreToolUse: CALL,
    PostToolUse: `${CALL} tool_response`,
    PostToolUseFailure: `${CALL} error`,
    Stop: 'stop_hook_active outcome',
    StopFailure: 'error',
    Interrupt: 'outcome',
  },
})

export const { read } = format
