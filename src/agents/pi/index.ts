/** pi, seen on 0.87.1. It has no hook programs: `extension.js` runs inside it, and starts the hook client. */
import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { type ClaudeCapabilities, claudeAnswers } from '../claude/like/answers.ts'
import { describeEvents } from '../payload.ts'
import { CONTEXT, CONTEXT_LIMIT, PROMPT, STOP } from '../reply-capabilities.ts'
import { type AgentSettings, folderFrom, hookChoices } from '../settings.ts'
import extension from './extension.js' with { type: 'text' }
import { format } from './read.ts'

const HELD = { held: true } as const
const FIRST_LINES = "/**\n * gantry's extension for pi"

const settings: AgentSettings = {
  title: 'pi',
  programs: ['pi'],
  npmPackage: '@earendil-works/pi-coding-agent',
  folder: (env, user) => folderFrom(env.PI_CODING_AGENT_DIR, join(user, '.pi/agent')),
  versions: [format.since],
  hooks: hookChoices(format.events, format.since, {
    SessionStart: HELD,
    UserPromptSubmit: HELD,
    PreToolUse: HELD,
    Stop: HELD,
    PreCompact: HELD,
  }),
  wiring: ({ client }) => ({
    kind: 'own',
    file: 'extensions/gantry.js',
    events: settings.hooks.map(({ event }) => event),
    text: extension
      .replace("'__GANTRY_CLIENT__'", () => JSON.stringify(client.path))
      .replace("'__GANTRY_HOME__'", () => JSON.stringify(client.home ?? '')),
    isOurs: (text) => text.startsWith(FIRST_LINES),
  }),
  takes: [],
  recognise: () => [],
  bypasses: ['--no-extensions', '-ne'], // it has no permissions of its own
  credentials: ['auth.json'],
  hookFiles: { user: ['extensions/*.js', 'extensions/*.ts'], project: ['.pi/extensions/*.ts'] },
}

export const pi: Agent = {
  id: 'pi',
  glyph: 'π',
  env: [],
  marks: ['PI_CODING_AGENT'],
  tools: { search: ['find', 'ls'] }, // the others have opencode's names
  ownFiles: ['AGENTS.md', 'CLAUDE.md'],
  read: format.read,
  answer: claudeAnswers({
    title: 'pi',
    capabilities: new Map<string, ClaudeCapabilities>([
      ['SessionStart', CONTEXT],
      ['UserPromptSubmit', PROMPT],
      ['PreToolUse', { way: 'permissionDecision', decisions: ['deny'], rewrite: true }],
      ['PostToolUse', CONTEXT],
      ['PostToolUseFailure', CONTEXT],
      ['Stop', STOP],
    ]),
  }),
  events: describeEvents(format.events),
  commonFields: Object.keys(format.common),
  contextLimit: CONTEXT_LIMIT,
  settings,
}
