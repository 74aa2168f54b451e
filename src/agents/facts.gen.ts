/** Made by "npm run docs" from the agents' records. Edit those. */
import type { CopiedFacts } from './facts.ts'

export const AGENT_NAMES = ["claude","codex","gemini","copilot","opencode","qwen","droid","kilo","pi"] as const

export const FACTS: readonly CopiedFacts[] = [
  {
    "id": "claude",
    "glyph": "✻",
    "env": [
      "AI_AGENT",
      "CLAUDECODE",
      "CLAUDE_CODE_CHILD_SESSION",
      "CLAUDE_CODE_ENTRYPOINT",
      "CLAUDE_CODE_SESSION_ATTENDED",
      "CLAUDE_CODE_SESSION_ID",
      "CLAUDE_CONFIG_DIR",
      "CLAUDE_EFFORT",
      "CLAUDE_PID",
      "CLAUDE_PROJECT_DIR"
    ],
    "lastingEnv": [
      "AI_AGENT",
      "CLAUDE_CODE_ENTRYPOINT"
    ],
    "projectVariable": "CLAUDE_PROJECT_DIR",
    "pidVariable": "CLAUDE_PID",
    "marks": [
      "CLAUDECODE",
      "CLAUDE_CODE_SESSION_ID"
    ],
    "tools": {
      "shell": [
        "Bash",
        "Monitor"
      ],
      "otherShell": [
        "PowerShell"
      ],
      "question": [
        "AskUserQuestion"
      ],
      "plan": [
        "EnterPlanMode",
        "ExitPlanMode"
      ],
      "subagent": [
        "Agent",
        "Task"
      ],
      "todos": [
        "TodoWrite"
      ],
      "read": [
        "Read",
        "NotebookRead"
      ],
      "write": [
        "Write"
      ],
      "edit": [
        "Edit",
        "MultiEdit",
        "NotebookEdit"
      ],
      "search": [
        "Grep",
        "Glob",
        "LS"
      ]
    },
    "ownFiles": [
      "CLAUDE.md",
      "CLAUDE.local.md"
    ],
    "deciders": [
      "SessionStart",
      "UserPromptSubmit",
      "UserPromptExpansion",
      "PreToolUse",
      "PermissionRequest",
      "Stop",
      "SubagentStart",
      "SubagentStop",
      "PreCompact",
      "PreModelSwitch",
      "TeammateIdle",
      "TaskCreated",
      "TaskCompleted",
      "Elicitation",
      "ElicitationResult",
      "ConfigChange"
    ]
  },
  {
    "id": "codex",
    "glyph": "⬡",
    "env": [
      "CODEX_HOME"
    ],
    "marks": [
      "CODEX_SANDBOX",
      "CODEX_SANDBOX_NETWORK_DISABLED",
      "CODEX_THREAD_ID"
    ],
    "tools": {
      "shell": [
        "shell",
        "exec_command",
        "local_shell",
        "shell_command"
      ],
      "typing": [
        "write_stdin"
      ],
      "asking": [
        "request_user_input"
      ],
      "subagent": [
        "spawn_agent"
      ],
      "read": [
        "view_image"
      ],
      "patch": [
        "apply_patch"
      ]
    },
    "ownFiles": [
      "AGENTS.md",
      "AGENTS.override.md"
    ],
    "askOnlyFields": [
      "description"
    ],
    "turnReport": "agent-turn-complete",
    "deciders": [
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PermissionRequest",
      "PreCompact",
      "SubagentStart",
      "SubagentStop",
      "Stop"
    ]
  },
  {
    "id": "gemini",
    "glyph": "✦",
    "env": [
      "GEMINI_CLI_HOME",
      "GEMINI_PROJECT_DIR",
      "GEMINI_SESSION_ID"
    ],
    "projectVariable": "GEMINI_PROJECT_DIR",
    "marks": [
      "GEMINI_CLI",
      "GEMINI_SESSION_ID"
    ],
    "tools": {
      "shell": [
        "run_shell_command"
      ],
      "question": [
        "ask_user"
      ],
      "plan": [
        "enter_plan_mode",
        "exit_plan_mode"
      ],
      "subagent": [
        "invoke_agent"
      ],
      "todos": [
        "write_todos"
      ],
      "read": [
        "read_file"
      ],
      "write": [
        "write_file"
      ],
      "edit": [
        "replace"
      ],
      "search": [
        "glob",
        "search_file_content",
        "grep_search",
        "list_directory"
      ]
    },
    "ownFiles": [
      "GEMINI.md"
    ],
    "asksBy": [
      "ToolPermission"
    ],
    "clearsContext": true,
    "deciders": [
      "SessionStart",
      "BeforeAgent",
      "AfterAgent",
      "BeforeModel",
      "BeforeToolSelection",
      "BeforeTool"
    ]
  },
  {
    "id": "copilot",
    "glyph": "◈",
    "env": [
      "COPILOT_CLI_BINARY_VERSION",
      "COPILOT_HOME",
      "COPILOT_PROJECT_DIR"
    ],
    "lastingEnv": [
      "COPILOT_CLI_BINARY_VERSION"
    ],
    "projectVariable": "COPILOT_PROJECT_DIR",
    "marks": [
      "COPILOT_CLI"
    ],
    "tools": {
      "shell": [
        "bash"
      ],
      "typing": [
        "write_bash"
      ],
      "question": [
        "ask_user"
      ],
      "subagent": [
        "task"
      ],
      "read": [
        "view",
        "str_replace_editor"
      ],
      "write": [
        "create"
      ],
      "edit": [
        "edit"
      ],
      "patch": [
        "apply_patch"
      ],
      "search": [
        "grep",
        "glob"
      ]
    },
    "ownFiles": [
      "AGENTS.md",
      "CLAUDE.md",
      "GEMINI.md"
    ],
    "deciders": [
      "sessionStart",
      "userPromptSubmitted",
      "preToolUse",
      "permissionRequest",
      "agentStop",
      "subagentStart",
      "subagentStop"
    ]
  },
  {
    "id": "opencode",
    "glyph": "▣",
    "env": [
      "OPENCODE_VERSION"
    ],
    "lastingEnv": [
      "OPENCODE_VERSION"
    ],
    "inProcess": true,
    "marks": [
      "OPENCODE"
    ],
    "tools": {
      "shell": [
        "bash"
      ],
      "subagent": [
        "task"
      ],
      "todos": [
        "todowrite"
      ],
      "read": [
        "read"
      ],
      "write": [
        "write"
      ],
      "edit": [
        "edit"
      ],
      "patch": [
        "patch",
        "apply_patch"
      ],
      "search": [
        "grep",
        "glob",
        "list"
      ]
    },
    "ownFiles": [
      "AGENTS.md",
      "CLAUDE.md"
    ],
    "deciders": [
      "tool.execute.before"
    ]
  },
  {
    "id": "qwen",
    "glyph": "❖",
    "env": [
      "QWEN_CODE_SESSION_ID",
      "QWEN_CODE_STARTUP_VERSION",
      "QWEN_PROJECT_DIR"
    ],
    "lastingEnv": [
      "QWEN_CODE_STARTUP_VERSION"
    ],
    "projectVariable": "QWEN_PROJECT_DIR",
    "marks": [
      "QWEN_CODE_SESSION_ID"
    ],
    "tools": {
      "subagent": [
        "agent"
      ],
      "edit": [
        "notebook_edit"
      ],
      "question": [
        "ask_user_question"
      ]
    },
    "ownFiles": [
      "QWEN.md",
      "AGENTS.md"
    ],
    "deciders": [
      "SubagentStart",
      "PreCompact",
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PermissionRequest",
      "Stop",
      "SubagentStop"
    ]
  },
  {
    "id": "droid",
    "glyph": "⬢",
    "env": [
      "FACTORY_PROJECT_DIR"
    ],
    "projectVariable": "FACTORY_PROJECT_DIR",
    "marks": [
      "FACTORY_EXEC_TARGET_AUTONOMY"
    ],
    "tools": {
      "shell": [
        "Execute"
      ],
      "write": [
        "Create"
      ],
      "subagent": [
        "Task"
      ],
      "plan": [
        "ExitSpecMode"
      ]
    },
    "ownFiles": [
      "AGENTS.md"
    ],
    "deciders": [
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "Stop",
      "SubagentStop",
      "PreCompact"
    ]
  },
  {
    "id": "kilo",
    "glyph": "◫",
    "env": [
      "OPENCODE_VERSION"
    ],
    "lastingEnv": [
      "OPENCODE_VERSION"
    ],
    "inProcess": true,
    "marks": [
      "KILO"
    ],
    "tools": {
      "shell": [
        "bash"
      ],
      "subagent": [
        "task"
      ],
      "todos": [
        "todowrite"
      ],
      "read": [
        "read"
      ],
      "write": [
        "write"
      ],
      "edit": [
        "edit"
      ],
      "patch": [
        "patch",
        "apply_patch"
      ],
      "search": [
        "grep",
        "glob",
        "list"
      ]
    },
    "ownFiles": [
      "AGENTS.md",
      "CLAUDE.md"
    ],
    "deciders": [
      "tool.execute.before"
    ]
  },
  {
    "id": "pi",
    "glyph": "π",
    "env": [],
    "marks": [
      "PI_CODING_AGENT"
    ],
    "tools": {
      "search": [
        "find",
        "ls"
      ]
    },
    "ownFiles": [
      "AGENTS.md",
      "CLAUDE.md"
    ],
    "deciders": [
      "PreCompact",
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "Stop"
    ]
  }
]
