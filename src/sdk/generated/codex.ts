/** What codex 0.166.0 sends, as recorded. Made by "npm run sdk:types". */

export interface CodexInterrupt {
  cwd: string
  hook_event_name: "Interrupt"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  transcript_path: string | null
  turn_id: string
}

export interface CodexPermissionRequest {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "PermissionRequest"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  tool_input?: unknown
  tool_name: string
  transcript_path: string | null
  turn_id: string
}

export interface CodexPostCompact {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "PostCompact"
  model: string
  session_id: string
  transcript_path: string | null
  trigger: "auto" | "manual"
  turn_id: string
}

export interface CodexPostModelRequest {
  agent_id?: string
  agent_type?: string
  cwd: string
  error: string | null
  hook_event_name: "PostModelRequest"
  model: string
  permission_mode?: unknown
  session_id: string
  status: "cancelled" | "completed" | "failed"
  token_usage: null | {
    cache_write_input_tokens: number
    cached_input_tokens: number
    input_tokens: number
    output_tokens: number
    reasoning_output_tokens: number
    total_tokens: number
  }
  transcript_path: string | null
  turn_id: string
}

export interface CodexPostToolUse {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "PostToolUse"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  tool_input?: unknown
  tool_name: string
  tool_response?: unknown
  tool_use_id: string
  transcript_path: string | null
  turn_id: string
}

export interface CodexPreCompact {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "PreCompact"
  model: string
  session_id: string
  transcript_path: string | null
  trigger: "auto" | "manual"
  turn_id: string
}

export interface CodexPreModelRequest {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "PreModelRequest"
  model: string
  permission_mode?: unknown
  session_id: string
  transcript_path: string | null
  turn_id: string
}

export interface CodexPreToolUse {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "PreToolUse"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  tool_input?: unknown
  tool_name: string
  tool_use_id: string
  transcript_path: string | null
  turn_id: string
}

export interface CodexSessionEnd {
  cwd: string
  hook_event_name: "SessionEnd"
  reason: string
  session_id: string
  transcript_path: string | null
}

export interface CodexSessionStart {
  cwd: string
  hook_event_name: "SessionStart"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  source: "clear" | "compact" | "fork" | "resume" | "startup"
  transcript_path: string | null
}

export interface CodexStop {
  cwd: string
  hook_event_name: "Stop"
  last_assistant_message: string | null
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  stop_hook_active: boolean
  transcript_path: string | null
  turn_id: string
}

export interface CodexSubagentStart {
  agent_id: string
  agent_type: string
  cwd: string
  hook_event_name: "SubagentStart"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  transcript_path: string | null
  turn_id: string
}

export interface CodexSubagentStop {
  agent_id: string
  agent_transcript_path: string | null
  agent_type: string
  cwd: string
  hook_event_name: "SubagentStop"
  last_assistant_message: string | null
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  stop_hook_active: boolean
  transcript_path: string | null
  turn_id: string
}

export interface CodexUserPromptSubmit {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "UserPromptSubmit"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt: string
  session_id: string
  transcript_path: string | null
  turn_id: string
}

export interface CodexAgentTurnComplete {
  agent_id?: unknown
  agent_type?: unknown
  client?: string
  cwd: string
  hook_event_name?: unknown
  "input-messages": string[]
  "last-assistant-message": string
  model?: unknown
  permission_mode?: unknown
  session_id?: unknown
  "thread-id": string
  transcript_path?: unknown
  "turn-id": string
  turn_id?: unknown
  type: string
}

export interface CodexPermissionRequestBash {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "PermissionRequest"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  tool_input: {
    command: string
    description?: string
  }
  tool_name: "Bash"
  transcript_path: string | null
  turn_id: string
}

export interface CodexPostToolUseBash {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "PostToolUse"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  tool_input: {
    command: string
    description?: unknown
  }
  tool_name: "Bash"
  tool_response: string
  tool_use_id: string
  transcript_path: string | null
  turn_id: string
}

export interface CodexPostToolUseApplyPatch {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "PostToolUse"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  tool_input: {
    command: string
    description?: unknown
  }
  tool_name: "apply_patch"
  tool_response: string
  tool_use_id: string
  transcript_path: string | null
  turn_id: string
}

export interface CodexPostToolUseMultiAgentV1waitAgent {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "PostToolUse"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  tool_input: {
    targets?: string[]
    timeout_ms?: number
  }
  tool_name: "multi_agent_v1wait_agent"
  tool_response: string
  tool_use_id: string
  transcript_path: string | null
  turn_id: string
}

