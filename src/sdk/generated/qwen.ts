/** What qwen 0.24.4 sends, as recorded. Made by "npm run sdk:types". */

export interface QwenInstructionsLoaded {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  file_path?: string
  globs?: unknown
  hook_event_name?: "InstructionsLoaded"
  load_reason?: string
  memory_type?: string
  parent_file_path?: unknown
  permission_mode?: string
  prompt_id?: unknown
  session_id?: string
  timestamp?: string
  transcript_path?: string
  trigger_file_path?: unknown
}

export interface QwenMessageDisplay {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  displayed_text?: string
  hook_event_name?: "MessageDisplay"
  is_final?: boolean
  message_id?: string
  permission_mode?: string
  prompt_id?: string
  session_id?: string
  timestamp?: string
  transcript_path?: string
}

export interface QwenNotification {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "Notification"
  message?: string
  notification_type?: string
  permission_mode?: string
  prompt_id?: string
  session_id?: string
  timestamp?: string
  title?: string
  transcript_path?: string
}

export interface QwenPermissionDenied {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: unknown
  hook_event_name?: unknown
  mcp_server?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  reason?: unknown
  session_id?: unknown
  timestamp?: unknown
  tool_input?: unknown
  tool_name?: unknown
  tool_use_id?: unknown
  transcript_path?: unknown
}

export interface QwenPermissionRequest {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PermissionRequest"
  permission_mode?: string
  permission_suggestions?: unknown
  prompt_id?: string
  session_id?: string
  timestamp?: string
  tool_input?: Record<string, unknown>
  tool_name?: string
  transcript_path?: string
}

export interface QwenPostCompact {
  agent_id?: unknown
  agent_type?: unknown
  compact_summary?: unknown
  cwd?: unknown
  hook_event_name?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: unknown
  timestamp?: unknown
  transcript_path?: unknown
  trigger?: unknown
}

export interface QwenPostToolBatch {
  agent_id?: string
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PostToolBatch"
  permission_mode?: string
  prompt_id?: string
  session_id?: string
  timestamp?: string
  tool_calls?: ({
    status?: string
    tool_call_id?: string
    tool_input?: {
      command?: string
      description?: string
      file_path?: string
      is_background?: boolean
      prompt?: string
      run_in_background?: boolean
      subagent_type?: string
      todos?: ({
        content?: string
        id?: string
        status?: string
      })[]
    }
    tool_name?: string
    tool_response?: {
      content_length?: number
      error?: string
      error_type?: string
      execution_status?: string
      response_parts?: ({
        functionResponse?: {
          id?: string
          name?: string
          response?: {
            error?: string
            output?: string
          }
        }
      })[]
      result_display?: string | {
        executionMode?: string
        executionSummary?: {
          cachedTokens?: number
          failedToolCalls?: number
          inputTokens?: number
          outputTokens?: number
          rounds?: number
          successRate?: number
          successfulToolCalls?: number
          thoughtTokens?: number
          toolUsage?: ({
            averageDurationMs?: number
            count?: number
            failure?: number
            name?: string
            success?: number
            totalDurationMs?: number
          })[]
          totalDurationMs?: number
          totalTokens?: number
          totalToolCalls?: number
        }
        result?: string
        status?: string
        subagentName?: string
        subagentSessionReady?: boolean
        taskDescription?: string
        taskPrompt?: string
        terminateReason?: string
        tokenCount?: number
        toolCalls?: ({
          args?: {
            command?: string
            is_background?: boolean
          }
          callId?: string
          description?: string
          name?: string
          responseParts?: (Record<string, unknown>)[]
          resultDisplay?: string
          status?: string
        })[]
        type?: string
      }
    }
    tool_use_id?: string
  })[]
  transcript_path?: string
}

export interface QwenPostToolUse {
  agent_id?: string
  agent_type?: unknown
  cwd?: string
  duration_ms?: number
  hook_event_name?: "PostToolUse"
  permission_mode?: string
  prompt_id?: string
  session_id?: string
  timestamp?: string
  tool_call_id?: string
  tool_input?: Record<string, unknown>
  tool_name?: string
  tool_response?: Record<string, unknown>
  tool_use_id?: string
  transcript_path?: string
}

export interface QwenPostToolUseFailure {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  duration_ms?: number
  error?: string
  hook_event_name?: "PostToolUseFailure"
  is_interrupt?: boolean
  permission_mode?: string
  prompt_id?: string
  session_id?: string
  timestamp?: string
  tool_call_id?: string
  tool_input?: Record<string, unknown>
  tool_name?: string
  tool_use_id?: string
  transcript_path?: string
}

export interface QwenPreCompact {
  agent_id?: unknown
  agent_type?: unknown
  custom_instructions?: string
  cwd?: string
  hook_event_name?: "PreCompact"
  permission_mode?: string
  prompt_id?: string
  session_id?: string
  timestamp?: string
  transcript_path?: string
  trigger?: string
}

