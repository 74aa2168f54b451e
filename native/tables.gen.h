/* Made by "npm run docs" from src/client and the agents' records. Edit those. */
#define CONNECT_DEADLINE_MS 50
#define DECIDER_DEADLINE_MS 5000
#define DECIDER_GAVE_UP_MODE 0710
#define HEADER_LIMIT_BYTES 65536
#define HOLD_LIMIT_MS 600000
#define LOOK_AGAIN_MS 60000
#define OBSERVER_DEADLINE_MS 250
#define OBSERVER_GAVE_UP_MODE 0700
#define PAYLOAD_LIMIT_BYTES 8388608
#define SOCKET_MODE 0600
#define STDIN_IDLE_MS 1000
#define WIRE_VERSION 1
#define CONNECT_RETRY_MS 2
#define ENV_LIMIT_BYTES 49152
#define REPLY_LINE_LIMIT_BYTES 64
#define REPLY_PART_LIMIT_BYTES 8388608
#define START_PAUSE_MS 3000
#define STDIN_LIMIT_MS 5000
#define VALUE_LIMIT_BYTES 1024
#define LOSS_FILE_BYTES 1048576
#define LOSS_RECORD_BYTES 64
#define RESERVE_FRAME_BYTES 1048576
#define RESERVE_SLOT_BYTES 16384
#define RESERVE_TRIES 8
#define SPOOL_FOLDER_BYTES 4194304
#define SPOOL_FRAMES 50000
#define SPOOL_FREE_BYTES 67108864
#define KEPT_ENV_BYTES 65536
#define KEPT_ENV_VALUES 256
#define DAEMON_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin"
static const char *const ENV_ALLOW_LIST[] = {
    "AGENT_ID", "AI_AGENT", "CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CONFIG_DIR", "CLAUDE_EFFORT",
    "CLAUDE_PID", "CLAUDE_PROJECT_DIR", "CODEX_HOME", "COPILOT_CLI_BINARY_VERSION", "COPILOT_HOME",
    "COPILOT_PROJECT_DIR", "FACTORY_PROJECT_DIR", "GANTRY_RUN_ID", "GEMINI_CLI_HOME", "GEMINI_PROJECT_DIR",
    "GEMINI_SESSION_ID", "ITERM_SESSION_ID", "KITTY_WINDOW_ID", "OPENCODE_VERSION", "PWD",
    "QWEN_CODE_SESSION_ID", "QWEN_CODE_STARTUP_VERSION", "QWEN_PROJECT_DIR", "SSH_CONNECTION", "SSH_TTY",
    "STY", "TERM_PROGRAM", "WEZTERM_PANE", "WT_SESSION", "ZELLIJ_PANE_ID", "ZELLIJ_SESSION_NAME",
};
static const char *const DECIDERS[] = {
    "AfterAgent", "BeforeAgent", "BeforeModel", "BeforeTool", "BeforeToolSelection", "ConfigChange",
    "Elicitation", "ElicitationResult", "PermissionRequest", "PreCompact", "PreModelSwitch", "PreToolUse",
    "SessionStart", "Stop", "SubagentStart", "SubagentStop", "TaskCompleted", "TaskCreated", "TeammateIdle",
    "UserPromptExpansion", "UserPromptSubmit", "agentStop", "permissionRequest", "preToolUse", "sessionStart",
    "subagentStart", "subagentStop", "tool.execute.before", "userPromptSubmitted",
};
static const char *const DAEMON_ENV[] = {
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "TZ", "USER", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
};
/* Kept in addition: OWNERS_ENV of the TypeScript client. */
static const char *const KEPT_ENV[] = {
    "PATH", "SHELL", "TMPDIR", "XDG_CONFIG_HOME", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY",
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_DIR", "SSL_CERT_FILE", "BD_DAEMON_TOKEN", "BD_NATS_PORT", "BD_NATS_URL", "BEADS_DIR",
    "COOP_NATS_URL", "GANTRY_NATS", "GANTRY_HOME",
};
