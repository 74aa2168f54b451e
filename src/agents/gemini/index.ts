/** Gemini CLI, seen on 0.61.0. */
import type { Agent } from '../agent.ts'
import { describeEvents } from '../payload.ts'
import { CONTEXT_LIMIT } from '../reply-capabilities.ts'
import { answer } from './answer.ts'
import { GEMINI_COMMON, GEMINI_EVENTS } from './events.ts'
import { read } from './read.ts'
import { settings } from './settings.ts'
import { geminiTranscript } from './transcript.ts'

export const gemini: Agent = {
  id: 'gemini',
  glyph: '✦',
  env: ['GEMINI_CLI_HOME', 'GEMINI_PROJECT_DIR', 'GEMINI_SESSION_ID'],
  projectVariable: 'GEMINI_PROJECT_DIR',
  marks: ['GEMINI_CLI', 'GEMINI_SESSION_ID'],
  tools: {
    shell: ['run_shell_command'],
    question: ['ask_user'],
    plan: ['enter_plan_mode', 'exit_plan_mode'],
    subagent: ['invoke_agent'],
    todos: ['write_todos'],
    read: ['read_file'],
    write: ['write_file'],
    edit: ['replace'],
    search: ['glob', 'search_file_content', 'grep_search', 'list_directory'],
  },
  ownFiles: ['GEMINI.md'],
  asksBy: ['ToolPermission'],
  clearsContext: true, // but announces compactions that never happen
  read,
  answer,
  events: describeEvents(GEMINI_EVENTS),
  commonFields: Object.keys(GEMINI_COMMON),
  contextLimit: CONTEXT_LIMIT,
  triggers: {
    AfterTool: 'let a tool end',
    PreCompress: 'send a prompt; it comes before every request',
  },
  settings,
  transcript: geminiTranscript,
}