export interface QwenPreToolUse {
  agent_id?: string
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PreToolUse"
  permission_mode?: string
  prompt_id?: string
  session_id?: string
  timestamp?: string
  tool_call_id?: string
  tool_input?: Record<string, unknown>
  tool_name?: string
  tool_use_id?: string
  transcript_path?: string
}

export interface QwenSessionEnd {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "SessionEnd"
  permission_mode?: string
  prompt_id?: unknown
  reason?: string
  session_id?: string
  timestamp?: string
  transcript_path?: string
}

export interface QwenSessionStart {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "SessionStart"
  model?: string
  permission_mode?: string
  prompt_id?: unknown
  session_id?: string
  source?: string
  timestamp?: string
  transcript_path?: string
}

export interface QwenStop {
  agent_id?: unknown
  agent_type?: unknown
  background_tasks?: ({
    agent_type?: string
    description?: string
    id?: string
    started_at?: string
    status?: string
  })[]
  context_limit?: number
  context_usage?: number
  crons?: unknown[]
  cwd?: string
  hook_event_name?: "Stop"
  input_tokens?: number
  last_assistant_message?: string
  permission_mode?: string
  prompt_id?: string
  session_id?: string
  stop_hook_active?: boolean
  timestamp?: string
  transcript_path?: string
}

export interface QwenStopFailure {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: unknown
  error?: unknown
  error_details?: unknown
  hook_event_name?: unknown
  last_assistant_message?: unknown
  permission_mode?: unknown
  prompt_id?: unknown
  session_id?: unknown
  timestamp?: unknown
  transcript_path?: unknown
}

export interface QwenSubagentStart {
  agent_id?: string
  agent_type?: string
  cwd?: string
  hook_event_name?: "SubagentStart"
  permission_mode?: string
  prompt_id?: string
  session_id?: string
  timestamp?: string
  transcript_path?: string
}

export interface QwenSubagentStop {
  agent_id?: string
  agent_transcript_path?: string
  agent_type?: string
  background_tasks?: ({
    agent_type?: string
    description?: string
    id?: string
    started_at?: string
    status?: string
  })[]
  crons?: unknown[]
  cwd?: string
  hook_event_name?: "SubagentStop"
  last_assistant_message?: string
  permission_mode?: string
  prompt_id?: string
  session_id?: string
  stop_hook_active?: boolean
  timestamp?: string
  transcript_path?: string
}

export interface QwenUserPromptSubmit {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "UserPromptSubmit"
  permission_mode?: string
  prompt?: string
  prompt_id?: string
  session_id?: string
  submitted_prompt?: string
  timestamp?: string
  transcript_path?: string
}

export interface QwenPermissionRequestAgent {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PermissionRequest"
  permission_mode?: string
  permission_suggestions?: unknown
  prompt_id?: string
  session_id?: string
  timestamp?: string
  tool_input?: {
    description?: string
    prompt?: string
    subagent_type?: string
  }
  tool_name?: "agent"
  transcript_path?: string
}

export interface QwenPermissionRequestRunShellCommand {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PermissionRequest"
  permission_mode?: string
  permission_suggestions?: unknown
  prompt_id?: string
  session_id?: string
  timestamp?: string
  tool_input?: {
    command?: string
    is_background?: boolean
  }
  tool_name?: "run_shell_command"
  transcript_path?: string
}

export interface QwenPostToolUseAgent {
  agent_id?: string
  agent_type?: unknown
  cwd?: string
  duration_ms?: number
  hook_event_name?: "PostToolUse"
  permission_mode?: string
  prompt_id?: string
  session_id?: string
  timestamp?: string
  tool_call_id?: string
  tool_input?: {
    description?: string
    prompt?: string
    run_in_background?: boolean
    subagent_type?: string
  }
  tool_name?: "agent"
  tool_response?: {
    llmContent?: string | ({
      text?: string
    })[]
    returnDisplay?: {
      executionMode?: string
      executionSummary?: {
        cachedTokens?: number
        failedToolCalls?: number
        inputTokens?: number
        outputTokens?: number
        rounds?: number
        successRate?: number
        successfulToolCalls?: number
        thoughtTokens?: number
        toolUsage?: ({
          averageDurationMs?: number
          count?: number
          failure?: number
          name?: string
          success?: number
          totalDurationMs?: number
        })[]
        totalDurationMs?: number
        totalTokens?: number
        totalToolCalls?: number
      }
      result?: string
      status?: string
      subagentName?: string
      subagentSessionReady?: boolean
      taskDescription?: string
      taskPrompt?: string
      terminateReason?: string
      tokenCount?: number
      toolCalls?: ({
        args?: {
          command?: string
          is_background?: boolean
        }
        callId?: string
        description?: string
        name?: string
        responseParts?: ({
          functionResponse?: {
            id?: string
            name?: string
            response?: Record<string, unknown>
          }
        })[]
        resultDisplay?: string
        status?: string
      })[]
      type?: string
    }
  }
  tool_use_id?: string
  transcript_path?: string
}

