/** What droid 0.215.0 sends, as recorded. Made by "npm run sdk:types". */

export interface DroidNotification {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: unknown
  hook_event_name?: unknown
  message?: unknown
  message_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: unknown
  transcript_path?: unknown
}

export interface DroidPostToolUse {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PostToolUse"
  message_id?: unknown
  permission_mode?: string
  prompt_id?: unknown
  session_id?: string
  tool_input?: Record<string, unknown>
  tool_name?: string
  tool_response?: string
  transcript_path?: string
}

export interface DroidPreCompact {
  agent_id?: unknown
  agent_type?: unknown
  custom_instructions?: unknown
  cwd?: unknown
  hook_event_name?: unknown
  message_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: unknown
  transcript_path?: unknown
  trigger?: unknown
}

export interface DroidPreToolUse {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PreToolUse"
  message_id?: unknown
  permission_mode?: string
  prompt_id?: unknown
  session_id?: string
  tool_input?: Record<string, unknown>
  tool_name?: string
  transcript_path?: string
}

export interface DroidSessionEnd {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "SessionEnd"
  message_count?: number
  message_id?: string
  permission_mode?: string
  prompt_id?: unknown
  reason?: string
  session_duration_ms?: number
  session_id?: string
  transcript_path?: string
}

export interface DroidSessionStart {
  CLAUDE_ENV_FILE?: string
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "SessionStart"
  message_id?: unknown
  permission_mode?: string
  prompt_id?: unknown
  session_id?: string
  source?: string
  transcript_path?: string
}

export interface DroidStop {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  elapsed_time?: number
  hook_event_name?: "Stop"
  message_id?: string
  permission_mode?: string
  prompt_id?: unknown
  session_id?: string
  stop_hook_active?: boolean
  tool_execution_count?: number
  transcript_path?: string
}

export interface DroidSubagentStop {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: unknown
  elapsed_time?: unknown
  hook_event_name?: unknown
  message_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: unknown
  stop_hook_active?: unknown
  tool_execution_count?: unknown
  transcript_path?: unknown
}

export interface DroidUserPromptSubmit {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: unknown
  hook_event_name?: unknown
  message_id?: unknown
  permission_mode?: unknown
  prompt?: unknown
  prompt_id?: unknown
  session_id?: unknown
  transcript_path?: unknown
}

export interface DroidPostToolUseExecute {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PostToolUse"
  message_id?: unknown
  permission_mode?: string
  prompt_id?: unknown
  session_id?: string
  tool_input?: {
    command?: string
    riskLevel?: string
    riskLevelReason?: string
    summary?: string
  }
  tool_name?: "Execute"
  tool_response?: string
  transcript_path?: string
}

export interface DroidPreToolUseExecute {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PreToolUse"
  message_id?: unknown
  permission_mode?: string
  prompt_id?: unknown
  session_id?: string
  tool_input?: {
    command?: string
    riskLevel?: string
    riskLevelReason?: string
    summary?: string
  }
  tool_name?: "Execute"
  transcript_path?: string
}

export interface DroidPreToolUseRead {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PreToolUse"
  message_id?: unknown
  permission_mode?: string
  prompt_id?: unknown
  session_id?: string
  tool_input?: {
    file_path?: string
  }
  tool_name?: "Read"
  transcript_path?: string
}

/** Any of them. */
export type DroidPayload =
  | DroidNotification
  | DroidPostToolUse
  | DroidPreCompact
  | DroidPreToolUse
  | DroidSessionEnd
  | DroidSessionStart
  | DroidStop
  | DroidSubagentStop
  | DroidUserPromptSubmit
  | DroidPostToolUseExecute
  | DroidPreToolUseExecute
  | DroidPreToolUseRead

/** By the agent's own name of the event. */
export interface DroidPayloads {
  "Notification": DroidNotification
  "PostToolUse": DroidPostToolUse
  "PreCompact": DroidPreCompact
  "PreToolUse": DroidPreToolUse
  "SessionEnd": DroidSessionEnd
  "SessionStart": DroidSessionStart
  "Stop": DroidStop
  "SubagentStop": DroidSubagentStop
  "UserPromptSubmit": DroidUserPromptSubmit
}

/** Events about a tool, by the tools that were recorded. */
export interface DroidToolPayloads {
  "PostToolUse": {
    "Execute": DroidPostToolUseExecute
  }
  "PreToolUse": {
    "Execute": DroidPreToolUseExecute
    "Read": DroidPreToolUseRead
  }
}
