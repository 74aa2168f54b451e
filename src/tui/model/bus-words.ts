/** A bus message in a few words: what its payload is about. */
import type { WireMessage } from '../../client/index.ts'
import { subjectOf } from '../../timeline/index.ts'
import type { Tone } from './line.ts'

export function detailOf({ stream, data }: WireMessage): string {
  const fields = parsed(data)
  const text = (...names: string[]) =>
    names.map((name) => fields[name]).find((value): value is string => typeof value === 'string') ?? ''
  if (stream === 'SESSION_EVENTS')
    return joined(text('name'), text('detail') || firstReason(fields.attention))
  if (stream === 'DECISION_EVENTS') return joined(text('event_type'), text('tool'), text('reason'))
  const tool = text('tool_name', 'toolName')
  if (tool !== '') return joined(tool, subjectOf(fields.tool_input ?? fields.toolArgs ?? fields.toolInput))
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

function joined(...parts: readonly string[]): string {
  return parts.filter(Boolean).join('  ')
}

function firstReason(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : undefined
  const reason =
    typeof first === 'object' && first !== null ? (first as { reason?: unknown }).reason : undefined
  return typeof reason === 'string' ? reason : ''
}

function parsed(data: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(data ?? '')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
