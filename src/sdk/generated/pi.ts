/** What pi 0.87.1 sends, as recorded. Made by "npm run sdk:types". */

export interface PiInterrupt {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: unknown
  hook_event_name?: unknown
  mode?: unknown
  model?: unknown
  outcome?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: unknown
  transcript_path?: unknown
}

export interface PiPostCompact {
  agent_id?: unknown
  agent_type?: unknown
  compact_summary?: unknown
  cwd?: unknown
  hook_event_name?: unknown
  mode?: unknown
  model?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: unknown
  transcript_path?: unknown
  trigger?: unknown
}

export interface PiPostToolUse {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PostToolUse"
  mode?: string
  model?: string
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: string
  tool_input?: Record<string, unknown>
  tool_name?: string
  tool_response?: unknown[]
  tool_use_id?: string
  transcript_path?: string
}

export interface PiPostToolUseFailure {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  error?: string
  hook_event_name?: "PostToolUseFailure"
  mode?: string
  model?: string
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: string
  tool_input?: Record<string, unknown>
  tool_name?: string
  tool_use_id?: string
  transcript_path?: string
}

export interface PiPreCompact {
  agent_id?: unknown
  agent_type?: unknown
  custom_instructions?: unknown
  cwd?: unknown
  hook_event_name?: unknown
  mode?: unknown
  model?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: unknown
  transcript_path?: unknown
  trigger?: unknown
}

export interface PiPreToolUse {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PreToolUse"
  mode?: string
  model?: string
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: string
  tool_input?: Record<string, unknown>
  tool_name?: string
  tool_use_id?: string
  transcript_path?: string
}

export interface PiSessionEnd {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "SessionEnd"
  mode?: string
  model?: string
  permission_mode?: unknown
  prompt_id?: unknown
  reason?: string
  session_id?: string
  transcript_path?: string
}

export interface PiSessionStart {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "SessionStart"
  mode?: string
  model?: string
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: string
  source?: string
  transcript_path?: string
}

export interface PiStop {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "Stop"
  mode?: string
  model?: string
  outcome?: string
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: string
  stop_hook_active?: boolean
  transcript_path?: string
}

export interface PiStopFailure {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  error?: string
  hook_event_name?: "StopFailure"
  mode?: string
  model?: string
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: string
  transcript_path?: string
}

export interface PiUserPromptSubmit {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "UserPromptSubmit"
  mode?: string
  model?: string
  permission_mode?: unknown
  prompt?: string
  prompt_id?: unknown
  session_id?: string
  source?: string
  transcript_path?: string
}

export interface PiPostToolUseBash {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PostToolUse"
  mode?: string
  model?: string
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: string
  tool_input?: {
    command?: string
  }
  tool_name?: "bash"
  tool_response?: ({
    text?: string
    type?: string
  })[]
  tool_use_id?: string
  transcript_path?: string
}

export interface PiPostToolUseEdit {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PostToolUse"
  mode?: string
  model?: string
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: string
  tool_input?: {
    edits?: ({
      newText?: string
      oldText?: string
    })[]
    path?: string
  }
  tool_name?: "edit"
  tool_response?: ({
    text?: string
    type?: string
  })[]
  tool_use_id?: string
  transcript_path?: string
}

export interface PiPostToolUseWrite {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PostToolUse"
  mode?: string
  model?: string
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: string
  tool_input?: {
    content?: string
    path?: string
  }
  tool_name?: "write"
  tool_response?: ({
    text?: string
    type?: string
  })[]
  tool_use_id?: string
  transcript_path?: string
}

export interface PiPostToolUseFailureRead {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  error?: string
  hook_event_name?: "PostToolUseFailure"
  mode?: string
  model?: string
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: string
  tool_input?: {
    path?: string
  }
  tool_name?: "read"
  tool_use_id?: string
  transcript_path?: string
}

export interface PiPreToolUseBash {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PreToolUse"
  mode?: string
  model?: string
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: string
  tool_input?: {
    command?: string
  }
  tool_name?: "bash"
  tool_use_id?: string
  transcript_path?: string
}

export interface PiPreToolUseEdit {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PreToolUse"
  mode?: string
  model?: string
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: string
  tool_input?: {
    edits?: ({
      newText?: string
      oldText?: string
    })[]
    path?: string
  }
  tool_name?: "edit"
  tool_use_id?: string
  transcript_path?: string
}

export interface PiPreToolUseRead {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PreToolUse"
  mode?: string
  model?: string
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: string
  tool_input?: {
    path?: string
  }
  tool_name?: "read"
  tool_use_id?: string
  transcript_path?: string
}

export interface PiPreToolUseWrite {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PreToolUse"
  mode?: string
  model?: string
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: string
  tool_input?: {
    content?: string
    path?: string
  }
  tool_name?: "write"
  tool_use_id?: string
  transcript_path?: string
}

/** Any of them. */
export type PiPayload =
  | PiInterrupt
  | PiPostCompact
  | PiPostToolUse
  | PiPostToolUseFailure
  | PiPreCompact
  | PiPreToolUse
  | PiSessionEnd
  | PiSessionStart
  | PiStop
  | PiStopFailure
  | PiUserPromptSubmit
  | PiPostToolUseBash
  | PiPostToolUseEdit
  | PiPostToolUseWrite
  | PiPostToolUseFailureRead
  | PiPreToolUseBash
  | PiPreToolUseEdit
  | PiPreToolUseRead
  | PiPreToolUseWrite

/** By the agent's own name of the event. */
export interface PiPayloads {
  "Interrupt": PiInterrupt
  "PostCompact": PiPostCompact
  "PostToolUse": PiPostToolUse
  "PostToolUseFailure": PiPostToolUseFailure
  "PreCompact": PiPreCompact
  "PreToolUse": PiPreToolUse
  "SessionEnd": PiSessionEnd
  "SessionStart": PiSessionStart
  "Stop": PiStop
  "StopFailure": PiStopFailure
  "UserPromptSubmit": PiUserPromptSubmit
}

/** Events about a tool, by the tools that were recorded. */
export interface PiToolPayloads {
  "PostToolUse": {
    "bash": PiPostToolUseBash
    "edit": PiPostToolUseEdit
    "write": PiPostToolUseWrite
  }
  "PostToolUseFailure": {
    "read": PiPostToolUseFailureRead
  }
  "PreToolUse": {
    "bash": PiPreToolUseBash
    "edit": PiPreToolUseEdit
    "read": PiPreToolUseRead
    "write": PiPreToolUseWrite
  }
}
