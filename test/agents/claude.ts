/** Claude Code, 2.1.325 and 2.0.77. */
import { CLAUDE, OLD_CLAUDE, type Release } from './cache.ts'
import type { Driver } from './driver.ts'
import { anthropic } from './mock/anthropic.ts'
import type { ToolCall } from './mock/model.ts'

/** Runs a command. */
export const bash = (command: string): ToolCall => ({
  name: 'Bash',
  input: { command, description: 'a command' },
})

export const API_KEY = 'sk-ant-api03-no-such-key-0000000000000000000000000000'
const KEY_TAIL_CHARS = 20 // by which Claude remembers that a key was approved

/**
 * A user's own hook and status line, written as nobody would format it: both must keep working, and the bytes must
 * survive. 2.0.77 forgets a rewrite when another hook of the same event ends later, so there the hook has another.
 */
const settingsWith = (event: string) => `{
\t"theme" : "dark",   "statusLine": {"type": "command", "command": "echo my own line"},
  "hooks":{
    "${event}": [{"matcher":"Bash","hooks":[{"type":"command","command":"echo ran >> $HOME/foreign-hook"}]}]
\t}
}
`

export const claude: Driver = driverOf(CLAUDE, settingsWith('PreToolUse'))
export const oldClaude: Driver = driverOf(OLD_CLAUDE, settingsWith('PostToolUse'))

function driverOf(release: Release, settings: string): Driver {
  return {
    release,
    dialect: anthropic,
    settings: ['.claude/settings.json'],
    files: ({ home }) => ({ '.claude/settings.json': settings, '.claude/.claude.json': stateFor(home) }),
    env: ({ home, model }) => ({
      CLAUDE_CONFIG_DIR: `${home}/.claude`,
      ANTHROPIC_API_KEY: API_KEY,
      ANTHROPIC_BASE_URL: model,
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    headless: (prompt, { guarded, args = [] }) => ['claude', '-p', prompt, ...permissions(guarded), ...args],
    interactive: ({ guarded, args = [] }) => ['claude', ...permissions(guarded), ...args],
    goodbye: ['/exit', 'Enter'],
  }
}

/** What onboarding, the key dialog and the trust dialog would have asked. A folder has the trust of its parents. */
function stateFor(home: string): string {
  return JSON.stringify({
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [API_KEY.slice(-KEY_TAIL_CHARS)], rejected: [] },
    projects: { [`${home}/work`]: { hasTrustDialogAccepted: true } },
  })
}

/** Root may not skip permissions, so the tools that the scripts use are allowed by name. */
function permissions(guarded = false): string[] {
  if (guarded) return ['--permission-mode', 'default']
  return ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash,Write,Read,Task,Agent']
}
