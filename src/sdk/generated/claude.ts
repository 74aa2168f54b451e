/** What claude 2.1.325 sends, as recorded. Made by "npm run sdk:types". */

export interface ClaudeConfigChange {
  agent_id?: unknown
  agent_type?: unknown
  cwd: string
  effort?: unknown
  file_path?: string
  hook_event_name: "ConfigChange"
  permission_mode?: unknown
  prompt_id?: string
  session_id: string
  source: "local_settings" | "policy_settings" | "project_settings" | "skills" | "user_settings"
  transcript_path: string
}

export interface ClaudeCwdChanged {
  agent_id?: unknown
  agent_type?: unknown
  cwd: string
  effort?: unknown
  hook_event_name: "CwdChanged"
  new_cwd: string
  old_cwd: string
  permission_mode?: unknown
  prompt_id?: string
  session_id: string
  transcript_path: string
}

export interface ClaudeDirectoryAdded {
  agent_id?: unknown
  agent_type?: unknown
  cwd: string
  directory: string
  effort?: unknown
  hook_event_name: "DirectoryAdded"
  permission_mode?: unknown
  prompt_id?: string
  session_id: string
  source: "register_repo_root" | "slash_command"
  transcript_path: string
}

export interface ClaudeElicitation {
  agent_id?: unknown
  agent_type?: unknown
  cwd: string
  effort?: unknown
  elicitation_id?: string
  hook_event_name: "Elicitation"
  mcp_server_name: string
  message: string
  mode?: "form" | "url"
  permission_mode?: unknown
  prompt_id?: string
  requested_schema?: Record<string, unknown>
  session_id: string
  transcript_path: string
  url?: string
}

export interface ClaudeElicitationResult {
  action: "accept" | "cancel" | "decline"
  agent_id?: unknown
  agent_type?: unknown
  content?: unknown
  cwd: string
  effort?: unknown
  elicitation_id?: string
  hook_event_name: "ElicitationResult"
  mcp_server_name: string
  mode?: "form" | "url"
  permission_mode?: unknown
  prompt_id?: string
  session_id: string
  transcript_path: string
}

export interface ClaudeFileChanged {
  agent_id?: unknown
  agent_type?: unknown
  cwd: string
  effort?: unknown
  event: "add" | "change" | "unlink"
  file_path: string
  hook_event_name: "FileChanged"
  permission_mode?: unknown
  prompt_id?: string
  session_id: string
  transcript_path: string
}

export interface ClaudeInstructionsLoaded {
  agent_id?: unknown
  agent_type?: unknown
  cwd: string
  effort?: {
    level?: string
  }
  file_path: string
  globs?: string[]
  hook_event_name: "InstructionsLoaded"
  load_reason: "compact" | "include" | "nested_traversal" | "path_glob_match" | "session_start"
  memory_type: "Local" | "Managed" | "Project" | "User"
  parent_file_path?: string
  permission_mode?: unknown
  prompt_id?: string
  session_id: string
  transcript_path: string
  trigger_file_path?: string
}

export interface ClaudeMessageDisplay {
  agent_id?: unknown
  agent_type?: unknown
  cwd: string
  delta: string
  effort?: unknown
  final: boolean
  hook_event_name: "MessageDisplay"
  index: number
  message_id: string
  permission_mode?: unknown
  prompt_id?: string
  session_id: string
  transcript_path: string
  turn_id: string
}

export interface ClaudeNotification {
  agent_id?: unknown
  agent_type?: unknown
  cwd: string
  effort?: unknown
  hook_event_name: "Notification"
  message: string
  notification_type: "agent_completed" | "agent_needs_input" | "auth_storage_failure" | "auth_success" | "computer_use_enter" | "computer_use_exit" | "elicitation_complete" | "elicitation_dialog" | "elicitation_response" | "elicitation_url_dialog" | "idle_prompt" | "model_refusal_fallback" | "permission_prompt" | "plugin_notification" | "push_notification" | "quota_auto_resume_disabled" | "quota_auto_resume_fired" | "quota_auto_resume_stale" | "worker_permission_prompt"
  permission_mode?: unknown
  prompt_id?: string
  session_id: string
  title?: unknown
  transcript_path: string
}

export interface ClaudePermissionDenied {
  agent_id?: unknown
  agent_type?: unknown
  cwd: string
  effort?: {
    level?: string
  }
  hook_event_name: "PermissionDenied"
  mcp_server?: unknown
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  reason: string
  session_id: string
  tool_input: Record<string, unknown>
  tool_name: string
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePermissionRequest {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level?: string
  }
  hook_event_name: "PermissionRequest"
  mcp_server?: unknown
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  permission_suggestions?: ({
    behavior?: unknown
    destination?: string
    directories?: string[]
    mode?: string
    rules?: unknown
    type?: string
  })[]
  prompt_id?: string
  session_id: string
  tool_input: Record<string, unknown>
  tool_name: string
  transcript_path: string
}

