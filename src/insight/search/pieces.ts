/**
 * The searchable text of an event: prompts and answers, commands, files and tools, session titles. A tool call is found
 * by its start only; its output is not searched.
 */
import { FILE_FIELDS } from '../../core/text/subject.ts'
import type { HookEvent, HookTool } from '../../events/index.ts'

export type Kind = 'prompt' | 'answer' | 'command' | 'path' | 'tool' | 'error' | 'title'

export interface Piece {
  readonly kind: Kind
  readonly text: string
}

/** Per event: a long answer is found by its first pages. */
const MAX_CHARS = 16 * 1024

/** The fields of a tool's input that say what it does, and to what. File contents are left out. */
const COMMAND_FIELDS = [
  'command',
  'cmd',
  'script',
  'pattern',
  'query',
  'url',
  'description',
  'prompt',
  'skill',
]
const PATH_FIELDS = [...FILE_FIELDS, 'paths', 'dir_path', 'target_file']

/** Other types have no searchable text, so their rows are not read. */
export const SEARCHED_TYPES: ReadonlySet<string> = new Set([
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'StopFailure',
  'PreToolUse',
  'PermissionRequest',
  'Notification',
  'PostToolUseFailure',
  'SubagentStart',
  'TaskCreated',
  'TaskCompleted',
  'FileChanged',
  'TitleObserved',
  'SessionRenamed',
  'SessionSummarized',
])

export function piecesOf(event: HookEvent): Piece[] {
  if (event.hidden !== undefined || !SEARCHED_TYPES.has(event.type)) return []
  const pieces: Piece[] = []
  let left = MAX_CHARS
  const add = (kind: Kind, text: unknown) => {
    if (typeof text !== 'string' || left <= 0) return
    const trimmed = text.slice(0, left).trim()
    if (trimmed === '') return
    left -= trimmed.length
    pieces.push({ kind, text: trimmed })
  }
  switch (event.type) {
    case 'UserPromptSubmit':
      if (!event.promptInjected) add('prompt', event.prompt)
      break
    case 'Stop':
    case 'SubagentStop':
      // Gemini's text is garbled, so it is never shown as the last message; its words are good enough to find it.
      add('answer', event.message ?? event.fields?.prompt_response)
      break
    case 'StopFailure':
      add('error', [event.error?.kind, event.error?.message].filter(Boolean).join(' '))
      break
    case 'PreToolUse':
    case 'PermissionRequest':
    case 'Notification': // Gemini's names the tool that asks
      if (event.tool) addTool(event.tool, add)
      break
    case 'PostToolUseFailure':
      add('tool', event.tool?.name)
      add('error', event.tool?.error)
      break
    case 'SubagentStart':
      add('tool', event.agentType)
      break
    case 'TaskCreated':
    case 'TaskCompleted':
      add('title', event.task?.subject)
      break
    case 'SessionSummarized':
      // It is extracted from the prompt and the answer, so it adds no word.
      if (event.fields?.by === 'extract') break
      add('title', event.fields?.title)
      add('title', event.fields?.summary)
      break
    case 'TitleObserved':
      add('title', event.fields?.title)
      break
    case 'SessionRenamed':
      add('title', event.fields?.name)
      break
    case 'FileChanged':
      add('path', event.fields?.file_path)
      break
  }
  return pieces
}

function addTool({ name, input }: HookTool, add: (kind: Kind, text: unknown) => void): void {
  add('tool', name)
  if (typeof input === 'string') add('command', input)
  if (typeof input !== 'object' || input === null) return
  const fields = input as Readonly<Record<string, unknown>>
  for (const field of COMMAND_FIELDS) add('command', joined(fields[field], ' '))
  for (const field of PATH_FIELDS) add('path', joined(fields[field], '\n'))
}

/** Codex may send a command as a list of words. */
function joined(value: unknown, by: string): unknown {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(by) : value
}
