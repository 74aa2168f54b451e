/** Codex, seen on 0.166.0: 14 hook events and the older `notify` program. */
import type { Agent } from '../agent.ts'
import { describeEvents } from '../payload.ts'
import { answer, CONTEXT_LIMIT } from './answer.ts'
import { CODEX_COMMON, CODEX_EVENTS } from './events.ts'
import { TURN_COMPLETE } from './notify.ts'
import { read } from './read.ts'
import { settings } from './settings.ts'
import { codexTranscript } from './transcript.ts'

export const codex: Agent = {
  id: 'codex',
  glyph: '⬡',
  env: ['CODEX_HOME'],
  marks: ['CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED', 'CODEX_THREAD_ID'],
  tools: {
    shell: ['shell', 'exec_command', 'local_shell', 'shell_command'],
    typing: ['write_stdin'],
    asking: ['request_user_input'],
    subagent: ['spawn_agent'],
    read: ['view_image'],
    patch: ['apply_patch'],
  },
  ownFiles: ['AGENTS.md', 'AGENTS.override.md'],
  turnReport: TURN_COMPLETE,
  askOnlyFields: ['description'], // 0.166.0 adds the reason for asking
  read,
  answer,
  // It shows its dialog when the hook has ended (0.166.0).
  permissionPrompt: () => 'after-hook',
  events: describeEvents(CODEX_EVENTS),
  commonFields: Object.keys(CODEX_COMMON),
  contextLimit: CONTEXT_LIMIT,
  triggers: { [TURN_COMPLETE]: 'wire notify of Codex, and let a turn end' },
  settings,
  transcript: codexTranscript,
  callVariable: 'CODEX_TOOL_CALL_ID', // 0.166.0 sets it for commands, not for hooks and MCP servers
  freshArguments: async (args, prompt) => (await import('./fresh-arguments.ts')).freshArguments(args, prompt),
}