export interface ClaudePostCompact {
  agent_id?: unknown
  agent_type?: unknown
  compact_summary: string
  cwd: string
  effort?: unknown
  hook_event_name: "PostCompact"
  permission_mode?: unknown
  prompt_id?: string
  session_id: string
  transcript_path: string
  trigger: "auto" | "manual"
}

export interface ClaudePostModelSwitch {
  agent_id?: unknown
  agent_type?: unknown
  cache_ttl?: string
  context_tokens: number
  cwd: string
  effort?: unknown
  estimated_cache_write_usd?: number
  from_model: string
  hook_event_name: "PostModelSwitch"
  permission_mode?: unknown
  pricing?: string
  prompt_cache_warm?: boolean
  prompt_id?: string
  requested_model?: string
  session_id: string
  source: "auto" | "command" | "picker" | "resume" | "sdk"
  to_model: string
  transcript_path: string
}

export interface ClaudePostToolBatch {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PostToolBatch"
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_calls: ({
    tool_input: Record<string, unknown>
    tool_name: string
    tool_response: string | unknown[]
    tool_use_id: string
  })[]
  transcript_path: string
}

export interface ClaudePostToolUse {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level: string
  }
  hook_event_name: "PostToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: Record<string, unknown>
  tool_name: string
  tool_response: Record<string, unknown> | unknown[]
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseFailure {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level?: string
  }
  error: string
  hook_event_name: "PostToolUseFailure"
  is_interrupt?: boolean
  mcp_server?: {
    name?: string
    source?: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: Record<string, unknown>
  tool_name: string
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePreCompact {
  agent_id?: unknown
  agent_type?: unknown
  custom_instructions: string | null
  cwd: string
  effort?: unknown
  hook_event_name: "PreCompact"
  permission_mode?: unknown
  prompt_id?: string
  session_id: string
  transcript_path: string
  trigger: "auto" | "manual"
}

export interface ClaudePreModelSwitch {
  agent_id?: unknown
  agent_type?: unknown
  cache_ttl?: string
  context_tokens: number
  cwd: string
  effort?: unknown
  estimated_cache_write_usd?: number
  from_model: string
  hook_event_name: "PreModelSwitch"
  permission_mode?: unknown
  pricing?: string
  prompt_cache_warm?: boolean
  prompt_id?: string
  requested_model?: string
  session_id: string
  source: "command" | "picker" | "sdk"
  to_model: string
  transcript_path: string
}

export interface ClaudePreToolUse {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PreToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: Record<string, unknown>
  tool_name: string
  tool_use_id: string
  transcript_path: string
}

export interface ClaudeSessionEnd {
  agent_id?: unknown
  agent_type?: unknown
  cwd: string
  effort?: unknown
  hook_event_name: "SessionEnd"
  permission_mode?: unknown
  prompt_id?: string
  reason: "bypass_permissions_disabled" | "clear" | "logout" | "other" | "prompt_input_exit" | "resume"
  session_id: string
  transcript_path: string
}

export interface ClaudeSessionStart {
  agent_id?: unknown
  agent_type?: unknown
  context_tokens?: number
  cwd: string
  effort?: unknown
  estimated_cache_write_usd?: number
  hook_event_name: "SessionStart"
  model?: string
  permission_mode?: unknown
  prompt_cache_likely_expired?: boolean
  prompt_id?: string
  seconds_since_last_response?: number
  session_id: string
  session_title?: unknown
  source: "clear" | "compact" | "fork" | "resume" | "startup"
  transcript_path: string
}

export interface ClaudeSetup {
  agent_id?: unknown
  agent_type?: unknown
  cwd: string
  effort?: unknown
  hook_event_name: "Setup"
  permission_mode?: unknown
  prompt_id?: unknown
  session_id: string
  transcript_path: string
  trigger: "init" | "maintenance"
}

export interface ClaudeStop {
  agent_id?: unknown
  agent_type?: unknown
  background_tasks?: ({
    agent_type?: string
    command?: unknown
    description?: string
    id?: string
    status?: string
    type?: string
  })[]
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "Stop"
  last_assistant_message?: string
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_crons?: unknown[]
  session_id: string
  stop_hook_active: boolean
  transcript_path: string
}

export interface ClaudeStopFailure {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level?: string
  }
  error: "account_on_hold" | "authentication_failed" | "billing_error" | "cloud_credential_error" | "invalid_request" | "max_output_tokens" | "model_not_found" | "oauth_org_not_allowed" | "overloaded" | "rate_limit" | "server_error" | "unknown" | "verification_required"
  error_details?: unknown
  hook_event_name: "StopFailure"
  last_assistant_message?: string
  permission_mode?: unknown
  prompt_id?: string
  session_id: string
  transcript_path: string
}

