/**
 * Facts about agents that recordings cannot show: required fields that were seen only once, the values of a field,
 * optional arguments of tools, and where free-form data begins. From the agents' documentation, schemas and types, and
 * from observing their programs.
 */
export interface Facts {
  /** Fields of all events. */
  readonly common: string
  /** Further fields by event. A field in neither list was seen missing, or is documented as optional. */
  readonly events?: Readonly<Record<string, string>>
  /** Events without the common fields: all fields they have. */
  readonly others?: Readonly<Record<string, string>>
  /** All values of a field, by field or by event and field. */
  readonly words?: Readonly<Record<string, string>>
  /** Names below these are data. */
  readonly open?: readonly string[]
  /** Fields whose type varies. */
  readonly any?: readonly string[]
  /** Fields seen outside of recordings, by event. */
  readonly also?: Readonly<Record<string, string>>
  /** Fields of a tool's response seen outside of recordings, by tool. */
  readonly responses?: Readonly<Record<string, string>>
  /** Arguments of a tool; `?` marks optional ones. */
  readonly tools?: Readonly<Record<string, string>>
}

const CLAUDE: Facts = {
  common: 'session_id transcript_path cwd hook_event_name',
  others: { statusLine: 'session_id transcript_path cwd model workspace version' },
  events: {
    PreToolUse: 'tool_name tool_input tool_use_id',
    PostToolUse: 'tool_name tool_input tool_use_id tool_response',
    PostToolUseFailure: 'tool_name tool_input tool_use_id error',
    PostToolBatch: 'tool_calls',
    PermissionRequest: 'tool_name tool_input',
    PermissionDenied: 'tool_name tool_input tool_use_id reason',
    Notification: 'message notification_type',
    UserPromptSubmit: 'prompt',
    UserPromptExpansion: 'expansion_type command_name command_args prompt',
    SessionStart: 'source',
    SessionEnd: 'reason',
    Setup: 'trigger',
    Stop: 'stop_hook_active',
    StopFailure: 'error',
    SubagentStart: 'agent_id agent_type',
    SubagentStop: 'agent_id agent_type agent_transcript_path stop_hook_active',
    PreCompact: 'trigger custom_instructions',
    PostCompact: 'trigger compact_summary',
    PreModelSwitch: 'from_model to_model source context_tokens',
    PostModelSwitch: 'from_model to_model source context_tokens',
    TeammateIdle: 'teammate_name team_name',
    TaskCreated: 'task_id task_subject',
    TaskCompleted: 'task_id task_subject',
    Elicitation: 'mcp_server_name message',
    ElicitationResult: 'mcp_server_name action',
    ConfigChange: 'source',
    InstructionsLoaded: 'file_path memory_type load_reason',
    WorktreeCreate: 'name',
    WorktreeRemove: 'worktree_path',
    CwdChanged: 'old_cwd new_cwd',
    FileChanged: 'file_path event',
    DirectoryAdded: 'directory source',
    MessageDisplay: 'turn_id message_id index final delta',
  },
  words: {
    permission_mode: 'default acceptEdits plan dontAsk auto bypassPermissions',
    'SessionStart source': 'startup resume clear compact fork',
    'SessionEnd reason': 'clear resume logout prompt_input_exit other bypass_permissions_disabled',
    'Setup trigger': 'init maintenance',
    'PreCompact trigger': 'manual auto',
    'PostCompact trigger': 'manual auto',
    'UserPromptExpansion expansion_type': 'slash_command mcp_prompt',
    'Notification notification_type':
      'permission_prompt idle_prompt auth_success elicitation_dialog elicitation_url_dialog elicitation_complete ' +
      'elicitation_response agent_needs_input agent_completed worker_permission_prompt push_notification ' +
      'computer_use_enter computer_use_exit quota_auto_resume_fired quota_auto_resume_stale quota_auto_resume_disabled ' +
      'model_refusal_fallback auth_storage_failure plugin_notification',
    'StopFailure error':
      'authentication_failed oauth_org_not_allowed account_on_hold verification_required billing_error rate_limit ' +
      'overloaded invalid_request model_not_found server_error unknown max_output_tokens cloud_credential_error',
    'PreModelSwitch source': 'command picker sdk',
    'PostModelSwitch source': 'command picker sdk auto resume',
    'Elicitation mode': 'form url',
    'ElicitationResult mode': 'form url',
    'ElicitationResult action': 'accept decline cancel',
    'ConfigChange source': 'user_settings project_settings local_settings policy_settings skills',
    'InstructionsLoaded memory_type': 'User Project Local Managed',
    'InstructionsLoaded load_reason': 'session_start nested_traversal path_glob_match include compact',
    'FileChanged event': 'change add unlink',
    'DirectoryAdded source': 'slash_command register_repo_root',
  },
  open: [
    'tool_calls[].tool_input',
    'tool_calls[].tool_response',
    'requested_schema',
    'tool_response.usage',
    'tool_response.bashEditDiff',
    'tool_response.gitOperation',
    'tool_response.structuredContent',
    'workspace.repo',
  ],
  any: ['prompt_cache.recache_tokens_if_cold'],
  also: {
    PermissionRequest: 'permission_suggestions[].behavior permission_suggestions[].rules',
    Stop: 'background_tasks[].command',
    statusLine: 'workspace.git_worktree workspace.repo',
  },
  // From the program's own schema; most are rare.
  responses: {
    Bash:
      'rawOutputPath backgroundTaskId backgroundOutputPath backgroundedByUser backgroundedByTurnAbort ' +
      'backgroundedToDeliverMessage timedOutAfterMs subagentCapApplied backgroundCwdHint backgroundEndsWithFinalResponse ' +
      'backgroundWakesOwner dangerouslyDisableSandbox returnCodeInterpretation structuredContent persistedOutputPath ' +
      'persistedOutputSize stdoutHoldsOutputEnd tailInputPath tailInputNote memoryLimitNote triggeredNote ' +
      'staleReadFileStateHint ghRateLimitHint gitOperation bashEditDiff',
  },
  tools: {
    Agent:
      'description prompt subagent_type? model? resume? run_in_background? max_turns? name? team_name? mode? isolation?',
    Task: 'description prompt subagent_type model? resume? run_in_background?',
    AskUserQuestion: 'questions answers? annotations? metadata?',
    Bash: 'command description? timeout? run_in_background? dangerouslyDisableSandbox?',
    Edit: 'file_path old_string new_string replace_all?',
    ExitPlanMode: 'plan? allowedPrompts?',
    Glob: 'pattern path?',
    Grep: 'pattern path? glob? type? output_mode? -i? -n? -A? -B? -C? context? head_limit? offset? multiline?',
    Read: 'file_path offset? limit? pages?',
    Skill: 'skill args?',
    TodoWrite: 'todos',
    Write: 'file_path content',
  },
}

