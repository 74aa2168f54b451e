/** The conversation in Copilot CLI's session log (1.0.102). A request's usage is written before its text. */
import type { TokenCounts } from '../../events/index.ts'
import {
  callMessage,
  MAX_MESSAGE_LINE_CHARS,
  type MessagePart,
  shortened,
  textMessage,
} from '../transcripts/messages.ts'
import { type JsonLine, numberOf, objectOf, parseLine, timeOf } from '../transcripts/transcript.ts'
import { isInjected } from './events.ts'

/** A sub-agent's text is not part of the session, but its usage is. */
export function copilotMessages(text: string): MessagePart[] {
  const line = parseLine(text, MAX_MESSAGE_LINE_CHARS)
  const data = objectOf(line?.data)
  if (!line || !data) return []
  const at = timeOf(line.timestamp)
  const isSide = line.agentId !== undefined
  if (line.type === 'session.usage_record') return usageIn(objectOf(data.usage), at, isSide)
  return isSide ? [] : said(line, data, at)
}

function said({ type, id }: JsonLine, data: JsonLine, at: number): MessagePart[] {
  switch (type) {
    case 'user.message':
      return promptIn(data, String(data.messageId ?? id), at)
    case 'assistant.message': {
      const { content, messageId, model } = data
      if (typeof content !== 'string' || content.trim() === '') return []
      const by = typeof model === 'string' ? model : undefined
      return [textMessage(String(messageId ?? id), 'assistant', at, content, by)]
    }
    case 'tool.execution_start':
      return [callMessage(String(data.toolCallId), at, String(data.toolName), data.arguments)]
    case 'tool.execution_complete':
      return [{ kind: 'result', id: String(data.toolCallId), ...resultOf(data) }]
    case 'session.model_change':
      return typeof data.newModel === 'string' ? [{ kind: 'model', model: data.newModel }] : []
    case 'session.compaction_complete':
      return [textMessage(String(id), 'system', at, 'The context was compacted.')]
    case 'abort':
      return [textMessage(String(id), 'system', at, 'The turn was interrupted.')]
    case 'session.error':
      return [textMessage(String(id), 'system', at, String(data.message ?? 'error'))]
    default:
      return []
  }
}

function promptIn({ content }: JsonLine, id: string, at: number): MessagePart[] {
  if (typeof content !== 'string' || content.trim() === '') return []
  if (isInjected(content)) return [textMessage(id, 'system', at, content)]
  return [{ kind: 'turn', id, at }, textMessage(id, 'user', at, content)]
}

function resultOf({ success, result, error }: JsonLine): { result: string } | { error: string } {
  if (success === true) return { result: shortened(String(objectOf(result)?.content ?? '')) }
  return { error: shortened(String(objectOf(error)?.message ?? 'failed')) }
}

function usageIn(usage: JsonLine | undefined, at: number, isSide: boolean): MessagePart[] {
  const id = usage?.apiCallId ?? objectOf(usage?.accounting)?.usageId
  if (!usage || typeof id !== 'string') return []
  const model = typeof usage.model === 'string' ? { model: usage.model } : {}
  const counts = countsIn(usage)
  return [{ kind: 'usage', id, at, counts, standard: true, stands: isSide ? 'aside' : 'before', ...model }]
}

/** Cached tokens are included in the input, thinking tokens in the output. */
function countsIn(usage: JsonLine): TokenCounts {
  const cacheRead = numberOf(usage.cacheReadTokens)
  const cacheWrite5m = numberOf(usage.cacheWriteTokens)
  return {
    input: Math.max(0, numberOf(usage.inputTokens) - cacheRead - cacheWrite5m),
    cacheRead,
    cacheWrite5m,
    cacheWrite1h: 0,
    output: numberOf(usage.outputTokens),
  }
}
