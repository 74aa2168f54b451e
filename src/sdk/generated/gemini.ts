/** What gemini 0.61.0 sends, as recorded. Made by "npm run sdk:types". */

export interface GeminiAfterAgent {
  cwd: string
  hook_event_name: "AfterAgent"
  prompt: string
  prompt_response: string
  session_id: string
  stop_hook_active: boolean
  timestamp: string
  transcript_path: string
}

export interface GeminiAfterModel {
  cwd: string
  hook_event_name: "AfterModel"
  llm_request: {
    config: Record<string, unknown>
    messages: ({
      content: string
      role: string
    })[]
    model: string
  }
  llm_response: {
    candidates: ({
      content: {
        parts: string[]
        role: string
      }
      finishReason?: string
      index: number
    })[]
    text: string
    usageMetadata: Record<string, unknown>
  }
  session_id: string
  timestamp: string
  transcript_path: string
}

export interface GeminiAfterTool {
  cwd: string
  hook_event_name: "AfterTool"
  mcp_context?: {
    args?: string[]
    command?: string
    server_name?: string
    tool_name?: string
  }
  original_request_name?: string
  session_id: string
  timestamp: string
  tool_input: Record<string, unknown>
  tool_name: string
  tool_response: Record<string, unknown>
  transcript_path: string
}

export interface GeminiBeforeAgent {
  cwd: string
  hook_event_name: "BeforeAgent"
  prompt: string
  session_id: string
  timestamp: string
  transcript_path: string
}

export interface GeminiBeforeModel {
  cwd: string
  hook_event_name: "BeforeModel"
  llm_request: {
    config: Record<string, unknown>
    messages: ({
      content: string
      role: string
    })[]
    model: string
  }
  session_id: string
  timestamp: string
  transcript_path: string
}

export interface GeminiBeforeTool {
  cwd: string
  hook_event_name: "BeforeTool"
  mcp_context?: {
    args?: string[]
    command?: string
    server_name?: string
    tool_name?: string
  }
  original_request_name?: string
  session_id: string
  timestamp: string
  tool_input: Record<string, unknown>
  tool_name: string
  transcript_path: string
}

export interface GeminiBeforeToolSelection {
  cwd: string
  hook_event_name: "BeforeToolSelection"
  llm_request: {
    config: Record<string, unknown>
    messages: ({
      content: string
      role: string
    })[]
    model: string
  }
  session_id: string
  timestamp: string
  transcript_path: string
}

export interface GeminiNotification {
  cwd: string
  details: {
    command?: string
    fileDiff?: string
    fileName?: string
    filePath?: string
    newContent?: string
    originalContent?: string
    prompt?: string
    rootCommand?: string
    serverName?: string
    title?: string
    toolDisplayName?: string
    toolName?: string
    type?: "edit" | "exec" | "info" | "mcp"
    urls?: string[]
  }
  hook_event_name: "Notification"
  message: string
  notification_type: "ToolPermission"
  session_id: string
  timestamp: string
  transcript_path: string
}

export interface GeminiPreCompress {
  cwd: string
  hook_event_name: "PreCompress"
  session_id: string
  timestamp: string
  transcript_path: string
  trigger: "auto" | "manual"
}

export interface GeminiSessionEnd {
  cwd: string
  hook_event_name: "SessionEnd"
  reason: "clear" | "exit" | "logout" | "other" | "prompt_input_exit"
  session_id: string
  timestamp: string
  transcript_path: string
}

export interface GeminiSessionStart {
  cwd: string
  hook_event_name: "SessionStart"
  session_id: string
  source: "clear" | "resume" | "startup"
  timestamp: string
  transcript_path: string
}

export interface GeminiAfterToolInvokeAgent {
  cwd: string
  hook_event_name: "AfterTool"
  mcp_context?: {
    args?: string[]
    command?: string
    server_name?: string
    tool_name?: string
  }
  original_request_name?: string
  session_id: string
  timestamp: string
  tool_input: {
    agent_name?: string
    prompt?: string
  }
  tool_name: "invoke_agent"
  tool_response: {
    llmContent?: ({
      text?: string
    })[]
    returnDisplay?: unknown
  }
  transcript_path: string
}

export interface GeminiAfterToolReadFile {
  cwd: string
  hook_event_name: "AfterTool"
  mcp_context?: {
    args?: string[]
    command?: string
    server_name?: string
    tool_name?: string
  }
  original_request_name?: string
  session_id: string
  timestamp: string
  tool_input: {
    end_line?: unknown
    file_path: string
    limit?: unknown
    offset?: unknown
    start_line?: unknown
  }
  tool_name: "read_file"
  tool_response: {
    error?: {
      message?: string
      type?: string
    }
    llmContent?: string
    returnDisplay?: unknown
  }
  transcript_path: string
}