export interface ClaudeSubagentStart {
  agent_id: string
  agent_type: string
  cwd: string
  effort?: unknown
  hook_event_name: "SubagentStart"
  permission_mode?: unknown
  prompt_id?: string
  session_id: string
  transcript_path: string
}

export interface ClaudeSubagentStop {
  agent_id: string
  agent_transcript_path: string
  agent_type: string
  background_tasks?: ({
    agent_type?: string
    description?: string
    id?: string
    status?: string
    type?: string
  })[]
  cwd: string
  effort?: {
    level?: string
  }
  hook_event_name: "SubagentStop"
  last_assistant_message?: string
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_crons?: unknown[]
  session_id: string
  stop_hook_active: boolean
  transcript_path: string
}

export interface ClaudeTaskCompleted {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: unknown
  hook_event_name: "TaskCompleted"
  permission_mode?: unknown
  prompt_id?: string
  session_id: string
  task_description?: string
  task_id: string
  task_subject: string
  team_name?: string
  teammate_name?: string
  transcript_path: string
}

export interface ClaudeTaskCreated {
  agent_id?: unknown
  agent_type?: unknown
  cwd: string
  effort?: unknown
  hook_event_name: "TaskCreated"
  permission_mode?: unknown
  prompt_id?: string
  session_id: string
  task_description?: string
  task_id: string
  task_subject: string
  team_name?: unknown
  teammate_name?: unknown
  transcript_path: string
}

export interface ClaudeTeammateIdle {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: unknown
  hook_event_name: "TeammateIdle"
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  team_name: string
  teammate_name: string
  transcript_path: string
}

export interface ClaudeUserPromptExpansion {
  agent_id?: unknown
  agent_type?: unknown
  command_args: string
  command_name: string
  command_source?: string
  cwd: string
  effort?: unknown
  expansion_type: "mcp_prompt" | "slash_command"
  hook_event_name: "UserPromptExpansion"
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt: string
  prompt_id?: string
  session_id: string
  transcript_path: string
}

export interface ClaudeUserPromptSubmit {
  agent_id?: unknown
  agent_type?: unknown
  cwd: string
  effort?: unknown
  hook_event_name: "UserPromptSubmit"
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt: string
  prompt_id?: string
  session_id: string
  session_title?: unknown
  source?: unknown
  transcript_path: string
}

export interface ClaudeWorktreeCreate {
  agent_id?: unknown
  agent_type?: unknown
  cwd: string
  effort?: unknown
  hook_event_name: "WorktreeCreate"
  name: string
  permission_mode?: unknown
  prompt_id?: unknown
  session_id: string
  transcript_path: string
}

export interface ClaudeWorktreeRemove {
  agent_id?: unknown
  agent_type?: unknown
  cwd: string
  effort?: unknown
  hook_event_name: "WorktreeRemove"
  permission_mode?: unknown
  prompt_id?: string
  session_id: string
  transcript_path: string
  worktree_path: string
}

export interface ClaudeStatusLine {
  agent?: unknown
  agent_id?: unknown
  agent_type?: unknown
  context_window?: {
    context_window_size?: number
    current_usage?: null | {
      cache_creation_input_tokens?: number
      cache_read_input_tokens?: number
      input_tokens?: number
      output_tokens?: number
    }
    remaining_percentage?: number | null
    total_input_tokens?: number
    total_output_tokens?: number
    used_percentage?: number | null
  }
  cost?: {
    total_api_duration_ms?: number
    total_cost_usd?: number
    total_duration_ms?: number
    total_lines_added?: number
    total_lines_removed?: number
  }
  cwd: string
  effort?: {
    level?: string
  }
  exceeds_200k_tokens?: boolean
  fast_mode?: boolean
  hook_event_name?: unknown
  model: {
    display_name?: string
    id?: string
  }
  output_style?: {
    name?: string
  }
  permission_mode?: unknown
  pr?: unknown
  prompt_cache?: {
    cache_write_tokens?: number
    caching_observed?: boolean
    expected_rebuilds?: number
    expires_at?: null
    hit_ratio?: number
    last_miss_at?: null
    last_miss_cause?: null
    miss_causes?: Record<string, unknown>
    miss_recache_tokens?: number
    misses?: number
    recache_tokens_if_cold?: unknown
    requests?: number
    ttl?: string
    warm?: boolean
  }
  prompt_id?: string
  rate_limits?: unknown
  remote?: unknown
  session_id: string
  session_name?: unknown
  thinking?: {
    enabled?: boolean
  }
  transcript_path: string
  version: string
  vim?: unknown
  workspace: {
    added_dirs?: unknown[]
    current_dir?: string
    git_worktree?: unknown
    project_dir?: string
    repo?: unknown
  }
  worktree?: unknown
}