const GEMINI: Facts = {
  common: 'session_id transcript_path cwd hook_event_name timestamp',
  events: {
    SessionStart: 'source',
    SessionEnd: 'reason',
    BeforeAgent: 'prompt',
    AfterAgent: 'prompt prompt_response stop_hook_active',
    BeforeModel: 'llm_request',
    BeforeToolSelection: 'llm_request',
    AfterModel: 'llm_request llm_response',
    BeforeTool: 'tool_name tool_input',
    AfterTool: 'tool_name tool_input tool_response',
    PreCompress: 'trigger',
    Notification: 'notification_type message details',
  },
  words: {
    'SessionStart source': 'startup resume clear',
    'SessionEnd reason': 'exit clear logout prompt_input_exit other',
    'PreCompress trigger': 'auto manual',
    'Notification notification_type': 'ToolPermission',
    'Notification details.type': 'exec edit mcp info',
  },
  open: ['llm_request.config', 'llm_response.usageMetadata', 'tool_response.returnDisplay'],
  // For the screen: a text, a diff, a list, or terminal lines if a command took long.
  any: ['tool_response.returnDisplay'],
  tools: {
    read_file: 'file_path start_line? end_line? offset? limit?',
    write_file: 'file_path content ai_proposed_content? modified_by_user?',
    replace: 'file_path old_string new_string instruction? expected_replacements? allow_multiple?',
    run_shell_command: 'command description? directory? dir_path? is_background?',
  },
}

/** Events with a JSON Schema of Codex's own need nothing here. */
const CODEX: Facts = {
  common: 'session_id transcript_path cwd hook_event_name model turn_id',
  others: { 'agent-turn-complete': 'type thread-id turn-id cwd input-messages last-assistant-message' },
  events: { PostModelRequest: 'status error token_usage' },
  words: { 'PostModelRequest status': 'completed failed cancelled' },
  open: ['tool_response.content[]'],
  tools: { Bash: 'command description?', apply_patch: 'command description?' },
}

const PASCAL = 'hook_event_name session_id timestamp cwd'

const COPILOT: Facts = {
  common: 'sessionId timestamp cwd',
  others: {
    SessionStart: `${PASCAL} source`,
    SessionEnd: `${PASCAL} reason`,
    UserPromptSubmit: `${PASCAL} prompt`,
    PreToolUse: `${PASCAL} tool_name tool_input`,
    PostToolUse: `${PASCAL} tool_name tool_input tool_result`,
    PostToolUseFailure: `${PASCAL} tool_name tool_input error`,
    Stop: `${PASCAL} stop_reason stop_hook_active`,
  },
  events: {
    sessionStart: 'source',
    sessionEnd: 'reason',
    userPromptSubmitted: 'prompt',
    userPromptTransformed: 'prompt transformedPrompt',
    preToolUse: 'toolName toolArgs',
    permissionRequest: 'hookName toolName toolInput',
    postToolUse: 'toolName toolArgs toolResult',
    postToolUseFailure: 'toolName toolArgs error',
    errorOccurred: 'errorContext recoverable error',
    agentStop: 'stopReason stop_hook_active',
    subagentStart: 'agentName',
    subagentStop: 'agentName stopReason',
  },
  words: {
    'sessionStart source': 'new startup resume',
    'SessionStart source': 'new startup resume',
    'sessionEnd reason': 'complete error user_exit abort timeout',
    'SessionEnd reason': 'complete error user_exit abort timeout',
  },
  tools: { bash: 'command description? mode? sessionId? initial_wait?', view: 'path view_range?' },
}

/** Its bus events and hooks share one wrapper; the content follows from observation. */
const OPENCODE: Facts = {
  common: '',
  open: [
    'input.model',
    'input.provider',
    'input.message',
    'output.options',
    'output.headers',
    'output.env',
    'output.system',
    'output.messages',
    'output.parameters',
    'output.jsonSchema',
    'output.metadata',
    'output.message',
    'output.parts',
    'project',
    'properties.info.model',
    'properties.info.summary',
    'properties.info.permission',
    'properties.info.error',
    'properties.part.state',
    'properties.part.metadata',
    'properties.part.source',
    'properties.status',
    'properties.error',
    'properties.metadata',
  ],
  // For a person's message, what changed; for the model's, that it is the summary of a compaction.
  any: ['properties.info.summary'],
}

export const FACTS: Readonly<Record<string, Facts>> = {
  claude: CLAUDE,
  codex: CODEX,
  gemini: GEMINI,
  copilot: COPILOT,
  opencode: OPENCODE,
}