export interface GeminiAfterToolReplace {
  cwd: string
  hook_event_name: "AfterTool"
  mcp_context?: {
    args?: string[]
    command?: string
    server_name?: string
    tool_name?: string
  }
  original_request_name?: string
  session_id: string
  timestamp: string
  tool_input: {
    allow_multiple?: unknown
    expected_replacements?: unknown
    file_path: string
    instruction?: string
    new_string: string
    old_string: string
  }
  tool_name: "replace"
  tool_response: {
    llmContent?: string
    returnDisplay?: unknown
  }
  transcript_path: string
}

export interface GeminiAfterToolRunShellCommand {
  cwd: string
  hook_event_name: "AfterTool"
  mcp_context?: {
    args?: string[]
    command?: string
    server_name?: string
    tool_name?: string
  }
  original_request_name?: string
  session_id: string
  timestamp: string
  tool_input: {
    command: string
    description?: string
    dir_path?: unknown
    directory?: unknown
    is_background?: unknown
  }
  tool_name: "run_shell_command"
  tool_response: {
    llmContent?: string
    returnDisplay?: unknown
  }
  transcript_path: string
}

export interface GeminiAfterToolWebFetch {
  cwd: string
  hook_event_name: "AfterTool"
  mcp_context?: {
    args?: string[]
    command?: string
    server_name?: string
    tool_name?: string
  }
  original_request_name?: string
  session_id: string
  timestamp: string
  tool_input: {
    prompt?: string
  }
  tool_name: "web_fetch"
  tool_response: {
    error?: {
      message?: string
      type?: string
    }
    llmContent?: string
    returnDisplay?: unknown
  }
  transcript_path: string
}

export interface GeminiAfterToolWriteFile {
  cwd: string
  hook_event_name: "AfterTool"
  mcp_context?: {
    args?: string[]
    command?: string
    server_name?: string
    tool_name?: string
  }
  original_request_name?: string
  session_id: string
  timestamp: string
  tool_input: {
    ai_proposed_content?: unknown
    content: string
    file_path: string
    modified_by_user?: unknown
  }
  tool_name: "write_file"
  tool_response: {
    llmContent?: string
    returnDisplay?: unknown
  }
  transcript_path: string
}

export interface GeminiBeforeToolInvokeAgent {
  cwd: string
  hook_event_name: "BeforeTool"
  mcp_context?: {
    args?: string[]
    command?: string
    server_name?: string
    tool_name?: string
  }
  original_request_name?: string
  session_id: string
  timestamp: string
  tool_input: {
    agent_name?: string
    prompt?: string
  }
  tool_name: "invoke_agent"
  transcript_path: string
}

export interface GeminiBeforeToolReadFile {
  cwd: string
  hook_event_name: "BeforeTool"
  mcp_context?: {
    args?: string[]
    command?: string
    server_name?: string
    tool_name?: string
  }
  original_request_name?: string
  session_id: string
  timestamp: string
  tool_input: {
    end_line?: unknown
    file_path: string
    limit?: unknown
    offset?: unknown
    start_line?: unknown
  }
  tool_name: "read_file"
  transcript_path: string
}

export interface GeminiBeforeToolReplace {
  cwd: string
  hook_event_name: "BeforeTool"
  mcp_context?: {
    args?: string[]
    command?: string
    server_name?: string
    tool_name?: string
  }
  original_request_name?: string
  session_id: string
  timestamp: string
  tool_input: {
    allow_multiple?: unknown
    expected_replacements?: unknown
    file_path: string
    instruction?: string
    new_string: string
    old_string: string
  }
  tool_name: "replace"
  transcript_path: string
}

export interface GeminiBeforeToolRunShellCommand {
  cwd: string
  hook_event_name: "BeforeTool"
  mcp_context?: {
    args?: string[]
    command?: string
    server_name?: string
    tool_name?: string
  }
  original_request_name?: string
  session_id: string
  timestamp: string
  tool_input: {
    command: string
    description?: string
    dir_path?: unknown
    directory?: unknown
    is_background?: unknown
  }
  tool_name: "run_shell_command"
  transcript_path: string
}

export interface GeminiBeforeToolWebFetch {
  cwd: string
  hook_event_name: "BeforeTool"
  mcp_context?: {
    args?: string[]
    command?: string
    server_name?: string
    tool_name?: string
  }
  original_request_name?: string
  session_id: string
  timestamp: string
  tool_input: {
    prompt?: string
  }
  tool_name: "web_fetch"
  transcript_path: string
}

