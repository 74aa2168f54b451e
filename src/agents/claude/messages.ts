/**
 * The conversation in Claude Code's transcript (2.1.325, 2.0.77). Each block of an answer is its own line with the same
 * message id and the usage of the whole request.
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
  type Origin,
  objectOf,
  parseLine,
  textsOf,
  timeOf,
} from '../transcripts/transcript.ts'
import { promptIn, toolResults } from './prompt.ts'

/** Marks messages that Claude Code itself writes in place of a model. */
const SYNTHETIC = '<synthetic>'
const STANDARD_REGIONS: ReadonlySet<unknown> = new Set([undefined, null, '', 'global', 'not_available'])

export function claudeMessages(text: string, side = false): MessagePart[] {
  const line = parseLine(text, MAX_MESSAGE_LINE_CHARS)
  if (!line || (line.isSidechain === true) !== side) return []
  const at = timeOf(line.timestamp)
  switch (line.type) {
    case 'user':
      return said(line, at)
    case 'assistant':
      return answered(line, at)
    case 'system':
      return line.subtype === 'compact_boundary'
        ? [textMessage(idOf(line), 'system', at, 'The context was compacted.')]
        : []
    default:
      return []
  }
}

/** A fork copies the lines with new session and prompt ids; prompt text and time stay (2.1.325). */
export function claudeOrigin(text: string): Origin | undefined {
  const line = parseLine(text, MAX_MESSAGE_LINE_CHARS)
  if (!line || line.isSidechain === true) return undefined
  const from = objectOf(line.forkedFrom)?.sessionId
  if (typeof from === 'string') return { sessionId: from }
  const prompt = line.type === 'user' ? promptIn(line) : undefined
  return prompt === undefined ? undefined : { prompt, at: timeOf(line.timestamp) }
}

function said(line: JsonLine, at: number): MessagePart[] {
  const content = objectOf(line.message)?.content
  const results = toolResults(content)
  if (results.length > 0) return results.flatMap(resultIn)
  const prompt = promptIn(line)
  if (prompt !== undefined) {
    const turn = typeof line.promptId === 'string' ? line.promptId : idOf(line)
    return [{ kind: 'turn', id: turn, at }, textMessage(idOf(line), 'user', at, prompt)]
  }
  const text = textsOf(content).join('\n')
  return line.isMeta === true || text.trim() === '' ? [] : [textMessage(idOf(line), 'system', at, text)]
}

function resultIn(result: JsonLine): MessagePart[] {
  const { tool_use_id: id } = result
  if (typeof id !== 'string') return []
  const text = shortened(textsOf(result.content).join('\n'))
  return [{ kind: 'result', id, ...(result.is_error === true ? { error: text } : { result: text }) }]
}

function answered(line: JsonLine, at: number): MessagePart[] {
  const message = objectOf(line.message)
  if (!message) return []
  if (line.isApiErrorMessage === true || message.model === SYNTHETIC) {
    const text = textsOf(message.content).join('\n')
    return text === '' ? [] : [textMessage(idOf(line), 'system', at, text)]
  }
  const model = typeof message.model === 'string' ? message.model : undefined
  const blocks = listOf(message.content).flatMap((block, n): MessagePart[] => {
    if (block.type === 'text' && typeof block.text === 'string')
      return [textMessage(`${idOf(line)}.${n}`, 'assistant', at, block.text, model)]
    if (block.type === 'tool_use' && typeof block.id === 'string')
      return [callMessage(block.id, at, String(block.name ?? ''), block.input)]
    return []
  })
  return [...blocks, ...usageIn(line, message, at, model)]
}

function usageIn(line: JsonLine, message: JsonLine, at: number, model: string | undefined): MessagePart[] {
  const usage = objectOf(message.usage)
  const id = message.id ?? line.requestId
  if (!usage || typeof id !== 'string') return []
  const { speed = 'standard', service_tier: tier = 'standard' } = usage
  const standard =
    speed === 'standard' &&
    (tier === 'standard' || tier === null) &&
    STANDARD_REGIONS.has(usage.inference_geo)
  return [
    { kind: 'usage', id, at, counts: countsIn(usage), standard, ...(model === undefined ? {} : { model }) },
  ]
}

function countsIn(usage: JsonLine): TokenCounts {
  const written = objectOf(usage.cache_creation)
  const cacheWrite1h = numberOf(written?.ephemeral_1h_input_tokens)
  const cacheWrite = numberOf(usage.cache_creation_input_tokens)
  return {
    input: numberOf(usage.input_tokens),
    cacheRead: numberOf(usage.cache_read_input_tokens),
    // Versions that do not distinguish the two write for five minutes.
    cacheWrite5m: Math.max(0, cacheWrite - cacheWrite1h),
    cacheWrite1h,
    output: numberOf(usage.output_tokens),
  }
}

function idOf(line: JsonLine): string {
  return typeof line.uuid === 'string' ? line.uuid : `${String(line.timestamp)}`
}
