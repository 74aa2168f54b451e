/** The conversation in Codex's rollout (0.166.0): what the model saw in `response_item` lines, and prompts as typed. */
import type { TokenCounts } from '../../events/index.ts'
import {
  callMessage,
  MAX_MESSAGE_LINE_CHARS,
  type MessagePart,
  shortened,
  textMessage,
} from '../transcripts/messages.ts'
import {
  type JsonLine,
  numberOf,
  type Origin,
  objectOf,
  parseLine,
  textsOf,
  timeOf,
} from '../transcripts/transcript.ts'
import { isInjected } from './notify.ts'

export function codexMessages(text: string): MessagePart[] {
  const line = parseLine(text, MAX_MESSAGE_LINE_CHARS)
  const payload = objectOf(line?.payload)
  if (!line || !payload) return []
  const at = timeOf(line.timestamp)
  switch (line.type) {
    case 'response_item':
      return itemIn(payload, at, `line-${String(line.ordinal ?? line.timestamp)}`)
    case 'event_msg':
      return eventIn(payload, at)
    case 'turn_context':
      return modelIn(payload.model)
    case 'token_usage_record':
      return typeof payload.response_id === 'string'
        ? [{ kind: 'usage', id: payload.response_id, at, counts: countsIn(payload.usage), standard: true }]
        : []
    default:
      return []
  }
}

export function codexOrigin(text: string): Origin | undefined {
  const line = parseLine(text, MAX_MESSAGE_LINE_CHARS)
  const from = line?.type === 'session_meta' ? objectOf(line.payload)?.forked_from_id : undefined
  return typeof from === 'string' ? { sessionId: from } : undefined
}

function itemIn(payload: JsonLine, at: number, fallback: string): MessagePart[] {
  const { type, call_id: call, id = fallback } = payload
  if (type === 'message' && payload.role === 'assistant') {
    const text = textsOf(payload.content).join('\n')
    return text === '' ? [] : [textMessage(String(id), 'assistant', at, text)]
  }
  if (typeof call !== 'string') return []
  if (type === 'function_call' || type === 'custom_tool_call' || type === 'local_shell_call')
    return [callMessage(call, at, nameOf(payload), inputOf(payload))]
  if (type === 'function_call_output' || type === 'custom_tool_call_output')
    return [{ kind: 'result', id: call, result: shortened(outputOf(payload.output)) }]
  return []
}

function eventIn(payload: JsonLine, at: number): MessagePart[] {
  switch (payload.type) {
    case 'task_started':
      return typeof payload.turn_id === 'string' ? [{ kind: 'turn', id: payload.turn_id, at }] : []
    case 'thread_settings_applied':
      return modelIn(objectOf(payload.thread_settings)?.model)
    case 'item_completed': {
      const item = objectOf(payload.item)
      if (item?.type !== 'UserMessage') return []
      return promptOf(textsOf(item.content).join('\n'), String(item.id ?? at), at)
    }
    case 'user_message': // before 0.160
      return promptOf(String(payload.message ?? ''), `prompt-${at}`, at)
    case 'turn_aborted':
      return [textMessage(`aborted-${at}`, 'system', at, 'The turn was interrupted.')]
    case 'error':
      return [textMessage(`error-${at}`, 'system', at, String(payload.message ?? 'error'))]
    case 'token_count': {
      const total = objectOf(objectOf(payload.info)?.total_token_usage)
      return total ? [{ kind: 'total', at, counts: countsIn(total) }] : []
    }
    default:
      return []
  }
}

function promptOf(text: string, id: string, at: number): MessagePart[] {
  if (text.trim() === '') return []
  return [textMessage(id, isInjected(text) ? 'system' : 'user', at, text)]
}

function modelIn(model: unknown): MessagePart[] {
  return typeof model === 'string' && model !== '' ? [{ kind: 'model', model }] : []
}

function nameOf({ name, namespace, type }: JsonLine): string {
  if (typeof name !== 'string') return String(type ?? '')
  return typeof namespace === 'string' ? `${namespace}.${name}` : name
}

function inputOf(payload: JsonLine): unknown {
  const { arguments: args, input, action } = payload
  if (typeof args === 'string') return parseLine(args, MAX_MESSAGE_LINE_CHARS) ?? args
  return input ?? action
}

/** The text that a call put out. */
export function outputOf(output: unknown): string {
  return typeof output === 'string' ? output : textsOf(objectOf(output)?.content ?? output).join('\n')
}

/** Cached tokens are included in the input, thinking tokens in the output. */
function countsIn(value: unknown): TokenCounts {
  const usage = objectOf(value)
  const cacheRead = numberOf(usage?.cached_input_tokens)
  return {
    input: Math.max(0, numberOf(usage?.input_tokens) - cacheRead),
    cacheRead,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: numberOf(usage?.output_tokens),
  }
}
