/** A bus message in a few words: what its payload is about. */
import type { WireMessage } from '../../client/index.ts'
import { subjectOf } from '../../core/text/subject.ts'
import { ownWords } from '../../timeline/index.ts'
import type { Tone } from './line.ts'

export function detailOf({ stream, data }: WireMessage): string {
  const fields = parsed(data)
  const text = (...names: string[]) =>
    names.map((name) => fields[name]).find((value): value is string => typeof value === 'string') ?? ''
  const own = ownWords(stream, fields)
  if (own !== undefined) return own
  const tool = text('tool_name', 'toolName')
  const subject = subjectOf(fields.tool_input ?? fields.toolArgs ?? fields.toolInput)
  if (tool !== '') return subject === '' ? tool : `${tool}  ${subject}`
  return text('prompt', 'message', 'last_assistant_message', 'agent_type', 'source', 'reason', 'cwd')
}

export function toneOf(type: string): Tone {
  if (['PermissionRequest', 'Notification', 'Elicitation', 'blocked', 'ask'].includes(type)) return 'need'
  if (/(Failure|Denied)$/.test(type) || ['Interrupt', 'deny', 'block-stop'].includes(type)) return 'error'
  if (type.startsWith('Session') || type === 'UserPromptSubmit') return 'accent'
  if (type.startsWith('Subagent') || type.startsWith('Task') || type === 'compacting') return 'busy'
  if (['Stop', 'working', 'allow'].includes(type)) return 'work'
  return 'plain'
}

function parsed(data: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(data ?? '')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
