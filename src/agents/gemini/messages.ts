/**
 * The conversation in Gemini CLI's chat log (0.61.0). A message is rewritten as it grows, with its calls once they have
 * ended. After a compression the whole list is rewritten.
 */
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
  listOf,
  numberOf,
  objectOf,
  parseLine,
  textsOf,
  timeOf,
} from '../transcripts/transcript.ts'
import { promptIn } from './prompt.ts'

export function geminiMessages(text: string): MessagePart[] {
  const line = parseLine(text, MAX_MESSAGE_LINE_CHARS)
  if (!line) return []
  const rewritten = objectOf(line.$set)?.messages
  if (rewritten === undefined) return partsOf(line)
  // Requests were counted when their own lines came.
  const parts = listOf(rewritten).flatMap(partsOf)
  return [{ kind: 'reset' }, ...parts.filter(({ kind }) => kind !== 'usage')]
}

function partsOf(line: JsonLine): MessagePart[] {
  const { id } = line
  if (typeof id !== 'string') return []
  const at = timeOf(line.timestamp)
  switch (line.type) {
    case 'user': {
      const prompt = promptIn(line)
      return prompt === undefined ? [] : [{ kind: 'turn', id, at }, textMessage(id, 'user', at, prompt)]
    }
    case 'gemini':
      return [...answerIn(line, id, at), ...callsIn(line, at), ...usageIn(line, id, at)]
    case 'info':
    case 'warning':
    case 'error':
      return [textMessage(id, 'system', at, contentOf(line))]
    default:
      return []
  }
}

function answerIn(line: JsonLine, id: string, at: number): MessagePart[] {
  const text = contentOf(line)
  const model = typeof line.model === 'string' ? line.model : undefined
  return text.trim() === '' ? [] : [textMessage(id, 'assistant', at, text, model)]
}

function callsIn(line: JsonLine, at: number): MessagePart[] {
  return listOf(line.toolCalls).flatMap((call): MessagePart[] => {
    const { id, name, args, status } = call
    if (typeof id !== 'string' || typeof name !== 'string') return []
    const { output, error } = objectOf(objectOf(listOf(call.result)[0]?.functionResponse)?.response) ?? {}
    const outcome =
      status === 'success'
        ? { result: shortened(String(output ?? '')) }
        : { error: shortened(String(error ?? status ?? '')) }
    return [callMessage(id, timeOf(call.timestamp) || at, name, args), { kind: 'result', id, ...outcome }]
  })
}

function usageIn(line: JsonLine, id: string, at: number): MessagePart[] {
  const tokens = objectOf(line.tokens)
  if (!tokens) return []
  const model = typeof line.model === 'string' ? { model: line.model } : {}
  return [{ kind: 'usage', id, at, counts: countsIn(tokens), standard: true, ...model }]
}

/** Cached tokens are included in the input; thoughts are not included in the output but cost the same. */
function countsIn(tokens: JsonLine): TokenCounts {
  const cacheRead = numberOf(tokens.cached)
  return {
    input: Math.max(0, numberOf(tokens.input) - cacheRead) + numberOf(tokens.tool),
    cacheRead,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: numberOf(tokens.output) + numberOf(tokens.thoughts),
  }
}

function contentOf(line: JsonLine): string {
  return typeof line.content === 'string' ? line.content : textsOf(line.content).join('')
}
