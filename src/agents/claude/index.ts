/** Claude Code, seen on 2.0.77 and 2.1.325. */
import type { HookEvent } from '../../events/index.ts'
import type { Agent } from '../agent.ts'
import { describeEvents } from '../payload.ts'
import { CONTEXT_LIMIT } from '../reply-capabilities.ts'
import { answer } from './answer.ts'
import { CLAUDE_COMMON, CLAUDE_EVENTS } from './events.ts'
import { read } from './read.ts'
import { settings } from './settings.ts'
import { claudeStatus } from './status-file.ts'
import { claudeTranscript } from './transcript.ts'

export const claude: Agent = {
  id: 'claude',
  glyph: '✻',
  env: [
    'AI_AGENT',
    'CLAUDECODE',
    'CLAUDE_CODE_CHILD_SESSION',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_SESSION_ATTENDED',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CONFIG_DIR',
    'CLAUDE_EFFORT',
    'CLAUDE_PID',
    'CLAUDE_PROJECT_DIR',
  ],
  lastingEnv: ['AI_AGENT', 'CLAUDE_CODE_ENTRYPOINT'],
  projectVariable: 'CLAUDE_PROJECT_DIR',
  pidVariable: 'CLAUDE_PID',
  marks: ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID'], // the first one in all versions
  tools: {
    shell: ['Bash', 'Monitor'], // the latter since 2.1
    otherShell: ['PowerShell'],
    question: ['AskUserQuestion'],
    plan: ['EnterPlanMode', 'ExitPlanMode'],
    subagent: ['Agent', 'Task'],
    todos: ['TodoWrite'], // 2.0.77
    read: ['Read', 'NotebookRead'],
    write: ['Write'],
    edit: ['Edit', 'MultiEdit', 'NotebookEdit'],
    search: ['Grep', 'Glob', 'LS'],
  },
  ownFiles: ['CLAUDE.md', 'CLAUDE.local.md'],
  read,
  answer,
  permissionPrompt,
  events: describeEvents(CLAUDE_EVENTS),
  commonFields: Object.keys(CLAUDE_COMMON),
  contextLimit: CONTEXT_LIMIT,
  answerNote:
    'A payload without `prompt_id` counts as one of 2.0: there PreToolUse takes a rewrite only with `allow`, and no context.',
  triggers: {
    Setup: 'start Claude Code with --init, --init-only or --maintenance',
    statusLine: 'wire the status line: gantry install claude; it is drawn with every answer',
  },
  settings,
  transcript: claudeTranscript,
  status: claudeStatus,
  freshArguments: async (args, prompt) => (await import('./fresh-arguments.ts')).freshArguments(args, prompt),
}

/**
 * Claude Code 2.1.325 shows the permission dialog of its main thread, and of a sub-agent that it waits for, while the
 * PermissionRequest hook runs: a person's "yes" beats a slower hook, and a hook's answer closes the dialog. For a
 * background sub-agent, which is the default, and for a teammate it shows the dialog only after the hook.
 *
 * Unattended runs, as with `-p` or an SDK, have no dialog and would block for as long as the hook takes. 2.0.77 does not
 * report whether anyone attends, and its dialog was not examined.
 */
function permissionPrompt({ client }: HookEvent, isWaitedFor: boolean): 'concurrent' | 'after-hook' {
  const { CLAUDE_CODE_ENTRYPOINT: entry, CLAUDE_CODE_SESSION_ATTENDED: attended } = client.env
  return isWaitedFor && entry === 'cli' && attended === '1' ? 'concurrent' : 'after-hook'
}
