/**
 * Gemini CLI's fields that are objects, and one whose value changes the event's meaning. The needed parts go to canonical
 * fields; the whole object stays in `fields`.
 */
import { isObject } from '../../core/is-object.ts'
import { type FieldMapper, toolOf, toolResponse } from '../fields.ts'
import { takeRequestCounts } from '../transcripts/usage.ts'

/** `{server_name, tool_name, command?, args?, url?}` on tools of an MCP server. */
export const mcpContext: FieldMapper = (draft, value) => {
  if (!isObject(value) || typeof value.server_name !== 'string') return 'wrong'
  toolOf(draft).mcpServer = value.server_name
  return 'kept'
}

/** `{llmContent, returnDisplay, error?: {message, type}}`. */
export const toolResult: FieldMapper = (draft, value) => {
  const error = isObject(value) ? value.error : undefined
  if (error !== undefined && error !== null) {
    draft.type = 'PostToolUseFailure'
    const message = isObject(error) ? error.message : error
    if (typeof message === 'string') toolOf(draft).error = message
  }
  return toolResponse(draft, value)
}

/** `{model, messages, config}`. */
export const llmRequest: FieldMapper = (draft, value) => {
  if (!isObject(value) || typeof value.model !== 'string') return 'wrong'
  draft.model = value.model
  return 'kept'
}

/** `{text, candidates, usageMetadata?}`; only the last chunk has the counts. */
export const llmResponse: FieldMapper = (draft, value) => {
  if (!isObject(value)) return 'wrong'
  const counts = value.usageMetadata
  if (counts === undefined || counts === null) return 'kept'
  if (!isObject(counts)) return 'wrong'
  return takeRequestCounts(draft, counts, 'promptTokenCount', 'candidatesTokenCount') ? 'kept' : 'wrong'
}

/**
 * `auto` comes before every model request, compressed or not. `manual` is real, but nothing reports its end. So neither
 * tells what the session is doing.
 */
export const compressTrigger: FieldMapper = (draft, value) => {
  if (typeof value !== 'string') return 'wrong'
  draft.trigger = value
  draft.hidden = value === 'auto' ? 'no-compaction' : 'endless-compaction'
  return 'mapped'
}