export interface CodexPostToolUseSpawnAgent {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "PostToolUse"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  tool_input: {
    agent_type?: string
    message?: string
  }
  tool_name: "spawn_agent"
  tool_response: string
  tool_use_id: string
  transcript_path: string | null
  turn_id: string
}

export interface CodexPostToolUseViewImage {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "PostToolUse"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  tool_input: {
    path?: string
  }
  tool_name: "view_image"
  tool_response: ({
    detail?: string
    image_url?: string
    type?: string
  })[]
  tool_use_id: string
  transcript_path: string | null
  turn_id: string
}

export interface CodexPreToolUseBash {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "PreToolUse"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  tool_input: {
    command: string
    description?: unknown
  }
  tool_name: "Bash"
  tool_use_id: string
  transcript_path: string | null
  turn_id: string
}

export interface CodexPreToolUseApplyPatch {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "PreToolUse"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  tool_input: {
    command: string
    description?: unknown
  }
  tool_name: "apply_patch"
  tool_use_id: string
  transcript_path: string | null
  turn_id: string
}

export interface CodexPreToolUseMultiAgentV1waitAgent {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "PreToolUse"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  tool_input: {
    targets?: string[]
    timeout_ms?: number
  }
  tool_name: "multi_agent_v1wait_agent"
  tool_use_id: string
  transcript_path: string | null
  turn_id: string
}

export interface CodexPreToolUseSpawnAgent {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "PreToolUse"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  tool_input: {
    agent_type?: string
    message?: string
  }
  tool_name: "spawn_agent"
  tool_use_id: string
  transcript_path: string | null
  turn_id: string
}

export interface CodexPreToolUseViewImage {
  agent_id?: string
  agent_type?: string
  cwd: string
  hook_event_name: "PreToolUse"
  model: string
  permission_mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  session_id: string
  tool_input: {
    path?: string
  }
  tool_name: "view_image"
  tool_use_id: string
  transcript_path: string | null
  turn_id: string
}

/** Any of them. */
export type CodexPayload =
  | CodexInterrupt
  | CodexPermissionRequest
  | CodexPostCompact
  | CodexPostModelRequest
  | CodexPostToolUse
  | CodexPreCompact
  | CodexPreModelRequest
  | CodexPreToolUse
  | CodexSessionEnd
  | CodexSessionStart
  | CodexStop
  | CodexSubagentStart
  | CodexSubagentStop
  | CodexUserPromptSubmit
  | CodexAgentTurnComplete
  | CodexPermissionRequestBash
  | CodexPostToolUseBash
  | CodexPostToolUseApplyPatch
  | CodexPostToolUseMultiAgentV1waitAgent
  | CodexPostToolUseSpawnAgent
  | CodexPostToolUseViewImage
  | CodexPreToolUseBash
  | CodexPreToolUseApplyPatch
  | CodexPreToolUseMultiAgentV1waitAgent
  | CodexPreToolUseSpawnAgent
  | CodexPreToolUseViewImage

/** By the agent's own name of the event. */
export interface CodexPayloads {
  "Interrupt": CodexInterrupt
  "PermissionRequest": CodexPermissionRequest
  "PostCompact": CodexPostCompact
  "PostModelRequest": CodexPostModelRequest
  "PostToolUse": CodexPostToolUse
  "PreCompact": CodexPreCompact
  "PreModelRequest": CodexPreModelRequest
  "PreToolUse": CodexPreToolUse
  "SessionEnd": CodexSessionEnd
  "SessionStart": CodexSessionStart
  "Stop": CodexStop
  "SubagentStart": CodexSubagentStart
  "SubagentStop": CodexSubagentStop
  "UserPromptSubmit": CodexUserPromptSubmit
  "agent-turn-complete": CodexAgentTurnComplete
}

/** Events about a tool, by the tools that were recorded. */
export interface CodexToolPayloads {
  "PermissionRequest": {
    "Bash": CodexPermissionRequestBash
  }
  "PostToolUse": {
    "Bash": CodexPostToolUseBash
    "apply_patch": CodexPostToolUseApplyPatch
    "multi_agent_v1wait_agent": CodexPostToolUseMultiAgentV1waitAgent
    "spawn_agent": CodexPostToolUseSpawnAgent
    "view_image": CodexPostToolUseViewImage
  }
  "PreToolUse": {
    "Bash": CodexPreToolUseBash
    "apply_patch": CodexPreToolUseApplyPatch
    "multi_agent_v1wait_agent": CodexPreToolUseMultiAgentV1waitAgent
    "spawn_agent": CodexPreToolUseSpawnAgent
    "view_image": CodexPreToolUseViewImage
  }
}
