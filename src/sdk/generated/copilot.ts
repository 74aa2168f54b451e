/** What copilot 1.0.102 sends, as recorded. Made by "npm run sdk:types". */

export interface CopilotErrorOccurred {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd?: unknown
  error?: unknown
  error_context?: unknown
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  recoverable?: unknown
  sessionId?: unknown
  session_id?: unknown
  timestamp?: unknown
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotNotification {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd?: unknown
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  message?: unknown
  notification_type?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId?: unknown
  session_id?: unknown
  timestamp?: unknown
  title?: unknown
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPermissionRequest {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd?: unknown
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  permission_suggestions?: unknown
  prompt_id?: unknown
  sessionId?: unknown
  session_id?: unknown
  timestamp?: unknown
  tool_input?: unknown
  tool_name?: unknown
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPostToolUse {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name: "PostToolUse"
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId?: unknown
  session_id: string
  timestamp: string
  tool_args?: unknown
  tool_input: Record<string, unknown>
  tool_name: string
  tool_result: Record<string, unknown>
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPostToolUseFailure {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  error: string
  hookName?: unknown
  hook_event_name: "PostToolUseFailure"
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId?: unknown
  session_id: string
  timestamp: string
  tool_args?: unknown
  tool_input: Record<string, unknown>
  tool_name: string
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPreCompact {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  custom_instructions?: unknown
  cwd?: unknown
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId?: unknown
  session_id?: unknown
  timestamp?: unknown
  transcriptPath?: unknown
  transcript_path?: unknown
  trigger?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPreToolUse {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name: "PreToolUse"
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId?: unknown
  session_id: string
  timestamp: string
  tool_args?: unknown
  tool_input: Record<string, unknown>
  tool_name: string
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotSessionEnd {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  error?: unknown
  final_message?: unknown
  hookName?: unknown
  hook_event_name: "SessionEnd"
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  reason: "abort" | "complete" | "error" | "timeout" | "user_exit"
  sessionId?: unknown
  session_id: string
  timestamp: string
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotSessionStart {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name: "SessionStart"
  hook_name?: unknown
  initial_prompt?: string
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId?: unknown
  session_id: string
  source: "new" | "resume" | "startup"
  timestamp: string
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotStop {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name: "Stop"
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId?: unknown
  session_id: string
  stop_hook_active: boolean
  stop_reason: string
  timestamp: string
  transcriptPath?: unknown
  transcript_path?: string
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotSubagentStart {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_description?: unknown
  agent_display_name?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd?: unknown
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId?: unknown
  session_id?: unknown
  timestamp?: unknown
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotSubagentStop {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_description?: unknown
  agent_display_name?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd?: unknown
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  response?: unknown
  sessionId?: unknown
  session_id?: unknown
  stop_hook_active?: unknown
  stop_reason?: unknown
  timestamp?: unknown
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotUserPromptSubmit {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name: "UserPromptSubmit"
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt: string
  prompt_id?: unknown
  sessionId?: unknown
  session_id: string
  timestamp: string
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotAgentStop {
  agentId?: string
  agentName?: unknown
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  stopHookActive?: unknown
  stopReason: string
  stop_hook_active: boolean
  timestamp: number
  transcriptPath?: string
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotErrorOccurred2 {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  error: {
    message?: string
    name?: string
    stack?: string
  }
  errorContext: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  recoverable: boolean
  sessionId: string
  session_id?: unknown
  timestamp: number
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotNotification2 {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd?: unknown
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  message?: unknown
  notification_type?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId?: unknown
  session_id?: unknown
  timestamp?: unknown
  title?: unknown
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPermissionRequest2 {
  agentId?: string
  agentName?: unknown
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName: string
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permissionSuggestions?: unknown[]
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  toolInput: Record<string, unknown>
  toolName: string
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPostToolUse2 {
  agentId?: string
  agentName?: unknown
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  toolArgs: string | Record<string, unknown>
  toolName: string
  toolResult: Record<string, unknown>
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPostToolUseFailure2 {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  error: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  toolArgs: Record<string, unknown>
  toolName: string
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPreCompact2 {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  customInstructions?: unknown
  cwd?: unknown
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId?: unknown
  session_id?: unknown
  timestamp?: unknown
  transcriptPath?: unknown
  transcript_path?: unknown
  trigger?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPreMcpToolCall {
  _meta?: unknown
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  arguments?: unknown
  cwd?: unknown
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  serverName?: unknown
  sessionId?: unknown
  session_id?: unknown
  timestamp?: unknown
  toolCallId?: unknown
  toolName?: unknown
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPreToolUse2 {
  agentId?: string
  agentName?: unknown
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  toolArgs: string | Record<string, unknown>
  toolName: string
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotSessionEnd2 {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  error?: unknown
  finalMessage?: unknown
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  reason: "abort" | "complete" | "error" | "timeout" | "user_exit"
  sessionId: string
  session_id?: unknown
  timestamp: number
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotSessionStart2 {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  initialPrompt?: string
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  source: "new" | "resume" | "startup"
  timestamp: number
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotSubagentStart2 {
  agentDescription?: unknown
  agentDisplayName?: unknown
  agentId?: string
  agentName: string
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  transcriptPath?: string
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotSubagentStop2 {
  agentDescription?: unknown
  agentDisplayName?: unknown
  agentId?: string
  agentName: string
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  response?: string
  sessionId: string
  session_id?: unknown
  stopHookActive?: unknown
  stopReason: string
  stop_hook_active?: boolean
  timestamp: number
  transcriptPath?: string
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotUserPromptSubmitted {
  agentId?: string
  agentName?: unknown
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt: string
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotUserPromptTransformed {
  agentId?: string
  agentName?: unknown
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt: string
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  transcriptPath?: unknown
  transcript_path?: unknown
  transformedPrompt: string
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPostToolUseBash {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name: "PostToolUse"
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId?: unknown
  session_id: string
  timestamp: string
  tool_args?: unknown
  tool_input: {
    command?: string
    description?: string
  }
  tool_name: "Bash"
  tool_result: {
    result_type?: string
    text_result_for_llm?: string
  }
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPostToolUseFailureRead {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  error: string
  hookName?: unknown
  hook_event_name: "PostToolUseFailure"
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId?: unknown
  session_id: string
  timestamp: string
  tool_args?: unknown
  tool_input: {
    path?: string
  }
  tool_name: "Read"
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPreToolUseBash {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name: "PreToolUse"
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId?: unknown
  session_id: string
  timestamp: string
  tool_args?: unknown
  tool_input: {
    command?: string
    description?: string
  }
  tool_name: "Bash"
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPreToolUseRead {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name: "PreToolUse"
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId?: unknown
  session_id: string
  timestamp: string
  tool_args?: unknown
  tool_input: {
    path?: string
  }
  tool_name: "Read"
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPermissionRequestBash {
  agentId?: string
  agentName?: unknown
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName: string
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permissionSuggestions?: unknown[]
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  toolInput: {
    command: string
    description?: unknown
    initial_wait?: unknown
    mode?: unknown
    sessionId?: unknown
  }
  toolName: "bash"
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPermissionRequestEdit {
  agentId?: string
  agentName?: unknown
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName: string
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permissionSuggestions?: unknown[]
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  toolInput: {
    diff?: string
    file_path?: string
  }
  toolName: "edit"
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPostToolUseApplyPatch {
  agentId?: string
  agentName?: unknown
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  toolArgs: string
  toolName: "apply_patch"
  toolResult: {
    resultType?: string
    textResultForLlm?: string
  }
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPostToolUseBash2 {
  agentId?: string
  agentName?: unknown
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  toolArgs: {
    command: string
    description?: string
    initial_wait?: unknown
    mode?: unknown
    sessionId?: unknown
  }
  toolName: "bash"
  toolResult: {
    resultType?: string
    textResultForLlm?: string
  }
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPostToolUseTask {
  agentId?: string
  agentName?: unknown
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  toolArgs: {
    agent_type?: string
    description?: string
    mode?: string
    name?: string
    prompt?: string
  }
  toolName: "task"
  toolResult: {
    resultType?: string
    textResultForLlm?: string
  }
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPostToolUseView {
  agentId?: string
  agentName?: unknown
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  toolArgs: {
    path: string
    view_range?: unknown
  }
  toolName: "view"
  toolResult: {
    resultType?: string
    textResultForLlm?: string
  }
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPostToolUseFailureView {
  agentId?: unknown
  agentName?: unknown
  agentType?: unknown
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  error: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: unknown
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  toolArgs: {
    path: string
    view_range?: unknown
  }
  toolName: "view"
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPreToolUseApplyPatch {
  agentId?: string
  agentName?: unknown
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  toolArgs: string
  toolName: "apply_patch"
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPreToolUseBash2 {
  agentId?: string
  agentName?: unknown
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  toolArgs: {
    command: string
    description?: string
    initial_wait?: unknown
    mode?: unknown
    sessionId?: unknown
  }
  toolName: "bash"
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPreToolUseTask {
  agentId?: string
  agentName?: unknown
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  toolArgs: {
    agent_type?: string
    description?: string
    mode?: string
    name?: string
    prompt?: string
  }
  toolName: "task"
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

export interface CopilotPreToolUseView {
  agentId?: string
  agentName?: unknown
  agentType?: string
  agent_id?: unknown
  agent_name?: unknown
  agent_type?: unknown
  cwd: string
  hookName?: unknown
  hook_event_name?: unknown
  hook_name?: unknown
  parentAgentId?: string
  parent_agent_id?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  sessionId: string
  session_id?: unknown
  timestamp: number
  toolArgs: {
    path: string
    view_range?: unknown
  }
  toolName: "view"
  transcriptPath?: unknown
  transcript_path?: unknown
  workingDirectory?: unknown
  working_directory?: unknown
}

/** Any of them. */
export type CopilotPayload =
  | CopilotErrorOccurred
  | CopilotNotification
  | CopilotPermissionRequest
  | CopilotPostToolUse
  | CopilotPostToolUseFailure
  | CopilotPreCompact
  | CopilotPreToolUse
  | CopilotSessionEnd
  | CopilotSessionStart
  | CopilotStop
  | CopilotSubagentStart
  | CopilotSubagentStop
  | CopilotUserPromptSubmit
  | CopilotAgentStop
  | CopilotErrorOccurred2
  | CopilotNotification2
  | CopilotPermissionRequest2
  | CopilotPostToolUse2
  | CopilotPostToolUseFailure2
  | CopilotPreCompact2
  | CopilotPreMcpToolCall
  | CopilotPreToolUse2
  | CopilotSessionEnd2
  | CopilotSessionStart2
  | CopilotSubagentStart2
  | CopilotSubagentStop2
  | CopilotUserPromptSubmitted
  | CopilotUserPromptTransformed
  | CopilotPostToolUseBash
  | CopilotPostToolUseFailureRead
  | CopilotPreToolUseBash
  | CopilotPreToolUseRead
  | CopilotPermissionRequestBash
  | CopilotPermissionRequestEdit
  | CopilotPostToolUseApplyPatch
  | CopilotPostToolUseBash2
  | CopilotPostToolUseTask
  | CopilotPostToolUseView
  | CopilotPostToolUseFailureView
  | CopilotPreToolUseApplyPatch
  | CopilotPreToolUseBash2
  | CopilotPreToolUseTask
  | CopilotPreToolUseView

/** By the agent's own name of the event. */
export interface CopilotPayloads {
  "ErrorOccurred": CopilotErrorOccurred
  "Notification": CopilotNotification
  "PermissionRequest": CopilotPermissionRequest
  "PostToolUse": CopilotPostToolUse
  "PostToolUseFailure": CopilotPostToolUseFailure
  "PreCompact": CopilotPreCompact
  "PreToolUse": CopilotPreToolUse
  "SessionEnd": CopilotSessionEnd
  "SessionStart": CopilotSessionStart
  "Stop": CopilotStop
  "SubagentStart": CopilotSubagentStart
  "SubagentStop": CopilotSubagentStop
  "UserPromptSubmit": CopilotUserPromptSubmit
  "agentStop": CopilotAgentStop
  "errorOccurred": CopilotErrorOccurred2
  "notification": CopilotNotification2
  "permissionRequest": CopilotPermissionRequest2
  "postToolUse": CopilotPostToolUse2
  "postToolUseFailure": CopilotPostToolUseFailure2
  "preCompact": CopilotPreCompact2
  "preMcpToolCall": CopilotPreMcpToolCall
  "preToolUse": CopilotPreToolUse2
  "sessionEnd": CopilotSessionEnd2
  "sessionStart": CopilotSessionStart2
  "subagentStart": CopilotSubagentStart2
  "subagentStop": CopilotSubagentStop2
  "userPromptSubmitted": CopilotUserPromptSubmitted
  "userPromptTransformed": CopilotUserPromptTransformed
}

/** Events about a tool, by the tools that were recorded. */
export interface CopilotToolPayloads {
  "PostToolUse": {
    "Bash": CopilotPostToolUseBash
  }
  "PostToolUseFailure": {
    "Read": CopilotPostToolUseFailureRead
  }
  "PreToolUse": {
    "Bash": CopilotPreToolUseBash
    "Read": CopilotPreToolUseRead
  }
  "permissionRequest": {
    "bash": CopilotPermissionRequestBash
    "edit": CopilotPermissionRequestEdit
  }
  "postToolUse": {
    "apply_patch": CopilotPostToolUseApplyPatch
    "bash": CopilotPostToolUseBash2
    "task": CopilotPostToolUseTask
    "view": CopilotPostToolUseView
  }
  "postToolUseFailure": {
    "view": CopilotPostToolUseFailureView
  }
  "preToolUse": {
    "apply_patch": CopilotPreToolUseApplyPatch
    "bash": CopilotPreToolUseBash2
    "task": CopilotPreToolUseTask
    "view": CopilotPreToolUseView
  }
}
