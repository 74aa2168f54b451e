/**
 * Gemini CLI's fields that are objects, and the one whose value changes what the event is. What is needed of an
 * object goes to its canonical place; the whole stays in `fields`.
 */

import { type Place, toolOf, toolResponse } from '../fields.ts'
import { isPayload } from '../payload.ts'
import { takeRequestCounts } from '../usage.ts'

/** `{server_name, tool_name, command?, args?, url?}` on the tools of an MCP server. */
export const mcpContext: Place = (draft, value) => {
  if (!isPayload(value) || typeof value.server_name !== 'string') return 'wrong'
  toolOf(draft).mcpServer = value.server_name
  return 'kept'
}

/** `{llmContent, returnDisplay, error?: {message, type}}`. */
export const toolResult: Place = (draft, value) => {
  const error = isPayload(value) ? value.error : undefined
  if (error !== undefined && error !== null) {
    draft.type = 'PostToolUseFailure'
    const message = isPayload(error) ? error.message : error
    if (typeof message === 'string') toolOf(draft).error = message
  }
  return toolResponse(draft, value)
}

/** `{model, messages, config}`. */
export const llmRequest: Place = (draft, value) => {
  if (!isPayload(value) || typeof value.model !== 'string') return 'wrong'
  draft.model = value.model
  return 'kept'
}

/** `{text, candidates, usageMetadata?}`; the counts come with the last chunk. */
export const llmResponse: Place = (draft, value) => {
  if (!isPayload(value)) return 'wrong'
  const counts = value.usageMetadata
  if (counts === undefined || counts === null) return 'kept'
  if (!isPayload(counts)) return 'wrong'
  return takeRequestCounts(draft, counts, 'promptTokenCount', 'candidatesTokenCount') ? 'kept' : 'wrong'
}

/**
 * `auto` comes before every request to the model, whether anything is compressed or not; `manual` is real, but
 * nothing ever tells that it is over. So neither says what the session is doing.
 */
export const compressTrigger: Place = (draft, value) => {
  if (typeof value !== 'string') return 'wrong'
  draft.trigger = value
  draft.hidden = value === 'auto' ? 'no-compaction' : 'endless-compaction'
  return 'placed'
}
