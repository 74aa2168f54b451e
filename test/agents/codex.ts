/** Codex 0.166.0. */
import { CODEX } from './cache.ts'
import type { Driver } from './driver.ts'
import type { ToolCall } from './mock/model.ts'
import { responses } from './mock/responses.ts'

/** Runs a command. */
export const shell = (cmd: string): ToolCall => ({ name: 'exec_command', input: { cmd } })

const HOOKS = `{"hooks":
  {"PreToolUse":[ {"matcher":"Bash", "hooks":[{"type":"command","command":"echo ran >> $HOME/foreign-hook"}]} ]}}
`

export const codex: Driver = {
  release: CODEX,
  dialect: responses,
  settings: ['.codex/config.toml', '.codex/hooks.json'],
  files: ({ model }) => ({ '.codex/config.toml': configFor(model), '.codex/hooks.json': HOOKS }),
  env: ({ home }) => ({ CODEX_HOME: `${home}/.codex`, MOCK_API_KEY: 'no-such-key', SHELL: '/bin/sh' }),
  headless: (prompt, { args = [] }) => [
    'codex',
    'exec',
    '--json',
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    ...args,
    prompt,
  ],
  // `exec` never asks; only the TUI does.
  interactive: ({ args = [] }) => ['codex', '--no-daemon', ...args],
  goodbye: ['C-c', 'C-c'], // /quit takes five seconds
}

/** Without this, 0.166.0 skips hooks that nobody has approved in its own dialog. */
export const TRUST_HOOKS = '--dangerously-bypass-hook-trust'

/** With what the TUI would add by itself, so that nobody but gantry has a reason to write here. */
function configFor(model: string): string {
  return `# a user's own words
model = "mock-model"
model_provider = "mock"
check_for_update_on_startup = false

[model_providers.mock]
name = "mock"
base_url = "${model}/v1"
wire_api = "responses"
env_key = "MOCK_API_KEY"

[analytics]
enabled = false

[features]
daemon_auto_start = false
apps = false
plugins = false
remote_plugin = false

[tui]
screen_reader_detection_done = true
`
}