export interface GeminiBeforeToolWriteFile {
  cwd: string
  hook_event_name: "BeforeTool"
  mcp_context?: {
    args?: string[]
    command?: string
    server_name?: string
    tool_name?: string
  }
  original_request_name?: string
  session_id: string
  timestamp: string
  tool_input: {
    ai_proposed_content?: unknown
    content: string
    file_path: string
    modified_by_user?: unknown
  }
  tool_name: "write_file"
  transcript_path: string
}

export interface GeminiNotificationRunShellCommand {
  cwd: string
  details: {
    command?: string
    fileDiff?: string
    fileName?: string
    filePath?: string
    newContent?: string
    originalContent?: string
    prompt?: string
    rootCommand?: string
    serverName?: string
    title?: string
    toolDisplayName?: string
    toolName?: string
    type?: "edit" | "exec" | "info" | "mcp"
    urls?: string[]
  }
  hook_event_name: "Notification"
  message: string
  notification_type: "ToolPermission"
  session_id: string
  timestamp: string
  transcript_path: string
}

export interface GeminiNotificationWebFetch {
  cwd: string
  details: {
    command?: string
    fileDiff?: string
    fileName?: string
    filePath?: string
    newContent?: string
    originalContent?: string
    prompt?: string
    rootCommand?: string
    serverName?: string
    title?: string
    toolDisplayName?: string
    toolName?: string
    type?: "edit" | "exec" | "info" | "mcp"
    urls?: string[]
  }
  hook_event_name: "Notification"
  message: string
  notification_type: "ToolPermission"
  session_id: string
  timestamp: string
  transcript_path: string
}

export interface GeminiNotificationWriteFile {
  cwd: string
  details: {
    command?: string
    fileDiff?: string
    fileName?: string
    filePath?: string
    newContent?: string
    originalContent?: string
    prompt?: string
    rootCommand?: string
    serverName?: string
    title?: string
    toolDisplayName?: string
    toolName?: string
    type?: "edit" | "exec" | "info" | "mcp"
    urls?: string[]
  }
  hook_event_name: "Notification"
  message: string
  notification_type: "ToolPermission"
  session_id: string
  timestamp: string
  transcript_path: string
}

/** Any of them. */
export type GeminiPayload =
  | GeminiAfterAgent
  | GeminiAfterModel
  | GeminiAfterTool
  | GeminiBeforeAgent
  | GeminiBeforeModel
  | GeminiBeforeTool
  | GeminiBeforeToolSelection
  | GeminiNotification
  | GeminiPreCompress
  | GeminiSessionEnd
  | GeminiSessionStart
  | GeminiAfterToolInvokeAgent
  | GeminiAfterToolReadFile
  | GeminiAfterToolReplace
  | GeminiAfterToolRunShellCommand
  | GeminiAfterToolWebFetch
  | GeminiAfterToolWriteFile
  | GeminiBeforeToolInvokeAgent
  | GeminiBeforeToolReadFile
  | GeminiBeforeToolReplace
  | GeminiBeforeToolRunShellCommand
  | GeminiBeforeToolWebFetch
  | GeminiBeforeToolWriteFile
  | GeminiNotificationRunShellCommand
  | GeminiNotificationWebFetch
  | GeminiNotificationWriteFile

/** By the agent's own name of the event. */
export interface GeminiPayloads {
  "AfterAgent": GeminiAfterAgent
  "AfterModel": GeminiAfterModel
  "AfterTool": GeminiAfterTool
  "BeforeAgent": GeminiBeforeAgent
  "BeforeModel": GeminiBeforeModel
  "BeforeTool": GeminiBeforeTool
  "BeforeToolSelection": GeminiBeforeToolSelection
  "Notification": GeminiNotification
  "PreCompress": GeminiPreCompress
  "SessionEnd": GeminiSessionEnd
  "SessionStart": GeminiSessionStart
}

/** Events about a tool, by the tools that were recorded. */
export interface GeminiToolPayloads {
  "AfterTool": {
    "invoke_agent": GeminiAfterToolInvokeAgent
    "read_file": GeminiAfterToolReadFile
    "replace": GeminiAfterToolReplace
    "run_shell_command": GeminiAfterToolRunShellCommand
    "web_fetch": GeminiAfterToolWebFetch
    "write_file": GeminiAfterToolWriteFile
  }
  "BeforeTool": {
    "invoke_agent": GeminiBeforeToolInvokeAgent
    "read_file": GeminiBeforeToolReadFile
    "replace": GeminiBeforeToolReplace
    "run_shell_command": GeminiBeforeToolRunShellCommand
    "web_fetch": GeminiBeforeToolWebFetch
    "write_file": GeminiBeforeToolWriteFile
  }
  "Notification": {
    "run_shell_command": GeminiNotificationRunShellCommand
    "web_fetch": GeminiNotificationWebFetch
    "write_file": GeminiNotificationWriteFile
  }
}