export interface ClaudePermissionDeniedBash {
  agent_id?: unknown
  agent_type?: unknown
  cwd: string
  effort?: {
    level?: string
  }
  hook_event_name: "PermissionDenied"
  mcp_server?: unknown
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  reason: string
  session_id: string
  tool_input: {
    command: string
    dangerouslyDisableSandbox?: unknown
    description?: string
    run_in_background?: unknown
    timeout?: unknown
  }
  tool_name: "Bash"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePermissionRequestAskUserQuestion {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level?: string
  }
  hook_event_name: "PermissionRequest"
  mcp_server?: unknown
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  permission_suggestions?: ({
    behavior?: unknown
    destination?: string
    directories?: string[]
    mode?: string
    rules?: unknown
    type?: string
  })[]
  prompt_id?: string
  session_id: string
  tool_input: {
    annotations?: unknown
    answers?: unknown
    metadata?: unknown
    questions: ({
      header?: string
      multiSelect?: boolean
      options?: ({
        description?: string
        label?: string
      })[]
      question?: string
    })[]
  }
  tool_name: "AskUserQuestion"
  transcript_path: string
}

export interface ClaudePermissionRequestBash {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level?: string
  }
  hook_event_name: "PermissionRequest"
  mcp_server?: unknown
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  permission_suggestions?: ({
    behavior?: unknown
    destination?: string
    directories?: string[]
    mode?: string
    rules?: unknown
    type?: string
  })[]
  prompt_id?: string
  session_id: string
  tool_input: {
    command: string
    dangerouslyDisableSandbox?: unknown
    description?: string
    run_in_background?: unknown
    timeout?: unknown
  }
  tool_name: "Bash"
  transcript_path: string
}

export interface ClaudePermissionRequestExitPlanMode {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level?: string
  }
  hook_event_name: "PermissionRequest"
  mcp_server?: unknown
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  permission_suggestions?: ({
    behavior?: unknown
    destination?: string
    directories?: string[]
    mode?: string
    rules?: unknown
    type?: string
  })[]
  prompt_id?: string
  session_id: string
  tool_input: {
    allowedPrompts?: unknown
    plan?: unknown
  }
  tool_name: "ExitPlanMode"
  transcript_path: string
}

export interface ClaudePermissionRequestWrite {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level?: string
  }
  hook_event_name: "PermissionRequest"
  mcp_server?: unknown
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  permission_suggestions?: ({
    behavior?: unknown
    destination?: string
    directories?: string[]
    mode?: string
    rules?: unknown
    type?: string
  })[]
  prompt_id?: string
  session_id: string
  tool_input: {
    content: string
    file_path: string
  }
  tool_name: "Write"
  transcript_path: string
}

