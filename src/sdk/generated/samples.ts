/** Recorded payloads, one for each agent and type, for the test kit. Made by "npm run sdk:types". */

export interface Sample {
  readonly native: string
  readonly payload: Readonly<Record<string, unknown>>
}

export const SAMPLES: Readonly<Record<string, Readonly<Record<string, Sample>>>> = {
  "claude": {
    "SessionStart": {
      "native": "SessionStart",
      "payload": {
        "session_id": "04f9dbef-0d5b-4945-9b41-c5c395551f9f",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-acme/04f9dbef-0d5b-4945-9b41-c5c395551f9f.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "SessionStart",
        "source": "startup"
      }
    },
    "UserPromptSubmit": {
      "native": "UserPromptSubmit",
      "payload": {
        "session_id": "d4637c3c-8e7d-4e48-9062-4bcb317e5bc9",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-acme/d4637c3c-8e7d-4e48-9062-4bcb317e5bc9.jsonl",
        "cwd": "/home/dev/acme",
        "prompt_id": "7aa34364-002c-4072-931a-81df1efd4d15",
        "permission_mode": "default",
        "hook_event_name": "UserPromptSubmit",
        "prompt": "go [[s:m]]"
      }
    },
    "PreToolUse": {
      "native": "PreToolUse",
      "payload": {
        "session_id": "8411881e-1736-4f81-9418-7d0cb5f232e5",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-acme/8411881e-1736-4f81-9418-7d0cb5f232e5.jsonl",
        "cwd": "/home/dev/acme",
        "prompt_id": "e565f29e-b4e1-4590-8b7a-742591303cf1",
        "permission_mode": "acceptEdits",
        "effort": {
          "level": "medium"
        },
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {
          "command": "pwd",
          "description": "x"
        },
        "tool_use_id": "toolu_01wpyi8ihehcrnng4o43ib"
      }
    },
    "PostToolUse": {
      "native": "PostToolUse",
      "payload": {
        "session_id": "5e1c12e2-65df-4279-a262-56d35052c7fe",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-acme/5e1c12e2-65df-4279-a262-56d35052c7fe.jsonl",
        "cwd": "/home/dev/acme",
        "prompt_id": "6142faff-e277-443f-985e-15681fba9c66",
        "permission_mode": "acceptEdits",
        "effort": {
          "level": "medium"
        },
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {
          "command": "echo 1",
          "description": "x"
        },
        "tool_response": {
          "stdout": "1",
          "stderr": "",
          "interrupted": false,
          "isImage": false,
          "noOutputExpected": false
        },
        "tool_use_id": "toolu_010d9n875z8l37ex3p3c4b4",
        "duration_ms": 36
      }
    },
    "PostToolUseFailure": {
      "native": "PostToolUseFailure",
      "payload": {
        "session_id": "43ea06d1-56a9-414d-8bfc-fbee261235a7",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-acme/43ea06d1-56a9-414d-8bfc-fbee261235a7.jsonl",
        "cwd": "/home/dev/acme",
        "prompt_id": "03169e81-1ff5-41da-a5e4-7ac0732c9bba",
        "permission_mode": "acceptEdits",
        "effort": {
          "level": "medium"
        },
        "hook_event_name": "PostToolUseFailure",
        "tool_name": "Bash",
        "tool_input": {
          "command": "false",
          "description": "x"
        },
        "tool_use_id": "toolu_01a0qx9crpsraflewyvfc89",
        "error": "Exit code 1",
        "is_interrupt": false,
        "duration_ms": 57
      }
    },
    "PermissionRequest": {
      "native": "PermissionRequest",
      "payload": {
        "session_id": "d4637c3c-8e7d-4e48-9062-4bcb317e5bc9",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-acme/d4637c3c-8e7d-4e48-9062-4bcb317e5bc9.jsonl",
        "cwd": "/home/dev/acme",
        "prompt_id": "7aa34364-002c-4072-931a-81df1efd4d15",
        "permission_mode": "default",
        "effort": {
          "level": "medium"
        },
        "hook_event_name": "PermissionRequest",
        "tool_name": "Bash",
        "tool_input": {
          "command": "touch ran1; echo ran",
          "description": "x"
        },
        "permission_suggestions": [
          {
            "type": "addDirectories",
            "directories": [
              "/home/dev/acme"
            ],
            "destination": "session"
          },
          {
            "type": "setMode",
            "mode": "acceptEdits",
            "destination": "session"
          }
        ]
      }
    },
    "Notification": {
      "native": "Notification",
      "payload": {
        "session_id": "589a402f-99e5-43f3-9f2e-53925533025f",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-acme/589a402f-99e5-43f3-9f2e-53925533025f.jsonl",
        "cwd": "/home/dev/acme",
        "prompt_id": "26b557d2-924a-4d05-8db6-6ffa4afd885b",
        "hook_event_name": "Notification",
        "message": "Claude is waiting for your input",
        "notification_type": "idle_prompt"
      }
    },
    "SubagentStart": {
      "native": "SubagentStart",
      "payload": {
        "session_id": "00be1536-8336-475b-95ea-c7ea2e2258d8",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-acme/00be1536-8336-475b-95ea-c7ea2e2258d8.jsonl",
        "cwd": "/home/dev/acme",
        "prompt_id": "b8a77f4b-d211-49ff-bab4-3c766c1067e5",
        "agent_id": "a912adfcc721cf472",
        "agent_type": "reviewer",
        "hook_event_name": "SubagentStart"
      }
    },
    "SubagentStop": {
      "native": "SubagentStop",
      "payload": {
        "session_id": "00be1536-8336-475b-95ea-c7ea2e2258d8",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-acme/00be1536-8336-475b-95ea-c7ea2e2258d8.jsonl",
        "cwd": "/home/dev/acme",
        "prompt_id": "b8a77f4b-d211-49ff-bab4-3c766c1067e5",
        "permission_mode": "acceptEdits",
        "agent_id": "a912adfcc721cf472",
        "agent_type": "reviewer",
        "effort": {
          "level": "medium"
        },
        "hook_event_name": "SubagentStop",
        "stop_hook_active": false,
        "agent_transcript_path": "/home/dev/.claude/projects/-home-dev-acme/00be1536-8336-475b-95ea-c7ea2e2258d8/subagents/agent-a912adfcc721cf472.jsonl",
        "last_assistant_message": "looks good",
        "background_tasks": [],
        "session_crons": []
      }
    },
    "PreCompact": {
      "native": "PreCompact",
      "payload": {
        "session_id": "5e1c12e2-65df-4279-a262-56d35052c7fe",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-acme/5e1c12e2-65df-4279-a262-56d35052c7fe.jsonl",
        "cwd": "/home/dev/acme",
        "prompt_id": "6142faff-e277-443f-985e-15681fba9c66",
        "hook_event_name": "PreCompact",
        "trigger": "auto",
        "custom_instructions": null
      }
    },
    "Stop": {
      "native": "Stop",
      "payload": {
        "session_id": "d4637c3c-8e7d-4e48-9062-4bcb317e5bc9",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-acme/d4637c3c-8e7d-4e48-9062-4bcb317e5bc9.jsonl",
        "cwd": "/home/dev/acme",
        "prompt_id": "7aa34364-002c-4072-931a-81df1efd4d15",
        "permission_mode": "default",
        "effort": {
          "level": "medium"
        },
        "hook_event_name": "Stop",
        "stop_hook_active": false,
        "last_assistant_message": "ok",
        "background_tasks": [],
        "session_crons": []
      }
    },
    "SessionEnd": {
      "native": "SessionEnd",
      "payload": {
        "session_id": "64a776c5-f947-4514-b2f1-0ee2ff1d4c48",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-acme/64a776c5-f947-4514-b2f1-0ee2ff1d4c48.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "SessionEnd",
        "reason": "other"
      }
    }
  },
  "codex": {
    "SessionStart": {
      "native": "SessionStart",
      "payload": {
        "session_id": "01a1dd23-6c1f-7633-b0fc-0f94b0e2c81f",
        "transcript_path": null,
        "cwd": "/home/dev/acme",
        "hook_event_name": "SessionStart",
        "model": "mock-model",
        "permission_mode": "bypassPermissions",
        "source": "startup"
      }
    },
    "UserPromptSubmit": {
      "native": "UserPromptSubmit",
      "payload": {
        "session_id": "01a1dd23-6c1f-7633-b0fc-0f94b0e2c81f",
        "turn_id": "01a1dd23-6c79-7203-8339-08f1fb0a6155",
        "transcript_path": null,
        "cwd": "/home/dev/acme",
        "hook_event_name": "UserPromptSubmit",
        "model": "mock-model",
        "permission_mode": "bypassPermissions",
        "prompt": "go now"
      }
    },
    "PreToolUse": {
      "native": "PreToolUse",
      "payload": {
        "session_id": "01a1dd23-6c1f-7633-b0fc-0f94b0e2c81f",
        "turn_id": "01a1dd23-6c79-7203-8339-08f1fb0a6155",
        "transcript_path": null,
        "cwd": "/home/dev/acme",
        "hook_event_name": "PreToolUse",
        "model": "mock-model",
        "permission_mode": "bypassPermissions",
        "tool_name": "Bash",
        "tool_input": {
          "command": "touch DENIED_RAN; echo ran"
        },
        "tool_use_id": "call_1_0"
      }
    },
    "PostToolUse": {
      "native": "PostToolUse",
      "payload": {
        "session_id": "01a1dd23-6c1f-7633-b0fc-0f94b0e2c81f",
        "turn_id": "01a1dd23-6c79-7203-8339-08f1fb0a6155",
        "transcript_path": null,
        "cwd": "/home/dev/acme",
        "hook_event_name": "PostToolUse",
        "model": "mock-model",
        "permission_mode": "bypassPermissions",
        "tool_name": "Bash",
        "tool_input": {
          "command": "touch DENIED_RAN; echo ran"
        },
        "tool_response": "ran\n",
        "tool_use_id": "call_1_0"
      }
    },
    "PermissionRequest": {
      "native": "PermissionRequest",
      "payload": {
        "session_id": "01a1dd17-5e3a-7f31-b7d7-68c50f3300aa",
        "turn_id": "01a1dd17-6c02-7081-9c5e-f78fe058719d",
        "transcript_path": "/home/dev/.codex/sessions/2026/11/15/rollout-2026-11-15T02-44-18-01a1dd17-5e3a-7f31-b7d7-68c50f3300aa.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "PermissionRequest",
        "model": "mock-model",
        "permission_mode": "default",
        "tool_name": "Bash",
        "tool_input": {
          "command": "touch ASKED",
          "description": "need it"
        }
      }
    },
    "SubagentStart": {
      "native": "SubagentStart",
      "payload": {
        "session_id": "01a1dd24-31c5-7283-9541-c4111c9c3e0c",
        "turn_id": "01a1dd24-34cd-7af2-a9a7-ded96d86056c",
        "transcript_path": "/home/dev/.codex/sessions/2026/11/15/rollout-2026-11-15T02-58-19-01a1dd24-34ae-74e3-8a77-729cbc4e31bd.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "SubagentStart",
        "model": "mock-model",
        "permission_mode": "bypassPermissions",
        "agent_id": "01a1dd24-34ae-74e3-8a77-729cbc4e31bd",
        "agent_type": "default"
      }
    },
    "SubagentStop": {
      "native": "SubagentStop",
      "payload": {
        "session_id": "01a1dd24-31c5-7283-9541-c4111c9c3e0c",
        "turn_id": "01a1dd24-34cd-7af2-a9a7-ded96d86056c",
        "transcript_path": "/home/dev/.codex/sessions/2026/11/15/rollout-2026-11-15T02-58-19-01a1dd24-31c5-7283-9541-c4111c9c3e0c.jsonl",
        "agent_transcript_path": "/home/dev/.codex/sessions/2026/11/15/rollout-2026-11-15T02-58-19-01a1dd24-34ae-74e3-8a77-729cbc4e31bd.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "SubagentStop",
        "model": "mock-model",
        "permission_mode": "bypassPermissions",
        "stop_hook_active": true,
        "agent_id": "01a1dd24-34ae-74e3-8a77-729cbc4e31bd",
        "agent_type": "default",
        "last_assistant_message": "SUB-TWO"
      }
    },
    "PreCompact": {
      "native": "PreCompact",
      "payload": {
        "session_id": "01a1dd23-c09e-7b61-b870-fbcb57ab2d92",
        "turn_id": "01a1dd23-c0f8-7662-a1d1-3a438f2c8765",
        "transcript_path": "/home/dev/.codex/sessions/2026/11/15/rollout-2026-11-15T02-57-50-01a1dd23-c09e-7b61-b870-fbcb57ab2d92.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "PreCompact",
        "model": "mock-model",
        "trigger": "auto"
      }
    },
    "Stop": {
      "native": "Stop",
      "payload": {
        "session_id": "01a1dd23-6c1f-7633-b0fc-0f94b0e2c81f",
        "turn_id": "01a1dd23-6c79-7203-8339-08f1fb0a6155",
        "transcript_path": null,
        "cwd": "/home/dev/acme",
        "hook_event_name": "Stop",
        "model": "mock-model",
        "permission_mode": "bypassPermissions",
        "stop_hook_active": false,
        "last_assistant_message": "Finished."
      }
    },
    "SessionEnd": {
      "native": "SessionEnd",
      "payload": {
        "session_id": "01a1dd23-6c1f-7633-b0fc-0f94b0e2c81f",
        "transcript_path": null,
        "cwd": "/home/dev/acme",
        "hook_event_name": "SessionEnd",
        "reason": "other"
      }
    }
  },
  "gemini": {
    "SessionStart": {
      "native": "SessionStart",
      "payload": {
        "session_id": "661e03a9-73a6-41e1-84f9-cbb7328082a1",
        "transcript_path": "/home/dev/.gemini/tmp/project/chats/session-2026-11-15T02-57-661e03a9.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "SessionStart",
        "timestamp": "2026-11-15T02:57:02.797Z",
        "source": "startup"
      }
    },
    "UserPromptSubmit": {
      "native": "BeforeAgent",
      "payload": {
        "session_id": "661e03a9-73a6-41e1-84f9-cbb7328082a1",
        "transcript_path": "/home/dev/.gemini/tmp/project/chats/session-2026-11-15T02-57-661e03a9.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "BeforeAgent",
        "timestamp": "2026-11-15T02:57:02.919Z",
        "prompt": "go"
      }
    },
    "PreToolUse": {
      "native": "BeforeTool",
      "payload": {
        "session_id": "e9464cab-2e68-4d23-b489-0d375fb3def2",
        "transcript_path": "/home/dev/.gemini/tmp/project/chats/session-2026-11-15T02-56-e9464cab.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "BeforeTool",
        "timestamp": "2026-11-15T02:56:54.177Z",
        "tool_name": "run_shell_command",
        "tool_input": {
          "command": "echo original",
          "description": "d"
        }
      }
    },
    "PostToolUse": {
      "native": "AfterTool",
      "payload": {
        "session_id": "e9464cab-2e68-4d23-b489-0d375fb3def2",
        "transcript_path": "/home/dev/.gemini/tmp/project/chats/session-2026-11-15T02-56-e9464cab.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "AfterTool",
        "timestamp": "2026-11-15T02:56:54.317Z",
        "tool_name": "run_shell_command",
        "tool_input": {
          "command": "echo REWRITTEN",
          "description": "x"
        },
        "tool_response": {
          "llmContent": "<untrusted_context>\nOutput: REWRITTEN\nProcess Group PGID: 14349\n</untrusted_context>",
          "returnDisplay": "REWRITTEN"
        }
      }
    },
    "PostToolUseFailure": {
      "native": "AfterTool",
      "payload": {
        "session_id": "c5d12773-5f7b-433b-b4ac-74a31b06ddff",
        "transcript_path": "/home/dev/.gemini/tmp/project/chats/session-2026-11-15T02-42-c5d12773.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "AfterTool",
        "timestamp": "2026-11-15T02:42:27.700Z",
        "tool_name": "read_file",
        "tool_input": {
          "file_path": "does-not-exist.txt"
        },
        "tool_response": {
          "llmContent": "Could not read file because no file was found at the specified path.",
          "returnDisplay": "File not found.",
          "error": {
            "message": "File not found: /home/dev/acme/does-not-exist.txt",
            "type": "file_not_found"
          }
        }
      }
    },
    "Notification": {
      "native": "Notification",
      "payload": {
        "session_id": "225d4ce5-9db8-4760-a2ad-4ea40da38462",
        "transcript_path": "/home/dev/.gemini/tmp/project/chats/session-2026-11-15T02-56-225d4ce5.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "Notification",
        "timestamp": "2026-11-15T02:56:45.655Z",
        "notification_type": "ToolPermission",
        "message": "Tool Confirm Shell Command requires execution",
        "details": {
          "type": "exec",
          "title": "Confirm Shell Command",
          "command": "touch DENIED_RAN",
          "rootCommand": "touch"
        }
      }
    },
    "PreCompact": {
      "native": "PreCompress",
      "payload": {
        "session_id": "661e03a9-73a6-41e1-84f9-cbb7328082a1",
        "transcript_path": "/home/dev/.gemini/tmp/project/chats/session-2026-11-15T02-57-661e03a9.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "PreCompress",
        "timestamp": "2026-11-15T02:57:03.008Z",
        "trigger": "auto"
      }
    },
    "Stop": {
      "native": "AfterAgent",
      "payload": {
        "session_id": "661e03a9-73a6-41e1-84f9-cbb7328082a1",
        "transcript_path": "/home/dev/.gemini/tmp/project/chats/session-2026-11-15T02-57-661e03a9.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "AfterAgent",
        "timestamp": "2026-11-15T02:57:04.046Z",
        "prompt": "go",
        "prompt_response": "Finished.",
        "stop_hook_active": false
      }
    },
    "SessionEnd": {
      "native": "SessionEnd",
      "payload": {
        "session_id": "661e03a9-73a6-41e1-84f9-cbb7328082a1",
        "transcript_path": "/home/dev/.gemini/tmp/project/chats/session-2026-11-15T02-57-661e03a9.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "SessionEnd",
        "timestamp": "2026-11-15T02:57:04.127Z",
        "reason": "exit"
      }
    }
  },
  "copilot": {
    "SessionStart": {
      "native": "sessionStart",
      "payload": {
        "sessionId": "df2c6655-11de-483a-a8a2-cca0c9e12a8f",
        "timestamp": 1794710112892,
        "cwd": "/home/dev/acme",
        "source": "new",
        "initialPrompt": "go now"
      }
    },
    "UserPromptSubmit": {
      "native": "userPromptSubmitted",
      "payload": {
        "sessionId": "df2c6655-11de-483a-a8a2-cca0c9e12a8f",
        "timestamp": 1794710113124,
        "cwd": "/home/dev/acme",
        "prompt": "go now"
      }
    },
    "PreToolUse": {
      "native": "preToolUse",
      "payload": {
        "sessionId": "042442f4-c95d-48af-af5a-6431bdee98c9",
        "timestamp": 1794710071857,
        "cwd": "/home/dev/acme",
        "toolName": "bash",
        "toolArgs": {
          "command": "exit 3",
          "description": "d"
        }
      }
    },
    "PostToolUse": {
      "native": "postToolUse",
      "payload": {
        "sessionId": "042442f4-c95d-48af-af5a-6431bdee98c9",
        "timestamp": 1794710072016,
        "cwd": "/home/dev/acme",
        "toolName": "bash",
        "toolArgs": {
          "command": "exit 3",
          "description": "d"
        },
        "toolResult": {
          "resultType": "success",
          "textResultForLlm": "\n<shellId: 1 completed with exit code 3>"
        }
      }
    },
    "PostToolUseFailure": {
      "native": "postToolUseFailure",
      "payload": {
        "sessionId": "042442f4-c95d-48af-af5a-6431bdee98c9",
        "timestamp": 1794710071749,
        "cwd": "/home/dev/acme",
        "toolName": "view",
        "toolArgs": {
          "path": "/home/dev/acme/missing.txt"
        },
        "error": "Path does not exist"
      }
    },
    "PermissionRequest": {
      "native": "permissionRequest",
      "payload": {
        "hookName": "permissionRequest",
        "sessionId": "042442f4-c95d-48af-af5a-6431bdee98c9",
        "timestamp": 1794710071943,
        "cwd": "/home/dev/acme",
        "toolName": "bash",
        "toolInput": {
          "command": "exit 3"
        },
        "permissionSuggestions": []
      }
    },
    "SubagentStart": {
      "native": "subagentStart",
      "payload": {
        "sessionId": "df2c6655-11de-483a-a8a2-cca0c9e12a8f",
        "timestamp": 1794710113535,
        "cwd": "/home/dev/acme",
        "transcriptPath": "/home/dev/.copilot/session-state/df2c6655-11de-483a-a8a2-cca0c9e12a8f/events.jsonl",
        "agentName": "general-purpose",
        "agentId": "ee766f65-36b3-4617-bebc-9be217dfc47d",
        "agentType": "general-purpose",
        "parentAgentId": "df2c6655-11de-483a-a8a2-cca0c9e12a8f"
      }
    },
    "SubagentStop": {
      "native": "subagentStop",
      "payload": {
        "sessionId": "df2c6655-11de-483a-a8a2-cca0c9e12a8f",
        "timestamp": 1794710114400,
        "cwd": "/home/dev/acme",
        "transcriptPath": "/home/dev/.copilot/session-state/df2c6655-11de-483a-a8a2-cca0c9e12a8f/events.jsonl",
        "agentId": "ee766f65-36b3-4617-bebc-9be217dfc47d",
        "agentType": "general-purpose",
        "agentName": "general-purpose",
        "response": "SUB DONE",
        "stopReason": "end_turn",
        "stop_hook_active": false,
        "parentAgentId": "df2c6655-11de-483a-a8a2-cca0c9e12a8f"
      }
    },
    "Stop": {
      "native": "agentStop",
      "payload": {
        "sessionId": "df2c6655-11de-483a-a8a2-cca0c9e12a8f",
        "timestamp": 1794710114776,
        "cwd": "/home/dev/acme",
        "transcriptPath": "/home/dev/.copilot/session-state/df2c6655-11de-483a-a8a2-cca0c9e12a8f/events.jsonl",
        "stopReason": "end_turn",
        "stop_hook_active": false
      }
    },
    "SessionEnd": {
      "native": "sessionEnd",
      "payload": {
        "sessionId": "eef044e6-84e0-4bfd-9f6e-8de3a5b42491",
        "timestamp": 1794710117964,
        "cwd": "/home/dev/acme",
        "reason": "error"
      }
    }
  },
  "opencode": {
    "SessionStart": {
      "native": "session.created",
      "payload": {
        "id": "evt_1e08d0602001GziJwrQ1LW4dNs",
        "type": "session.created",
        "properties": {
          "sessionID": "ses_e1f72f9ffffeSv9n1ZP0CGOtxf",
          "info": {
            "id": "ses_e1f72f9ffffeSv9n1ZP0CGOtxf",
            "slug": "shiny-engine",
            "version": "1.18.33",
            "projectID": "global",
            "directory": "/home/dev/acme",
            "path": "home/dev/acme",
            "title": "New session - 2026-11-15T18:51:40.928Z",
            "agent": "build",
            "model": {
              "id": "mock-model",
              "providerID": "mock"
            },
            "cost": 0,
            "tokens": {
              "input": 0,
              "output": 0,
              "reasoning": 0,
              "cache": {
                "read": 0,
                "write": 0
              }
            },
            "time": {
              "created": 1794768700928,
              "updated": 1794768700928
            }
          }
        },
        "prompted": true
      }
    },
    "UserPromptSubmit": {
      "native": "chat.message",
      "payload": {
        "input": {
          "sessionID": "ses_e22ec2c1affeipA5NqLLtqpphq"
        },
        "output": {
          "message": {
            "id": "msg_1dd13d6c7001BBr7runhGWWror",
            "role": "user",
            "sessionID": "ses_e22ec2c1affeipA5NqLLtqpphq",
            "time": {
              "created": 1794710427335
            },
            "agent": "build",
            "model": {
              "providerID": "mock",
              "modelID": "mock-model"
            }
          },
          "parts": [
            {
              "type": "text",
              "text": "\"go now\"",
              "messageID": "msg_1dd13d6c7001BBr7runhGWWror",
              "sessionID": "ses_e22ec2c1affeipA5NqLLtqpphq",
              "id": "prt_1dd13d718001qA1SDi6U8QnSeA"
            }
          ]
        }
      }
    },
    "PreToolUse": {
      "native": "tool.execute.before",
      "payload": {
        "input": {
          "tool": "bash",
          "sessionID": "ses_e22ebbf3effeWcDtjtdn3sdMIL",
          "callID": "call_3_0"
        },
        "output": {
          "args": {
            "command": "echo in-sub",
            "description": "d"
          }
        }
      }
    },
    "PostToolUse": {
      "native": "tool.execute.after",
      "payload": {
        "input": {
          "tool": "bash",
          "sessionID": "ses_e22ebbf3effeWcDtjtdn3sdMIL",
          "callID": "call_3_0",
          "args": {
            "command": "echo in-sub",
            "description": "d"
          }
        },
        "output": {
          "title": "echo in-sub",
          "metadata": {
            "output": "in-sub\n",
            "exit": 0,
            "truncated": false
          },
          "output": "in-sub\n"
        }
      }
    },
    "PostToolUseFailure": {
      "native": "message.part.updated",
      "payload": {
        "id": "evt_1dd117c540013u7K3lzMvn55MM",
        "type": "message.part.updated",
        "properties": {
          "sessionID": "ses_e22ee9a2cffeFN3ReZ6wFUoHss",
          "part": {
            "type": "tool",
            "tool": "bash",
            "callID": "call_2_0",
            "state": {
              "status": "error",
              "input": {
                "command": "touch DENIED_RAN",
                "description": "d"
              },
              "error": "policy says no",
              "time": {
                "start": 1794710273097,
                "end": 1794710273106
              }
            },
            "id": "prt_1dd117c34001jb8W7A8XCpcmUR",
            "sessionID": "ses_e22ee9a2cffeFN3ReZ6wFUoHss",
            "messageID": "msg_1dd116eac001Xr6RZ60ahse2DU"
          },
          "time": 1794710273108
        }
      }
    },
    "PermissionRequest": {
      "native": "permission.asked",
      "payload": {
        "id": "evt_1dd143b3d0014iGQiPwuP87dHu",
        "type": "permission.asked",
        "properties": {
          "id": "per_1dd143b3c001J6wgPQEpVYRBw0",
          "sessionID": "ses_e22ec2d3cffegjQwaPoCxfGE7Y",
          "permission": "bash",
          "patterns": [
            "touch DENIED_RAN"
          ],
          "metadata": {
            "command": "touch DENIED_RAN"
          },
          "always": [
            "touch *"
          ],
          "tool": {
            "messageID": "msg_1dd13f52d001e0fUe5zci5Btxr",
            "callID": "call_2_0"
          }
        }
      }
    },
    "Notification": {
      "native": "question.asked",
      "payload": {
        "id": "evt_1e08dc53d002hvLWq9un1QYaE9",
        "type": "question.asked",
        "properties": {
          "id": "que_1e08dc53d001O7m1Wwjb3Zt7Ue",
          "sessionID": "ses_e1f72f9ffffeSv9n1ZP0CGOtxf",
          "questions": [
            {
              "question": "Which one?",
              "header": "Choice",
              "options": [
                {
                  "label": "left",
                  "description": "l"
                },
                {
                  "label": "right",
                  "description": "r"
                }
              ]
            }
          ],
          "tool": {
            "messageID": "msg_1e08dc0b4001gvUjnWHCz0p4yX",
            "callID": "toolu_01000000000014"
          }
        }
      }
    },
    "SubagentStart": {
      "native": "session.created",
      "payload": {
        "id": "evt_1e08dd50b001dzB175HiAwP3yu",
        "type": "session.created",
        "properties": {
          "sessionID": "ses_e1f722af5ffeHPmnQqVSHtygqY",
          "info": {
            "id": "ses_e1f722af5ffeHPmnQqVSHtygqY",
            "slug": "tidy-orchid",
            "version": "1.18.33",
            "projectID": "global",
            "directory": "/home/dev/acme",
            "path": "home/dev/acme",
            "parentID": "ses_e1f72f9ffffeSv9n1ZP0CGOtxf",
            "title": "a job (@general subagent)",
            "agent": "general",
            "permission": [
              {
                "permission": "task",
                "pattern": "*",
                "action": "deny"
              }
            ],
            "cost": 0,
            "tokens": {
              "input": 0,
              "output": 0,
              "reasoning": 0,
              "cache": {
                "read": 0,
                "write": 0
              }
            },
            "time": {
              "created": 1794768753930,
              "updated": 1794768753930
            }
          }
        },
        "parentID": "ses_e1f72f9ffffeSv9n1ZP0CGOtxf",
        "agentType": "general"
      }
    },
    "SubagentStop": {
      "native": "session.idle",
      "payload": {
        "id": "evt_1e08de2d9002NxLLAVyUVADFkx",
        "type": "session.idle",
        "properties": {
          "sessionID": "ses_e1f722af5ffeHPmnQqVSHtygqY"
        },
        "parentID": "ses_e1f72f9ffffeSv9n1ZP0CGOtxf",
        "agentType": "general"
      }
    },
    "PreCompact": {
      "native": "experimental.session.compacting",
      "payload": {
        "input": {
          "sessionID": "ses_e1f72f9ffffeSv9n1ZP0CGOtxf"
        },
        "output": {
          "context": []
        },
        "cwd": "/home/dev/acme"
      }
    },
    "Stop": {
      "native": "session.idle",
      "payload": {
        "id": "evt_1e08d3308001gfWpZEowzd0f5O",
        "type": "session.idle",
        "properties": {
          "sessionID": "ses_e1f72f9ffffeSv9n1ZP0CGOtxf"
        }
      }
    },
    "SessionEnd": {
      "native": "dispose",
      "payload": {
        "sessionID": "ses_e1f72f9ffffeSv9n1ZP0CGOtxf"
      }
    }
  },
  "qwen": {
    "SessionStart": {
      "native": "SessionStart",
      "payload": {
        "session_id": "54aa09dd-8d92-40c7-8bf9-0a133883d2e4",
        "transcript_path": "/home/dev/.qwen/projects/-home-dev-acme/chats/54aa09dd-8d92-40c7-8bf9-0a133883d2e4.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "SessionStart",
        "timestamp": "2026-11-17T02:40:02.142Z",
        "permission_mode": "yolo",
        "source": "startup",
        "model": "mock-model"
      }
    },
    "UserPromptSubmit": {
      "native": "UserPromptSubmit",
      "payload": {
        "session_id": "d67e2477-24b9-4907-87e6-eecdf84126b5",
        "transcript_path": "/home/dev/.qwen/projects/-home-dev-acme/chats/d67e2477-24b9-4907-87e6-eecdf84126b5.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "UserPromptSubmit",
        "timestamp": "2026-11-17T02:39:47.577Z",
        "permission_mode": "yolo",
        "prompt_id": "d67e2477-24b9-4907-87e6-eecdf84126b5########0",
        "prompt": "gantry blocks this"
      }
    },
    "PreToolUse": {
      "native": "PreToolUse",
      "payload": {
        "session_id": "19576675-28d0-4f45-ae56-01043db61792",
        "transcript_path": "/home/dev/.qwen/projects/-home-dev-acme/chats/19576675-28d0-4f45-ae56-01043db61792.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "PreToolUse",
        "timestamp": "2026-11-17T02:42:06.775Z",
        "permission_mode": "default",
        "tool_name": "run_shell_command",
        "tool_input": {
          "command": "touch ran",
          "is_background": false
        },
        "tool_use_id": "toolu_1794883326766_zcact00dq",
        "tool_call_id": "toolu_01000000000001"
      }
    },
    "PostToolUse": {
      "native": "PostToolUse",
      "payload": {
        "session_id": "19576675-28d0-4f45-ae56-01043db61792",
        "transcript_path": "/home/dev/.qwen/projects/-home-dev-acme/chats/19576675-28d0-4f45-ae56-01043db61792.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "PostToolUse",
        "timestamp": "2026-11-17T02:42:08.337Z",
        "permission_mode": "default",
        "tool_name": "run_shell_command",
        "tool_input": {
          "command": "touch ran",
          "is_background": false
        },
        "tool_response": {
          "llmContent": "Command: touch ran\nDirectory: (root)\nOutput: (empty)\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: 114",
          "returnDisplay": ""
        },
        "tool_use_id": "toolu_1794883326766_zcact00dq",
        "tool_call_id": "toolu_01000000000001",
        "duration_ms": 660
      }
    },
    "PostToolUseFailure": {
      "native": "PostToolUseFailure",
      "payload": {
        "session_id": "407ed528-af91-4e4d-8ce6-8457cd29cd1b",
        "transcript_path": "/home/dev/.qwen/projects/-home-dev-acme/chats/407ed528-af91-4e4d-8ce6-8457cd29cd1b.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "PostToolUseFailure",
        "timestamp": "2026-11-17T02:40:35.758Z",
        "permission_mode": "yolo",
        "prompt_id": "407ed528-af91-4e4d-8ce6-8457cd29cd1b########0",
        "tool_use_id": "toolu_1794883235560_quifengdg",
        "tool_call_id": "toolu_01000000000001",
        "tool_name": "read_file",
        "tool_input": {
          "file_path": "/no/such/file"
        },
        "error": "File not found: /no/such/file",
        "is_interrupt": false,
        "duration_ms": 48
      }
    },
    "PermissionRequest": {
      "native": "PermissionRequest",
      "payload": {
        "session_id": "19576675-28d0-4f45-ae56-01043db61792",
        "transcript_path": "/home/dev/.qwen/projects/-home-dev-acme/chats/19576675-28d0-4f45-ae56-01043db61792.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "PermissionRequest",
        "timestamp": "2026-11-17T02:42:04.832Z",
        "permission_mode": "default",
        "prompt_id": "19576675-28d0-4f45-ae56-01043db61792########0",
        "tool_name": "run_shell_command",
        "tool_input": {
          "command": "touch ran",
          "is_background": false
        }
      }
    },
    "Notification": {
      "native": "Notification",
      "payload": {
        "session_id": "19576675-28d0-4f45-ae56-01043db61792",
        "transcript_path": "/home/dev/.qwen/projects/-home-dev-acme/chats/19576675-28d0-4f45-ae56-01043db61792.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "Notification",
        "timestamp": "2026-11-17T02:42:21.179Z",
        "permission_mode": "default",
        "message": "Qwen Code is waiting for your input",
        "notification_type": "idle_prompt",
        "title": "Waiting for input"
      }
    },
    "SubagentStart": {
      "native": "SubagentStart",
      "payload": {
        "session_id": "016cab94-8a69-4cd4-9d77-ddc7057c6516",
        "transcript_path": "/home/dev/.qwen/projects/-home-dev-acme/chats/016cab94-8a69-4cd4-9d77-ddc7057c6516.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "SubagentStart",
        "timestamp": "2026-11-17T02:43:28.296Z",
        "permission_mode": "yolo",
        "agent_id": "general-purpose-toolu_01000000000001",
        "prompt_id": "016cab94-8a69-4cd4-9d77-ddc7057c6516########0",
        "agent_type": "general-purpose"
      }
    },
    "SubagentStop": {
      "native": "SubagentStop",
      "payload": {
        "session_id": "016cab94-8a69-4cd4-9d77-ddc7057c6516",
        "transcript_path": "/home/dev/.qwen/projects/-home-dev-acme/chats/016cab94-8a69-4cd4-9d77-ddc7057c6516.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "SubagentStop",
        "timestamp": "2026-11-17T02:43:30.438Z",
        "permission_mode": "yolo",
        "agent_id": "general-purpose-toolu_01000000000001",
        "prompt_id": "016cab94-8a69-4cd4-9d77-ddc7057c6516########0",
        "stop_hook_active": false,
        "agent_type": "general-purpose",
        "agent_transcript_path": "/home/dev/.qwen/projects/-home-dev-acme/chats/016cab94-8a69-4cd4-9d77-ddc7057c6516.jsonl",
        "last_assistant_message": "inside done",
        "background_tasks": [
          {
            "id": "general-purpose-toolu_01000000000001",
            "status": "running",
            "agent_type": "general-purpose",
            "started_at": "2026-11-17T02:43:28.287Z",
            "description": "look"
          }
        ],
        "crons": []
      }
    },
    "PreCompact": {
      "native": "PreCompact",
      "payload": {
        "session_id": "19576675-28d0-4f45-ae56-01043db61792",
        "transcript_path": "/home/dev/.qwen/projects/-home-dev-acme/chats/19576675-28d0-4f45-ae56-01043db61792.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "PreCompact",
        "timestamp": "2026-11-17T02:42:27.854Z",
        "permission_mode": "default",
        "prompt_id": "19576675-28d0-4f45-ae56-01043db61792########1",
        "trigger": "manual",
        "custom_instructions": ""
      }
    },
    "Stop": {
      "native": "Stop",
      "payload": {
        "session_id": "2c07f228-530f-4c85-8bd7-1793cf0da3b1",
        "transcript_path": "/home/dev/.qwen/projects/-home-dev-acme/chats/2c07f228-530f-4c85-8bd7-1793cf0da3b1.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "Stop",
        "timestamp": "2026-11-17T02:37:43.415Z",
        "permission_mode": "yolo",
        "prompt_id": "2c07f228-530f-4c85-8bd7-1793cf0da3b1########0",
        "stop_hook_active": false,
        "last_assistant_message": "Made.",
        "background_tasks": [],
        "crons": [],
        "context_usage": 0.0005,
        "context_limit": 200000,
        "input_tokens": 100
      }
    },
    "SessionEnd": {
      "native": "SessionEnd",
      "payload": {
        "session_id": "19576675-28d0-4f45-ae56-01043db61792",
        "transcript_path": "/home/dev/.qwen/projects/-home-dev-acme/chats/19576675-28d0-4f45-ae56-01043db61792.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "SessionEnd",
        "timestamp": "2026-11-17T02:42:34.910Z",
        "permission_mode": "default",
        "reason": "prompt_input_exit"
      }
    }
  },
  "droid": {
    "SessionStart": {
      "native": "SessionStart",
      "payload": {
        "session_id": "b9def137-30f6-4a25-a40b-3a3d0cc41acc",
        "transcript_path": "/home/dev/.factory/sessions/-home-dev-acme/b9def137-30f6-4a25-a40b-3a3d0cc41acc.jsonl",
        "cwd": "/home/dev/acme",
        "permission_mode": "off",
        "hook_event_name": "SessionStart",
        "source": "startup",
        "CLAUDE_ENV_FILE": "/home/dev/.factory/temp/env/droid-env-b9def137-30f6-4a25-a40b-3a3d0cc41acc.sh"
      }
    },
    "PreToolUse": {
      "native": "PreToolUse",
      "payload": {
        "session_id": "c9d3e4a9-af68-469d-9a35-b26df88d0f24",
        "transcript_path": "/home/dev/.factory/sessions/-home-dev-acme/c9d3e4a9-af68-469d-9a35-b26df88d0f24.jsonl",
        "cwd": "/home/dev/acme",
        "permission_mode": "auto-high",
        "hook_event_name": "PreToolUse",
        "tool_name": "Read",
        "tool_input": {
          "file_path": "/no/such/file"
        }
      }
    },
    "PostToolUse": {
      "native": "PostToolUse",
      "payload": {
        "session_id": "bea26e2a-ed0f-4555-bf72-4f0ebbc2473a",
        "transcript_path": "/home/dev/.factory/sessions/-home-dev-acme/bea26e2a-ed0f-4555-bf72-4f0ebbc2473a.jsonl",
        "cwd": "/home/dev/acme",
        "permission_mode": "auto-high",
        "hook_event_name": "PostToolUse",
        "tool_name": "Execute",
        "tool_input": {
          "command": "touch rewritten",
          "summary": "s"
        },
        "tool_response": "Command completed successfully\n\n[Process exited with code 0]"
      }
    },
    "Stop": {
      "native": "Stop",
      "payload": {
        "session_id": "b9def137-30f6-4a25-a40b-3a3d0cc41acc",
        "transcript_path": "/home/dev/.factory/sessions/-home-dev-acme/b9def137-30f6-4a25-a40b-3a3d0cc41acc.jsonl",
        "cwd": "/home/dev/acme",
        "permission_mode": "auto-high",
        "hook_event_name": "Stop",
        "message_id": "96428ade-91c2-45ce-8191-1f44f346c3c3",
        "stop_hook_active": true,
        "tool_execution_count": 0,
        "elapsed_time": 0
      }
    },
    "SessionEnd": {
      "native": "SessionEnd",
      "payload": {
        "session_id": "daf23e18-412d-404e-a706-25f47a91f8d4",
        "transcript_path": "/home/dev/.factory/sessions/-home-dev-acme/daf23e18-412d-404e-a706-25f47a91f8d4.jsonl",
        "cwd": "/home/dev/acme",
        "permission_mode": "auto-high",
        "hook_event_name": "SessionEnd",
        "message_id": "63486267-af47-4ddc-a90f-fee5af951392",
        "reason": "other",
        "session_duration_ms": 3104.443359375,
        "message_count": 9
      }
    }
  },
  "kilo": {
    "SessionStart": {
      "native": "session.created",
      "payload": {
        "id": "evt_1e7597eae001i776FtF0DtorbA",
        "type": "session.created",
        "properties": {
          "sessionID": "ses_e18a68158ffeCzP50o5pft5clN",
          "info": {
            "id": "ses_e18a68158ffeCzP50o5pft5clN",
            "slug": "brave-cactus",
            "version": "7.7.7",
            "projectID": "global",
            "directory": "/home/dev/acme",
            "path": "home/dev/acme",
            "title": "New session - 2026-11-17T02:32:44.455Z",
            "permission": [
              {
                "permission": "question",
                "pattern": "*",
                "action": "deny"
              },
              {
                "permission": "suggest",
                "pattern": "*",
                "action": "deny"
              },
              {
                "permission": "plan_enter",
                "pattern": "*",
                "action": "deny"
              },
              {
                "permission": "plan_exit",
                "pattern": "*",
                "action": "deny"
              }
            ],
            "cost": 0,
            "tokens": {
              "input": 0,
              "output": 0,
              "reasoning": 0,
              "cache": {
                "read": 0,
                "write": 0
              }
            },
            "time": {
              "created": 1794882764455,
              "updated": 1794882764455
            }
          }
        }
      }
    },
    "UserPromptSubmit": {
      "native": "chat.message",
      "payload": {
        "input": {
          "sessionID": "ses_e18a68158ffeCzP50o5pft5clN"
        },
        "output": {
          "message": {
            "id": "msg_1e759dce5001ex3WumOSqG199P",
            "role": "user",
            "sessionID": "ses_e18a68158ffeCzP50o5pft5clN",
            "time": {
              "created": 1794882788581
            },
            "agent": "code",
            "model": {
              "providerID": "mock",
              "modelID": "mock-model"
            }
          },
          "parts": [
            {
              "type": "text",
              "text": "\"please\"",
              "messageID": "msg_1e759dce5001ex3WumOSqG199P",
              "sessionID": "ses_e18a68158ffeCzP50o5pft5clN",
              "id": "prt_1e759de60001aLIsoDg5kidxpk"
            }
          ]
        }
      }
    },
    "PreToolUse": {
      "native": "tool.execute.before",
      "payload": {
        "input": {
          "tool": "bash",
          "sessionID": "ses_e18a68158ffeCzP50o5pft5clN",
          "callID": "toolu_01000000000001"
        },
        "output": {
          "args": {
            "command": "echo hi > made",
            "description": "make"
          }
        }
      }
    },
    "PostToolUse": {
      "native": "tool.execute.after",
      "payload": {
        "input": {
          "tool": "bash",
          "sessionID": "ses_e18a68158ffeCzP50o5pft5clN",
          "callID": "toolu_01000000000001",
          "args": {
            "command": "echo hi > made",
            "description": "make"
          }
        },
        "output": {
          "title": "make",
          "metadata": {
            "output": "(no output)",
            "exit": 0,
            "description": "make",
            "truncated": false
          },
          "output": "(no output)"
        }
      }
    },
    "PostToolUseFailure": {
      "native": "message.part.updated",
      "payload": {
        "id": "evt_1e83fa8a3001oELTY7svLDrpVS",
        "type": "message.part.updated",
        "properties": {
          "sessionID": "ses_e17c08f44ffeyl2rh0BTkaNTpQ",
          "part": {
            "type": "tool",
            "tool": "bash",
            "callID": "toolu_01000000000007",
            "state": {
              "status": "error",
              "input": {
                "command": "touch ran",
                "description": "a command"
              },
              "error": "gantry says no to this one",
              "time": {
                "start": 1794897848463,
                "end": 1794897848483
              }
            },
            "id": "prt_1e83fa87e001xYDnP1ANxgIvRp",
            "sessionID": "ses_e17c08f44ffeyl2rh0BTkaNTpQ",
            "messageID": "msg_1e83fa407001g66njum8H3QkGM"
          },
          "time": 1794897848483
        }
      }
    },
    "Stop": {
      "native": "session.idle",
      "payload": {
        "id": "evt_1e83fad8c001oRFcPEiBEXSk2C",
        "type": "session.idle",
        "properties": {
          "sessionID": "ses_e17c08f44ffeyl2rh0BTkaNTpQ"
        }
      }
    },
    "SessionEnd": {
      "native": "dispose",
      "payload": {
        "sessionID": "ses_e17c08f44ffeyl2rh0BTkaNTpQ"
      }
    }
  },
  "pi": {
    "SessionStart": {
      "native": "SessionStart",
      "payload": {
        "session_id": "01a1e78f-fca9-71a9-a021-cafccacbaf5c",
        "transcript_path": "/home/dev/.pi/agent/sessions/--home-dev-acme--/2026-11-17T03-32-15-658Z_01a1e78f-fca9-71a9-a021-cafccacbaf5c.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "SessionStart",
        "model": "mock-model",
        "mode": "print",
        "source": "startup"
      }
    },
    "UserPromptSubmit": {
      "native": "UserPromptSubmit",
      "payload": {
        "session_id": "01a1e78f-fca9-71a9-a021-cafccacbaf5c",
        "transcript_path": "/home/dev/.pi/agent/sessions/--home-dev-acme--/2026-11-17T03-32-15-658Z_01a1e78f-fca9-71a9-a021-cafccacbaf5c.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "UserPromptSubmit",
        "model": "mock-model",
        "mode": "print",
        "prompt": "please",
        "source": "interactive"
      }
    },
    "PreToolUse": {
      "native": "PreToolUse",
      "payload": {
        "session_id": "01a1e78e-f5cb-72d2-b6be-8586c9241119",
        "transcript_path": "/home/dev/.pi/agent/sessions/--home-dev-acme--/2026-11-17T03-31-08-388Z_01a1e78e-f5cb-72d2-b6be-8586c9241119.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "PreToolUse",
        "model": "mock-model",
        "mode": "print",
        "tool_name": "bash",
        "tool_use_id": "toolu_01000000000001",
        "tool_input": {
          "command": "touch ran"
        }
      }
    },
    "PostToolUse": {
      "native": "PostToolUse",
      "payload": {
        "session_id": "01a1e78e-f5cb-72d2-b6be-8586c9241119",
        "transcript_path": "/home/dev/.pi/agent/sessions/--home-dev-acme--/2026-11-17T03-31-08-388Z_01a1e78e-f5cb-72d2-b6be-8586c9241119.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "PostToolUse",
        "model": "mock-model",
        "mode": "print",
        "tool_name": "bash",
        "tool_use_id": "toolu_01000000000001",
        "tool_input": {
          "command": "touch ran"
        },
        "tool_response": [
          {
            "type": "text",
            "text": "(no output)"
          }
        ]
      }
    },
    "PostToolUseFailure": {
      "native": "PostToolUseFailure",
      "payload": {
        "session_id": "01a1e78f-31b5-760e-9b3f-1a4d80fcb33b",
        "transcript_path": "/home/dev/.pi/agent/sessions/--home-dev-acme--/2026-11-17T03-31-23-702Z_01a1e78f-31b5-760e-9b3f-1a4d80fcb33b.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "PostToolUseFailure",
        "model": "mock-model",
        "mode": "print",
        "tool_name": "read",
        "tool_use_id": "toolu_01000000000001",
        "tool_input": {
          "path": "/no/such/file"
        },
        "error": "ENOENT: no such file or directory, access '/no/such/file'"
      }
    },
    "Stop": {
      "native": "Stop",
      "payload": {
        "session_id": "01a1e78f-4cfe-716a-b0cf-5877959ecc15",
        "transcript_path": "/home/dev/.pi/agent/sessions/--home-dev-acme--/2026-11-17T03-31-30-687Z_01a1e78f-4cfe-716a-b0cf-5877959ecc15.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "Stop",
        "model": "mock-model",
        "mode": "print",
        "stop_hook_active": true,
        "outcome": "completed"
      }
    },
    "SessionEnd": {
      "native": "SessionEnd",
      "payload": {
        "session_id": "01a1e78f-fca9-71a9-a021-cafccacbaf5c",
        "transcript_path": "/home/dev/.pi/agent/sessions/--home-dev-acme--/2026-11-17T03-32-15-658Z_01a1e78f-fca9-71a9-a021-cafccacbaf5c.jsonl",
        "cwd": "/home/dev/acme",
        "hook_event_name": "SessionEnd",
        "model": "mock-model",
        "mode": "print",
        "reason": "quit"
      }
    }
  }
}
