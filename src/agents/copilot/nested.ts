/** Copilot's fields that need more than a place. */

import { type Place, toolOf, toolText } from '../fields.ts'
import { isPayload } from '../payload.ts'

/**
 * `{resultType, textResultForLlm}`. 1.0.102 reports failed tools as postToolUseFailure and never here; an
 * exit code other than 0 is a success. Older versions had no event for failures.
 */
export const toolResult: Place = (draft, value) => {
  const tool = toolOf(draft)
  tool.response = value
  if (!isPayload(value) || (value.resultType ?? value.result_type) !== 'failure') return 'placed'
  draft.type = 'PostToolUseFailure'
  const message = value.textResultForLlm ?? value.text_result_for_llm
  if (typeof message === 'string') tool.error = message
  return 'placed'
}

/** `{message, name, stack}`, though the SDK's types say it is a string. The name is always `Error`. */
export const failure: Place = (draft, value) => {
  const message = isPayload(value) ? value.message : value
  if (typeof message !== 'string') return 'wrong'
  draft.error ??= { kind: '' }
  draft.error.message = message
  return typeof value === 'string' ? 'placed' : 'kept'
}

/** `bash`, `edit`, or `server/tool` for the tool of an MCP server. */
export const permissionTool: Place = (draft, value) => {
  const outcome = placeName(draft, value)
  if (typeof value !== 'string') return outcome
  const slash = value.indexOf('/')
  if (slash > 0) toolOf(draft).mcpServer = value.slice(0, slash)
  return outcome
}

const placeName = toolText('name')
