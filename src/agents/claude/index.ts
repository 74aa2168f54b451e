/** Claude Code, seen on 2.0.77 and 2.1.325. */
import type { Agent } from '../agent.ts'
import { describeEvents } from '../payload.ts'
import { answer, CONTEXT_LIMIT } from './answer.ts'
import { dialog } from './dialog.ts'
import { CLAUDE_COMMON, CLAUDE_EVENTS } from './events.ts'
import { read } from './read.ts'
import { settings } from './settings.ts'
import { claudeStatus } from './status-file.ts'
import { claudeTranscript } from './transcript.ts'

export const claude: Agent = {
  id: 'claude',
  read,
  answer,
  dialog,
  events: describeEvents(CLAUDE_EVENTS),
  commonFields: Object.keys(CLAUDE_COMMON),
  contextLimit: CONTEXT_LIMIT,
  settings,
  transcript: claudeTranscript,
  status: claudeStatus,
}