export interface ClaudePostToolUseAgent {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level: string
  }
  hook_event_name: "PostToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    description: string
    isolation?: unknown
    max_turns?: unknown
    mode?: unknown
    model?: unknown
    name?: string
    prompt: string
    resume?: unknown
    run_in_background?: boolean
    subagent_type?: string
    team_name?: string
  }
  tool_name: "Agent"
  tool_response: {
    agentId?: string
    agentType?: string
    canContinueAgent?: boolean
    canReadOutputFile?: boolean
    content?: ({
      text?: string
      type?: string
    })[]
    description?: string
    harnessNoteCount?: number
    harnessSectionHash?: string
    harnessTailCount?: number
    isAsync?: boolean
    outputFile?: string
    prompt?: string
    resolvedModel?: string
    status?: string
    toolStats?: {
      bashCount?: number
      editFileCount?: number
      linesAdded?: number
      linesRemoved?: number
      otherToolCount?: number
      readCount?: number
      searchCount?: number
    }
    toolsUsed?: string[]
    totalDurationMs?: number
    totalTokens?: number
    totalToolUseCount?: number
    usage?: Record<string, unknown>
  }
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseAskUserQuestion {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level: string
  }
  hook_event_name: "PostToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    annotations?: Record<string, unknown>
    answers?: {
      [name: string]: string
    }
    metadata?: unknown
    questions: ({
      header?: string
      multiSelect?: boolean
      options?: ({
        description?: string
        label?: string
      })[]
      question?: string
    })[]
  }
  tool_name: "AskUserQuestion"
  tool_response: {
    annotations?: Record<string, unknown>
    answers?: {
      [name: string]: string
    }
    questions?: ({
      header?: string
      multiSelect?: boolean
      options?: ({
        description?: string
        label?: string
      })[]
      question?: string
    })[]
  }
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseBash {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level: string
  }
  hook_event_name: "PostToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    command: string
    dangerouslyDisableSandbox?: unknown
    description?: string
    run_in_background?: unknown
    timeout?: unknown
  }
  tool_name: "Bash"
  tool_response: {
    backgroundCwdHint?: unknown
    backgroundEndsWithFinalResponse?: unknown
    backgroundOutputPath?: unknown
    backgroundTaskId?: unknown
    backgroundWakesOwner?: unknown
    backgroundedByTurnAbort?: unknown
    backgroundedByUser?: unknown
    backgroundedToDeliverMessage?: unknown
    bashEditDiff?: unknown
    dangerouslyDisableSandbox?: unknown
    ghRateLimitHint?: unknown
    gitOperation?: unknown
    interrupted?: boolean
    isImage?: boolean
    memoryLimitNote?: unknown
    noOutputExpected?: boolean
    persistedOutputPath?: unknown
    persistedOutputSize?: unknown
    rawOutputPath?: unknown
    returnCodeInterpretation?: unknown
    staleReadFileStateHint?: unknown
    stderr?: string
    stdout?: string
    stdoutHoldsOutputEnd?: unknown
    structuredContent?: unknown
    subagentCapApplied?: unknown
    tailInputNote?: unknown
    tailInputPath?: unknown
    timedOutAfterMs?: unknown
    triggeredNote?: unknown
  }
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseEdit {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level: string
  }
  hook_event_name: "PostToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    file_path: string
    new_string: string
    old_string: string
    replace_all?: boolean
  }
  tool_name: "Edit"
  tool_response: {
    filePath?: string
    newString?: string
    oldString?: string
    originalFile?: string
    replaceAll?: boolean
    structuredPatch?: ({
      lines?: string[]
      newLines?: number
      newStart?: number
      oldLines?: number
      oldStart?: number
    })[]
    userModified?: boolean
  }
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseEnterWorktree {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level: string
  }
  hook_event_name: "PostToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    name?: string
  }
  tool_name: "EnterWorktree"
  tool_response: {
    message?: string
    worktreeBranch?: string
    worktreePath?: string
  }
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseExitPlanMode {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level: string
  }
  hook_event_name: "PostToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    allowedPrompts?: unknown
    plan?: unknown
  }
  tool_name: "ExitPlanMode"
  tool_response: {
    filePath?: string
    isAgent?: boolean
    plan?: null
  }
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseExitWorktree {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level: string
  }
  hook_event_name: "PostToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    action?: string
    discard_changes?: boolean
  }
  tool_name: "ExitWorktree"
  tool_response: {
    action?: string
    discardedCommits?: number
    discardedFiles?: number
    message?: string
    originalCwd?: string
    originalCwdMissing?: boolean
    restoredCwd?: string
    worktreeBranch?: string
    worktreePath?: string
  }
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseGlob {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level: string
  }
  hook_event_name: "PostToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    path?: unknown
    pattern: string
  }
  tool_name: "Glob"
  tool_response: {
    countIsComplete?: boolean
    durationMs?: number
    filenames?: string[]
    numFiles?: number
    totalMatches?: number
    truncated?: boolean
  }
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseGrep {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level: string
  }
  hook_event_name: "PostToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    "-A"?: unknown
    "-B"?: unknown
    "-C"?: unknown
    "-i"?: unknown
    "-n"?: unknown
    context?: unknown
    glob?: unknown
    head_limit?: unknown
    multiline?: unknown
    offset?: unknown
    output_mode?: unknown
    path?: unknown
    pattern: string
    type?: unknown
  }
  tool_name: "Grep"
  tool_response: {
    filenames?: string[]
    mode?: string
    numFiles?: number
    totalFiles?: number
  }
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseRead {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level: string
  }
  hook_event_name: "PostToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    file_path: string
    limit?: unknown
    offset?: unknown
    pages?: unknown
  }
  tool_name: "Read"
  tool_response: {
    file?: {
      content?: string
      filePath?: string
      numLines?: number
      startLine?: number
      totalLines?: number
    }
    type?: string
  }
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseSendMessage {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level: string
  }
  hook_event_name: "PostToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    message?: string
    summary?: string
    to?: string
  }
  tool_name: "SendMessage"
  tool_response: {
    display?: string
    message?: string
    success?: boolean
  }
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseSkill {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level: string
  }
  hook_event_name: "PostToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    args?: string
    skill: string
  }
  tool_name: "Skill"
  tool_response: {
    commandName?: string
    success?: boolean
  }
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseTaskCreate {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level: string
  }
  hook_event_name: "PostToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    activeForm?: string
    description?: string
    subject?: string
  }
  tool_name: "TaskCreate"
  tool_response: {
    task?: {
      description?: string
      id?: string
      subject?: string
    }
  }
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseTaskList {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level: string
  }
  hook_event_name: "PostToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: Record<string, unknown>
  tool_name: "TaskList"
  tool_response: {
    tasks?: ({
      blockedBy?: unknown[]
      id?: string
      status?: string
      subject?: string
    })[]
  }
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseTaskUpdate {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level: string
  }
  hook_event_name: "PostToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    owner?: string
    status?: string
    taskId?: string
  }
  tool_name: "TaskUpdate"
  tool_response: {
    statusChange?: {
      from?: string
      to?: string
    }
    success?: boolean
    taskId?: string
    updatedFields?: string[]
  }
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseWrite {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level: string
  }
  hook_event_name: "PostToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    content: string
    file_path: string
  }
  tool_name: "Write"
  tool_response: {
    content?: string
    filePath?: string
    originalFile?: null
    structuredPatch?: unknown[]
    type?: string
    userModified?: boolean
  }
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseFailureAgent {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level?: string
  }
  error: string
  hook_event_name: "PostToolUseFailure"
  is_interrupt?: boolean
  mcp_server?: {
    name?: string
    source?: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    description: string
    isolation?: unknown
    max_turns?: unknown
    mode?: unknown
    model?: unknown
    name?: unknown
    prompt: string
    resume?: unknown
    run_in_background?: boolean
    subagent_type?: string
    team_name?: unknown
  }
  tool_name: "Agent"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseFailureBash {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level?: string
  }
  error: string
  hook_event_name: "PostToolUseFailure"
  is_interrupt?: boolean
  mcp_server?: {
    name?: string
    source?: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    command: string
    dangerouslyDisableSandbox?: unknown
    description?: string
    run_in_background?: unknown
    timeout?: unknown
  }
  tool_name: "Bash"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePostToolUseFailureTaskCreate {
  agent_id?: string
  agent_type?: string
  cwd: string
  duration_ms?: number
  effort?: {
    level?: string
  }
  error: string
  hook_event_name: "PostToolUseFailure"
  is_interrupt?: boolean
  mcp_server?: {
    name?: string
    source?: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    activeForm?: string
    description?: string
    subject?: string
  }
  tool_name: "TaskCreate"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePreToolUseAgent {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PreToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    description: string
    isolation?: unknown
    max_turns?: unknown
    mode?: unknown
    model?: unknown
    name?: string
    prompt: string
    resume?: unknown
    run_in_background?: boolean
    subagent_type?: string
    team_name?: string
  }
  tool_name: "Agent"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePreToolUseAskUserQuestion {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PreToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    annotations?: unknown
    answers?: unknown
    metadata?: unknown
    questions: ({
      header?: string
      multiSelect?: boolean
      options?: ({
        description?: string
        label?: string
      })[]
      question?: string
    })[]
  }
  tool_name: "AskUserQuestion"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePreToolUseBash {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PreToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    command: string
    dangerouslyDisableSandbox?: unknown
    description?: string
    run_in_background?: unknown
    timeout?: unknown
  }
  tool_name: "Bash"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePreToolUseEdit {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PreToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    file_path: string
    new_string: string
    old_string: string
    replace_all?: boolean
  }
  tool_name: "Edit"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePreToolUseEnterWorktree {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PreToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    name?: string
  }
  tool_name: "EnterWorktree"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePreToolUseExitPlanMode {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PreToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    allowedPrompts?: unknown
    plan?: unknown
  }
  tool_name: "ExitPlanMode"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePreToolUseExitWorktree {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PreToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    action?: string
    discard_changes?: boolean
  }
  tool_name: "ExitWorktree"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePreToolUseGlob {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PreToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    path?: unknown
    pattern: string
  }
  tool_name: "Glob"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePreToolUseGrep {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PreToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    "-A"?: unknown
    "-B"?: unknown
    "-C"?: unknown
    "-i"?: unknown
    "-n"?: unknown
    context?: unknown
    glob?: unknown
    head_limit?: unknown
    multiline?: unknown
    offset?: unknown
    output_mode?: unknown
    path?: unknown
    pattern: string
    type?: unknown
  }
  tool_name: "Grep"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePreToolUseRead {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PreToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    file_path: string
    limit?: unknown
    offset?: unknown
    pages?: unknown
  }
  tool_name: "Read"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePreToolUseSendMessage {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PreToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    content?: string
    message?: string
    recipient?: string
    recipient_kind?: string
    summary?: string
    to?: string
    type?: string
  }
  tool_name: "SendMessage"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePreToolUseSkill {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PreToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    args?: string
    skill: string
  }
  tool_name: "Skill"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePreToolUseTaskCreate {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PreToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    activeForm?: string
    description?: string
    subject?: string
  }
  tool_name: "TaskCreate"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePreToolUseTaskList {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PreToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: Record<string, unknown>
  tool_name: "TaskList"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePreToolUseTaskUpdate {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PreToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    owner?: string
    status?: string
    taskId?: string
  }
  tool_name: "TaskUpdate"
  tool_use_id: string
  transcript_path: string
}

export interface ClaudePreToolUseWrite {
  agent_id?: string
  agent_type?: string
  cwd: string
  effort?: {
    level: string
  }
  hook_event_name: "PreToolUse"
  mcp_server?: {
    name: string
    source: string
  }
  permission_mode?: "acceptEdits" | "auto" | "bypassPermissions" | "default" | "dontAsk" | "plan"
  prompt_id?: string
  session_id: string
  tool_input: {
    content: string
    file_path: string
  }
  tool_name: "Write"
  tool_use_id: string
  transcript_path: string
}

/** Any of them. */
export type ClaudePayload =
  | ClaudeConfigChange
  | ClaudeCwdChanged
  | ClaudeDirectoryAdded
  | ClaudeElicitation
  | ClaudeElicitationResult
  | ClaudeFileChanged
  | ClaudeInstructionsLoaded
  | ClaudeMessageDisplay
  | ClaudeNotification
  | ClaudePermissionDenied
  | ClaudePermissionRequest
  | ClaudePostCompact
  | ClaudePostModelSwitch
  | ClaudePostToolBatch
  | ClaudePostToolUse
  | ClaudePostToolUseFailure
  | ClaudePreCompact
  | ClaudePreModelSwitch
  | ClaudePreToolUse
  | ClaudeSessionEnd
  | ClaudeSessionStart
  | ClaudeSetup
  | ClaudeStop
  | ClaudeStopFailure
  | ClaudeSubagentStart
  | ClaudeSubagentStop
  | ClaudeTaskCompleted
  | ClaudeTaskCreated
  | ClaudeTeammateIdle
  | ClaudeUserPromptExpansion
  | ClaudeUserPromptSubmit
  | ClaudeWorktreeCreate
  | ClaudeWorktreeRemove
  | ClaudeStatusLine
  | ClaudePermissionDeniedBash
  | ClaudePermissionRequestAskUserQuestion
  | ClaudePermissionRequestBash
  | ClaudePermissionRequestExitPlanMode
  | ClaudePermissionRequestWrite
  | ClaudePostToolUseAgent
  | ClaudePostToolUseAskUserQuestion
  | ClaudePostToolUseBash
  | ClaudePostToolUseEdit
  | ClaudePostToolUseEnterWorktree
  | ClaudePostToolUseExitPlanMode
  | ClaudePostToolUseExitWorktree
  | ClaudePostToolUseGlob
  | ClaudePostToolUseGrep
  | ClaudePostToolUseRead
  | ClaudePostToolUseSendMessage
  | ClaudePostToolUseSkill
  | ClaudePostToolUseTaskCreate
  | ClaudePostToolUseTaskList
  | ClaudePostToolUseTaskUpdate
  | ClaudePostToolUseWrite
  | ClaudePostToolUseFailureAgent
  | ClaudePostToolUseFailureBash
  | ClaudePostToolUseFailureTaskCreate
  | ClaudePreToolUseAgent
  | ClaudePreToolUseAskUserQuestion
  | ClaudePreToolUseBash
  | ClaudePreToolUseEdit
  | ClaudePreToolUseEnterWorktree
  | ClaudePreToolUseExitPlanMode
  | ClaudePreToolUseExitWorktree
  | ClaudePreToolUseGlob
  | ClaudePreToolUseGrep
  | ClaudePreToolUseRead
  | ClaudePreToolUseSendMessage
  | ClaudePreToolUseSkill
  | ClaudePreToolUseTaskCreate
  | ClaudePreToolUseTaskList
  | ClaudePreToolUseTaskUpdate
  | ClaudePreToolUseWrite

/** By the agent's own name of the event. */
export interface ClaudePayloads {
  "ConfigChange": ClaudeConfigChange
  "CwdChanged": ClaudeCwdChanged
  "DirectoryAdded": ClaudeDirectoryAdded
  "Elicitation": ClaudeElicitation
  "ElicitationResult": ClaudeElicitationResult
  "FileChanged": ClaudeFileChanged
  "InstructionsLoaded": ClaudeInstructionsLoaded
  "MessageDisplay": ClaudeMessageDisplay
  "Notification": ClaudeNotification
  "PermissionDenied": ClaudePermissionDenied
  "PermissionRequest": ClaudePermissionRequest
  "PostCompact": ClaudePostCompact
  "PostModelSwitch": ClaudePostModelSwitch
  "PostToolBatch": ClaudePostToolBatch
  "PostToolUse": ClaudePostToolUse
  "PostToolUseFailure": ClaudePostToolUseFailure
  "PreCompact": ClaudePreCompact
  "PreModelSwitch": ClaudePreModelSwitch
  "PreToolUse": ClaudePreToolUse
  "SessionEnd": ClaudeSessionEnd
  "SessionStart": ClaudeSessionStart
  "Setup": ClaudeSetup
  "Stop": ClaudeStop
  "StopFailure": ClaudeStopFailure
  "SubagentStart": ClaudeSubagentStart
  "SubagentStop": ClaudeSubagentStop
  "TaskCompleted": ClaudeTaskCompleted
  "TaskCreated": ClaudeTaskCreated
  "TeammateIdle": ClaudeTeammateIdle
  "UserPromptExpansion": ClaudeUserPromptExpansion
  "UserPromptSubmit": ClaudeUserPromptSubmit
  "WorktreeCreate": ClaudeWorktreeCreate
  "WorktreeRemove": ClaudeWorktreeRemove
  "statusLine": ClaudeStatusLine
}

/** Events about a tool, by the tools that were recorded. */
export interface ClaudeToolPayloads {
  "PermissionDenied": {
    "Bash": ClaudePermissionDeniedBash
  }
  "PermissionRequest": {
    "AskUserQuestion": ClaudePermissionRequestAskUserQuestion
    "Bash": ClaudePermissionRequestBash
    "ExitPlanMode": ClaudePermissionRequestExitPlanMode
    "Write": ClaudePermissionRequestWrite
  }
  "PostToolUse": {
    "Agent": ClaudePostToolUseAgent
    "AskUserQuestion": ClaudePostToolUseAskUserQuestion
    "Bash": ClaudePostToolUseBash
    "Edit": ClaudePostToolUseEdit
    "EnterWorktree": ClaudePostToolUseEnterWorktree
    "ExitPlanMode": ClaudePostToolUseExitPlanMode
    "ExitWorktree": ClaudePostToolUseExitWorktree
    "Glob": ClaudePostToolUseGlob
    "Grep": ClaudePostToolUseGrep
    "Read": ClaudePostToolUseRead
    "SendMessage": ClaudePostToolUseSendMessage
    "Skill": ClaudePostToolUseSkill
    "TaskCreate": ClaudePostToolUseTaskCreate
    "TaskList": ClaudePostToolUseTaskList
    "TaskUpdate": ClaudePostToolUseTaskUpdate
    "Write": ClaudePostToolUseWrite
  }
  "PostToolUseFailure": {
    "Agent": ClaudePostToolUseFailureAgent
    "Bash": ClaudePostToolUseFailureBash
    "TaskCreate": ClaudePostToolUseFailureTaskCreate
  }
  "PreToolUse": {
    "Agent": ClaudePreToolUseAgent
    "AskUserQuestion": ClaudePreToolUseAskUserQuestion
    "Bash": ClaudePreToolUseBash
    "Edit": ClaudePreToolUseEdit
    "EnterWorktree": ClaudePreToolUseEnterWorktree
    "ExitPlanMode": ClaudePreToolUseExitPlanMode
    "ExitWorktree": ClaudePreToolUseExitWorktree
    "Glob": ClaudePreToolUseGlob
    "Grep": ClaudePreToolUseGrep
    "Read": ClaudePreToolUseRead
    "SendMessage": ClaudePreToolUseSendMessage
    "Skill": ClaudePreToolUseSkill
    "TaskCreate": ClaudePreToolUseTaskCreate
    "TaskList": ClaudePreToolUseTaskList
    "TaskUpdate": ClaudePreToolUseTaskUpdate
    "Write": ClaudePreToolUseWrite
  }
}
