/** Qwen Code, seen on 0.24.4. */
import { join } from 'node:path'
import { claudeAgent } from '../claude/like/agent.ts'
import { allHooksDisabled } from '../claude/like/settings.ts'
import { CONTEXT, PROMPT, STOP } from '../reply-capabilities.ts'
import { folderFrom } from '../settings.ts'
import { format } from './read.ts'

export const qwen = claudeAgent({
  id: 'qwen',
  glyph: '❖',
  env: ['QWEN_CODE_SESSION_ID', 'QWEN_CODE_STARTUP_VERSION', 'QWEN_PROJECT_DIR'],
  lastingEnv: ['QWEN_CODE_STARTUP_VERSION'],
  projectVariable: 'QWEN_PROJECT_DIR',
  marks: ['QWEN_CODE_SESSION_ID'],
  tools: { subagent: ['agent'], edit: ['notebook_edit'], question: ['ask_user_question'] }, // and Gemini CLI's
  ownFiles: ['QWEN.md', 'AGENTS.md'],
  format,
  obeys: {
    SessionStart: CONTEXT,
    UserPromptSubmit: PROMPT,
    // It comes after the dialog; 0.24.4 ignores a new input and context.
    PreToolUse: { way: 'permissionDecision', decisions: ['deny', 'ask'], silence: 'own-rules' },
    PostToolUse: CONTEXT, // the model is not told of a block
    PostToolUseFailure: CONTEXT,
    PermissionRequest: { way: 'decision', decisions: ['allow', 'deny'], silence: 'asks' },
    Stop: STOP,
  },
  answerNote: 'Without a terminal there is no dialog: an `ask` is a refusal there.',
  off: { MessageDisplay: 'it runs for every piece of every message' },
  settings: {
    title: 'Qwen Code',
    programs: ['qwen'],
    npmPackage: '@qwen-code/qwen-code',
    folder: (env, user) => folderFrom(env.QWEN_HOME, join(user, '.qwen')),
    takes: ['a comment', 'a byte order mark'],
    switchedOff: allHooksDisabled,
    bypasses: ['--yolo', '-y', '--approval-mode yolo'],
    credentials: ['oauth_creds.json'],
    hookFiles: { user: ['settings.json'], project: ['.qwen/settings.json'] },
  },
})
