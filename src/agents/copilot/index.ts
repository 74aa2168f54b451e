/** GitHub Copilot CLI, seen on 1.0.102. */
import type { Agent } from '../agent.ts'
import { describeEvents } from '../payload.ts'
import { CONTEXT_LIMIT } from '../reply-capabilities.ts'
import { answer } from './answer.ts'
import { CAMEL_NAME, COPILOT_COMMON, COPILOT_TABLE } from './events.ts'
import { copilotPresence } from './presence.ts'
import { read } from './read.ts'
import { settings } from './settings.ts'
import { copilotTranscript } from './transcript.ts'

export const copilot: Agent = {
  id: 'copilot',
  glyph: '◈',
  env: ['COPILOT_CLI_BINARY_VERSION', 'COPILOT_HOME', 'COPILOT_PROJECT_DIR'],
  lastingEnv: ['COPILOT_CLI_BINARY_VERSION'],
  projectVariable: 'COPILOT_PROJECT_DIR',
  marks: ['COPILOT_CLI'],
  tools: {
    shell: ['bash'],
    typing: ['write_bash'],
    question: ['ask_user'],
    subagent: ['task'],
    read: ['view', 'str_replace_editor'], // the latter may also write
    write: ['create'],
    edit: ['edit'],
    patch: ['apply_patch'],
    search: ['grep', 'glob'],
  },
  ownFiles: ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'],
  otherNames: CAMEL_NAME,
  read,
  answer,
  // It comes before Copilot's own rules, which may ask nobody after it (1.0.102).
  permissionPrompt: () => 'after-hook',
  events: describeEvents(COPILOT_TABLE),
  commonFields: Object.keys(COPILOT_COMMON),
  contextLimit: CONTEXT_LIMIT,
  transcript: copilotTranscript,
  presence: copilotPresence,
  triggers: {
    preMcpToolCall: 'use a tool of an MCP server',
    userPromptTransformed: 'send a prompt that a hook rewrites',
  },
  settings,
}