export interface QwenPostToolUseRunShellCommand {
  agent_id?: string
  agent_type?: unknown
  cwd?: string
  duration_ms?: number
  hook_event_name?: "PostToolUse"
  permission_mode?: string
  prompt_id?: string
  session_id?: string
  timestamp?: string
  tool_call_id?: string
  tool_input?: {
    command?: string
    is_background?: boolean
  }
  tool_name?: "run_shell_command"
  tool_response?: {
    llmContent?: string
    returnDisplay?: string
  }
  tool_use_id?: string
  transcript_path?: string
}

export interface QwenPostToolUseFailureReadFile {
  agent_id?: unknown
  agent_type?: unknown
  cwd?: string
  duration_ms?: number
  error?: string
  hook_event_name?: "PostToolUseFailure"
  is_interrupt?: boolean
  permission_mode?: string
  prompt_id?: string
  session_id?: string
  timestamp?: string
  tool_call_id?: string
  tool_input?: {
    file_path?: string
  }
  tool_name?: "read_file"
  tool_use_id?: string
  transcript_path?: string
}

export interface QwenPreToolUseAgent {
  agent_id?: string
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PreToolUse"
  permission_mode?: string
  prompt_id?: string
  session_id?: string
  timestamp?: string
  tool_call_id?: string
  tool_input?: {
    description?: string
    prompt?: string
    run_in_background?: boolean
    subagent_type?: string
  }
  tool_name?: "agent"
  tool_use_id?: string
  transcript_path?: string
}

export interface QwenPreToolUseReadFile {
  agent_id?: string
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PreToolUse"
  permission_mode?: string
  prompt_id?: string
  session_id?: string
  timestamp?: string
  tool_call_id?: string
  tool_input?: {
    file_path?: string
  }
  tool_name?: "read_file"
  tool_use_id?: string
  transcript_path?: string
}

export interface QwenPreToolUseRunShellCommand {
  agent_id?: string
  agent_type?: unknown
  cwd?: string
  hook_event_name?: "PreToolUse"
  permission_mode?: string
  prompt_id?: string
  session_id?: string
  timestamp?: string
  tool_call_id?: string
  tool_input?: {
    command?: string
    is_background?: boolean
  }
  tool_name?: "run_shell_command"
  tool_use_id?: string
  transcript_path?: string
}

/** Any of them. */
export type QwenPayload =
  | QwenInstructionsLoaded
  | QwenMessageDisplay
  | QwenNotification
  | QwenPermissionDenied
  | QwenPermissionRequest
  | QwenPostCompact
  | QwenPostToolBatch
  | QwenPostToolUse
  | QwenPostToolUseFailure
  | QwenPreCompact
  | QwenPreToolUse
  | QwenSessionEnd
  | QwenSessionStart
  | QwenStop
  | QwenStopFailure
  | QwenSubagentStart
  | QwenSubagentStop
  | QwenUserPromptSubmit
  | QwenPermissionRequestAgent
  | QwenPermissionRequestRunShellCommand
  | QwenPostToolUseAgent
  | QwenPostToolUseRunShellCommand
  | QwenPostToolUseFailureReadFile
  | QwenPreToolUseAgent
  | QwenPreToolUseReadFile
  | QwenPreToolUseRunShellCommand

/** By the agent's own name of the event. */
export interface QwenPayloads {
  "InstructionsLoaded": QwenInstructionsLoaded
  "MessageDisplay": QwenMessageDisplay
  "Notification": QwenNotification
  "PermissionDenied": QwenPermissionDenied
  "PermissionRequest": QwenPermissionRequest
  "PostCompact": QwenPostCompact
  "PostToolBatch": QwenPostToolBatch
  "PostToolUse": QwenPostToolUse
  "PostToolUseFailure": QwenPostToolUseFailure
  "PreCompact": QwenPreCompact
  "PreToolUse": QwenPreToolUse
  "SessionEnd": QwenSessionEnd
  "SessionStart": QwenSessionStart
  "Stop": QwenStop
  "StopFailure": QwenStopFailure
  "SubagentStart": QwenSubagentStart
  "SubagentStop": QwenSubagentStop
  "UserPromptSubmit": QwenUserPromptSubmit
}

/** Events about a tool, by the tools that were recorded. */
export interface QwenToolPayloads {
  "PermissionRequest": {
    "agent": QwenPermissionRequestAgent
    "run_shell_command": QwenPermissionRequestRunShellCommand
  }
  "PostToolUse": {
    "agent": QwenPostToolUseAgent
    "run_shell_command": QwenPostToolUseRunShellCommand
  }
  "PostToolUseFailure": {
    "read_file": QwenPostToolUseFailureReadFile
  }
  "PreToolUse": {
    "agent": QwenPreToolUseAgent
    "read_file": QwenPreToolUseReadFile
    "run_shell_command": QwenPreToolUseRunShellCommand
  }
}
